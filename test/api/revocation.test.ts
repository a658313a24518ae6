import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { fisk } from '../support/fisk.ts'
import { addCompany, type Gateway, startGateway, startSharedGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { type EntryOrder, entryFor, listPem, makeList } from '../support/revocation-lists.ts'
import { tempDir } from '../support/temp-dir.ts'

interface Refused {
  error: { code: string; param: string; message: string }
}

const { issuing } = pki.toJSON()
const SINCE = new Date('2026-03-04T05:06:07.000Z')
const HOUR_MS = 3_600_000

let gateway: Gateway
let minutes = 0
beforeAll(async () => {
  gateway = await startSharedGateway()
})

/** A list that is newer than all before it. */
const listOf = (...entries: EntryOrder[]) =>
  makeList({ by: issuing, entries, thisUpdate: new Date(Date.now() - HOUR_MS + minutes++ * 60_000) })

const addTrust = <T = Refused>(mode: string, file: Buffer | string) =>
  gateway.admin<T>('/admin/trust', {
    body: { mode, for: 'uploads', certificates: Buffer.from(file).toString('base64') },
  })

async function statusesOf(companyId: string): Promise<unknown[]> {
  const { body } = await gateway.admin<{ data: { status: string }[] }>(`/v1/certificates?company_id=${companyId}`)
  return body.data.map(({ status }) => status)
}

async function companyWithDevice(oib: string) {
  const id = await addCompany(gateway, oib)
  const isu_number = String(200 + minutes++)
  return { id, deviceId: await gateway.addDevice({ company_id: id, label: `machine of ${oib}`, isu_number }) }
}

test('a certificate that a new list names is revoked at once: its company cannot sell, others can', async () => {
  const { certDer } = await certificateOf(OIBS[1])
  const { id, deviceId } = await companyWithDevice(OIBS[1])
  expect((await gateway.sell({ device_id: deviceId })).status).toBe('confirmed')

  const { status, body } = await addTrust<Record<string, unknown>>('test', listOf(entryFor(certDer, SINCE)))
  expect(status).toBe(200)
  const list = {
    issuer: 'CN=Simulator CA 2020,O=Simulator CIS,C=HR',
    this_update: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    next_update: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/),
    entries: 1,
  }
  expect(body).toMatchObject({ added: [], added_revocation_lists: [list], revocation_lists: [list] })

  expect(await statusesOf(id)).toEqual(['revoked'])
  const refused = await gateway.post({ device_id: deviceId })
  expect(refused.status).toBe(400)
  expect(refused.body.error).toMatchObject({ code: 'company_missing_certificate', param: 'device_id' })
  const { body: companies } = await gateway.admin<{ data: { id: string; certificate_status: string }[] }>(
    '/v1/companies',
  )
  expect(companies.data.find((company) => company.id === id)?.certificate_status).toBe('missing')
  expect(await gateway.sell()).toMatchObject({ status: 'confirmed' })

  const { body: trail } = await gateway.admin<{ data: object[] }>('/admin/audit')
  expect(trail.data[0]).toMatchObject({
    actor: 'crl',
    action: 'certificate.revoked',
    detail: { oib: OIBS[1], serial: entryFor(certDer, SINCE).serial.toString('hex').toUpperCase() },
  })
})

test('a certificate that is listed cannot be uploaded; a new one of the same company can, and sells', async () => {
  const old = await pki.issueCompany({ oib: OIBS[2] })
  await addTrust('test', listOf(entryFor(old.certDer, SINCE)))
  const { body } = await gateway.admin('/v1/companies', { body: { name: 'Treća d.o.o.', oib: OIBS[2] } })
  const id = String(body.id)

  const refused = await uploadCertificate(gateway, id, old)
  expect(refused.status).toBe(400)
  expect(refused.body.error).toMatchObject({
    code: 'invalid_request',
    param: 'file',
    message: 'the certificate was revoked by its issuer at 2026-03-04T05:06:07.000Z',
  })
  expect(await statusesOf(id)).toEqual([])
  expect((await uploadCertificate(gateway, id, await certificateOf(OIBS[2]))).status).toBe(201)
  const deviceId = await gateway.addDevice({ company_id: id, label: 'third', isu_number: '303' })
  expect((await gateway.sell({ device_id: deviceId })).status).toBe('confirmed')
})

