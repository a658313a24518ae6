import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createAkdLike } from '../support/akd-like.ts'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startGateway, startSharedGateway, uploadCertificate } from '../support/gateway.ts'
import { OIBS, pki } from '../support/pki.ts'
import { tempDir } from '../support/temp-dir.ts'

let gateway: Gateway
let akd: Awaited<ReturnType<typeof createAkdLike>>
beforeAll(async () => {
  gateway = await startSharedGateway()
  akd = await createAkdLike()
})

interface Shown {
  data: { mode: string; list: string; given: boolean; certificates: { fingerprint: string }[] }[]
}

const add = (purpose: string) => {
  const certificates = Buffer.from(akd.bundlePem).toString('base64')
  return gateway.admin('/admin/trust', { body: { mode: 'test', for: purpose, certificates } })
}
const fingerprintOf = (der: Buffer | undefined) =>
  new X509Certificate(der ?? Buffer.alloc(0)).fingerprint256.replaceAll(':', '')
const remove = (purpose: string, fingerprint: string) =>
  gateway.admin<{ error: { code: string; param: string; message: string }; certificates: object[] }>(
    '/admin/trust/remove',
    { body: { mode: 'test', for: purpose, fingerprint } },
  )

test('a company certificate of another issuer is taken once that issuer was added for uploads, and not for the service', async () => {
  const company = await akd.issueCompany(OIBS[0])
  const upload = () => uploadCertificate(gateway, gateway.companyId, company)
  const hint = 'add its issuer with `fisk trust add --mode test --for uploads FILE`'
  const untrusted = { param: 'file', message: expect.stringContaining(hint) }
  expect((await upload()).body.error).toMatchObject(untrusted)
  expect((await add('service')).status).toBe(200)
  expect((await upload()).body.error).toMatchObject(untrusted)
  expect((await add('uploads')).status).toBe(200)
  expect(await upload()).toMatchObject({ status: 201, body: { subject_oib: OIBS[0] } })
})

test('what was added is removed by the beginning of its fingerprint, and written down', async () => {
  await add('uploads')
  const [root, issuing] = akd.bundleDer.map(fingerprintOf)
  for (const fingerprint of [root, issuing]) {
    expect((await remove('uploads', fingerprint?.slice(0, 12) ?? '')).status).toBe(200)
  }
  const { body } = await gateway.admin<Shown>('/admin/trust')
  const of = (list: string) => body.data.find((one) => one.mode === 'test' && one.list === list)?.certificates
  expect([of('base')?.length, of('uploads')]).toEqual([2, []])

  const { body: trail } = await gateway.admin<{ data: object[] }>('/admin/audit')
  expect(trail.data[0]).toMatchObject({
    action: 'trust.changed',
    detail: { mode: 'test', list: 'uploads', removed: [{ fingerprint: issuing }] },
  })
  const refused = await remove('uploads', fingerprintOf(akd.bundleDer[0]))
  expect(refused.status).toBe(400)
  expect(refused.body.error).toMatchObject({ param: 'fingerprint' })
})

test('which list it is for has to be said', async () => {
  const certificates = Buffer.from(akd.bundlePem).toString('base64')
  const { status, body } = await gateway.admin('/admin/trust', { body: { mode: 'test', certificates } })
  expect([status, body.error]).toMatchObject([400, { param: 'for' }])
})

test('a base whose path the operator has set is not written, by the name of the variable', async () => {
  const FISKD_TRUST_TEST = join(await tempDir(), 'authority.pem')
  await writeFile(FISKD_TRUST_TEST, pki.bundlePem)
  const own = await startGateway({ FISKD_TRUST_TEST })
  const ran = await fisk(['trust', 'fetch', '--mode', 'test'], { socket: own.socketPath })
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('FISKD_TRUST_TEST')
  expect(ran.stderr.replaceAll(/\s+/g, '')).toContain(FISKD_TRUST_TEST)
  const inCroatian = { socket: own.socketPath, env: { FISKD_LANGUAGE: 'hr' } }
  const hr = await fisk(['trust', 'fetch', '--mode', 'test'], inCroatian)
  expect(hr.stderr.replaceAll(/\s+/g, ' ')).toContain('varijabla FISKD_TRUST_TEST je postavljena')
  expect(hr.stderr).not.toContain('does not write')
  const gone = ['trust', 'remove', '--mode', 'test', '--for', 'service', 'abcdef01']
  expect((await fisk(gone, inCroatian)).stderr.replaceAll(/\s+/g, ' ')).toContain('to nije početak otiska')

  const body = { mode: 'test', for: 'service', fingerprint: fingerprintOf(pki.bundleDer[0]) }
  expect((await own.admin('/admin/trust/remove', { body })).status).toBe(400)
  const shown = await own.admin<Shown>('/admin/trust')
  expect(shown.body.data.filter(({ given }) => given)).toMatchObject([{ mode: 'test', list: 'base' }])
})