test('a list of the other mode revokes nothing, but keeps the company out of that mode', async () => {
  const { certDer } = await certificateOf(OIBS[0])
  const goLive = () =>
    gateway.admin<Refused & { mode: string }>(`/v1/companies/${gateway.companyId}`, {
      method: 'PATCH',
      body: { mode: 'live' },
    })
  const added = await addTrust('live', pki.bundlePem + listPem(listOf(entryFor(certDer, SINCE))))
  expect(added.status).toBe(200)
  expect(await statusesOf(gateway.companyId)).toEqual(['valid'])
  expect((await gateway.sell()).status).toBe('confirmed')

  const refused = await goLive()
  expect(refused.status).toBe(400)
  expect(refused.body.error).toMatchObject({
    code: 'company_missing_certificate',
    param: 'mode',
    message: expect.stringMatching(/was revoked by its issuer/),
  })

  await addTrust('live', listOf())
  expect((await goLive()).body.mode).toBe('live')
  // It is there now, so the next list that names its certificate revokes it.
  await addTrust('live', listOf(entryFor(certDer, SINCE)))
  expect(await statusesOf(gateway.companyId)).toEqual(['revoked'])
})

test('a list that nobody in the bundle signed is refused, and a file over 16 MB too', async () => {
  const forged = listOf()
  forged.writeUInt8((forged.at(-1) ?? 0) ^ 1, forged.length - 1)
  const refused = await addTrust('test', forged)
  expect(refused.status).toBe(400)
  expect(refused.body.error).toMatchObject({
    code: 'invalid_request',
    param: 'certificates',
    message: expect.stringMatching(/Simulator CA 2020 was not signed by CN=Simulator CA 2020,O=Simulator CIS,C=HR/),
  })
  const large = await addTrust('test', Buffer.alloc(12_600_000))
  expect(large.status).toBe(413)
  expect(large.body.error.code).toBe('request_too_large')
})

test('fisk trust add brings a list of a megabyte, and fisk trust list shows it', async () => {
  const directory = await tempDir()
  const entries = Array.from({ length: 30_000 }, (_, i) => {
    const serial = Buffer.alloc(16, 0x42)
    serial.writeUInt32BE(i, 8)
    return { serial, at: SINCE }
  })
  const file = join(directory, 'issuer.crl')
  const list = listOf(...entries)
  expect(list.length).toBeGreaterThan(1_000_000)
  await writeFile(file, list)

  const added = await fisk(['trust', 'add', '--mode', 'test', '--for', 'uploads', file], { socket: gateway.socketPath })
  expect(added).toMatchObject({ code: 0, stderr: '' })
  expect(added.stdout).toMatch(
    /^Added 1:\n {2}revocation list of CN=Simulator CA 2020,O=Simulator CIS,C=HR\n {4}30000 revoked/,
  )
  const again = await fisk(['trust', 'add', '--mode', 'test', '--for', 'uploads', file], { socket: gateway.socketPath })
  expect(again.stdout).toMatch(/^Nothing new/)

  const listed = await fisk(['trust', 'list', '--json'], { socket: gateway.socketPath })
  expect(JSON.parse(listed.stdout).data[2].revocation_lists).toMatchObject([{ entries: 30_000 }])
})

test('a list that lay in the bundle before fiskd started counts from the first sale on', async () => {
  const other = await startGateway()
  const { certDer } = await certificateOf(OIBS[0])
  await writeFile(join(other.dataDir, 'trust', 'test.pem'), pki.bundlePem + listPem(listOf(entryFor(certDer, SINCE))))
  await other.restart()
  expect((await other.post()).body.error).toMatchObject({ code: 'company_missing_certificate', param: 'device_id' })
})
