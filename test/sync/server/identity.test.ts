import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { IdentityResponse } from '../../../src/sync/wire/identity.ts'
import type { Answer } from '../../support/call.ts'
import { HEARTBEAT } from '../../support/commands.ts'
import { type Gateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { addGateway, enrolGateway, type Speaker } from '../../support/sync-gateway.ts'
import { type Fleet, fleet, record } from '../../support/sync-rows.ts'

const OTHER_TENANT = `other-${process.pid}`

let server: Gateway
let first: { speaker: Speaker; fleet: Fleet }
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
  await server.admin('/admin/tenants', { body: { name: OTHER_TENANT } })
  first = await selling('P1', OIBS[0])
})

/** A gateway with a device at a premises of its own. */
async function selling(premisesCode: string, oib: string, tenant?: string) {
  const speaker = await enrolGateway(server, undefined, tenant)
  const made = fleet({
    oib,
    premisesCode,
    label: `At ${premisesCode}`,
    isuNumber: `7${premisesCode.replace(/\D/g, '')}`,
  })
  expect((await speaker.push(made.parents())).body.refused).toEqual([])
  return { speaker, fleet: made }
}

/** All pages. */
async function identityOf(speaker: Pick<Speaker, 'ask'>) {
  const records: IdentityResponse['records'] = []
  const certificates: IdentityResponse['certificates'] = []
  let pages = 0
  for (let after: IdentityResponse['next'] = null; ; pages++) {
    const answer: Answer<IdentityResponse & { error: { code: string } }> = await speaker.ask('/identity', { after })
    const { status, body } = answer
    if (status !== 200) return { status, code: body.error.code, records, certificates, pages }
    records.push(...body.records)
    certificates.push(...body.certificates)
    after = body.next
    if (after === null) return { status, records, certificates, pages: pages + 1 }
  }
}

const idsOf = (records: IdentityResponse['records']) => records.map(({ kind, id }) => `${kind} ${id}`)

test('a gateway gets its own devices and their companies, with what its certificate was, and no key', async () => {
  const { speaker, fleet: own } = first
  expect((await speaker.push([record('invoice', own.invoice(1))])).body.refused).toEqual([])
  await selling('P2', OIBS[0])
  const { records, certificates } = await identityOf(speaker)
  expect(idsOf(records)).toEqual([`company ${own.companyId}`, `device ${own.device.id}`])
  expect(records[1]?.row).toMatchObject({ label: 'At P1', isu_number: '71', premises_code: 'P1', device_config: {} })
  expect(certificates).toMatchObject([{ company_id: own.companyId, subject_cn: 'FISKAL 1', serial: '01' }])
  expect(JSON.stringify(records)).not.toMatch(/key/)
})

test('nothing of another tenant, of an archived device or of a company that it may not sell for is in it', async () => {
  const foreign = await selling('P3', OIBS[0], OTHER_TENANT)
  expect(idsOf((await identityOf(foreign.speaker)).records)).toHaveLength(2)
  const { speaker, fleet: own } = await selling('P4', OIBS[1])
  const archived = { ...fleet({ oib: OIBS[1], premisesCode: 'P5', label: 'Gone', isuNumber: '75' }).device }
  await speaker.push([record('device', { ...archived, status: 'archived' })])
  const all = idsOf((await identityOf(speaker)).records)
  expect(all).toEqual([`company ${own.companyId}`, `device ${own.device.id}`])

  await server.admin(`/admin/gateways/${speaker.id}`, { method: 'PATCH', body: { companies: [OIBS[2]] } })
  expect(idsOf((await identityOf(speaker)).records)).toEqual([])
})

test('a gateway that claims premises of another company of its tenant learns nothing of it before it has sold for it', async () => {
  const { speaker, fleet: own } = await selling('P12', OIBS[1])
  expect((await speaker.push([record('invoice', own.invoice(1))])).body.refused).toEqual([])
  const other = fleet({ oib: OIBS[0], premisesCode: 'P13', label: 'At P13', isuNumber: '713' })
  const premises = [{ company_id: other.companyId, premises_code: 'P13' }]
  expect((await speaker.hello({ premises })).body.taken).toEqual([])
  const owned = [`company ${own.companyId}`, `device ${own.device.id}`]
  expect(idsOf((await identityOf(speaker)).records)).toEqual(owned)
  expect((await speaker.push([record('certificate', other.certificate), record('device', other.device)])).status).toBe(
    200,
  )
  const claimed = await identityOf(speaker)
  expect(idsOf(claimed.records)).toEqual(owned)
  expect(claimed.certificates.map(({ company_id }) => company_id)).toEqual([own.companyId])

  const limit = (companies: string[] | null) =>
    server.admin(`/admin/gateways/${speaker.id}`, { method: 'PATCH', body: { companies } })
  await limit([OIBS[0]])
  const ofOther = [`company ${other.companyId}`, `device ${other.device.id}`]
  expect(idsOf((await identityOf(speaker)).records)).toEqual(ofOther)
  await limit(null)
  expect(idsOf((await identityOf(speaker)).records)).toEqual(owned)
  expect((await speaker.push([record('invoice', other.invoice(1))])).body.refused).toEqual([])
  expect(idsOf((await identityOf(speaker)).records).sort()).toEqual([...owned, ...ofOther].sort())
})

test('many devices come page by page, each once', async () => {
  const { speaker, fleet: own } = await selling('P6', OIBS[2])
  const more = Array.from({ length: 119 }, (_, index) =>
    record('device', { ...own.device, id: randomUUID(), label: `Row ${index}`, isuNumber: `8${index}` }),
  )
  expect((await speaker.push(more)).body.refused).toEqual([])
  const { records, pages } = await identityOf(speaker)
  expect([records.length, new Set(idsOf(records)).size, pages]).toEqual([121, 121, 4])
})

test('it is told to nobody without a credential, with a replaced one, or to a revoked gateway', async () => {
  const { speaker, fleet: own } = await selling('P7', OIBS[0])
  expect((await speaker.push([record('invoice', own.invoice(1))])).body.refused).toEqual([])
  const stranger = await addGateway(server)
  expect(await identityOf(stranger)).toMatchObject({ status: 401, code: 'gateway_unknown' })

  const again = await server.admin<{ token: string }>('/admin/gateways', { body: { name: speaker.name, again: true } })
  const successor = { ...(await addGateway(server)), token: again.body.token }
  const enrolled = await successor.enroll({ token: again.body.token })
  expect(enrolled.status).toBe(200)
  expect(await identityOf(speaker)).toMatchObject({ status: 401, code: 'gateway_unknown' })
  expect((await identityOf(successor)).records).toHaveLength(2)
  await server.admin(`/admin/gateways/${speaker.id}/revoke`, { body: {} })
  expect(await identityOf(successor)).toMatchObject({ status: 401, code: 'gateway_revoked' })
})

test('a request of another shape is refused', async () => {
  const { speaker } = first
  for (const body of [
    {},
    { after: { kind: 'invoice', at: 0, id: randomUUID() } },
    { after: 'x' },
    { after: null, x: 1 },
  ]) {
    expect((await speaker.ask('/identity', body)).status).toBe(400)
  }
})

test('the enrolment of a successor says how the printers of the old machine were set', async () => {
  const { speaker, fleet: own } = await selling('P8', OIBS[0])
  const setup = { line: 'usb:/dev/usb/lp0', profile: 'epson-tm-t20', settings: { feed_lines: 5 }, expire_after_s: 90 }
  const heartbeat = {
    ...HEARTBEAT,
    printers: [{ device_id: own.device.id, state: 'ready', paper: 'ok', reason: null, setup }],
  }
  expect((await speaker.ask('/poll', { wait_s: 0, heartbeat, last_command: 0 })).status).toBe(200)
  const { body } = await server.admin<{ token: string }>('/admin/gateways', {
    body: { name: speaker.name, again: true },
  })
  const successor = await addGateway(server)
  const enrolled = await successor.enroll({ token: body.token })
  expect(enrolled.body.before).toMatchObject({
    last_seen_at: expect.any(Number),
    printers: [{ device_id: own.device.id, ...setup }],
  })
})

test('where a successor goes on is known to the next one: of its own premises, never lower, and within reach', async () => {
  const { speaker, fleet: own } = await selling('P9', OIBS[0])
  const { fleet: foreign } = await selling('P10', OIBS[0])
  const [number, elsewhere] = [own, foreign].map(({ companyId, device }) => ({
    ...{
      company_id: companyId,
      mode: 'test',
      premises_code: device.premisesCode,
      year: 2026,
      register: '',
      level: null,
    },
  }))
  const tell = async (numbers: object[]) => (await speaker.ask('/identity/numbers', { numbers })).status
  const told = async () => {
    const { numbers } = (await speaker.hello()).body
    return numbers.map((one) => `${one.premises_code} ${one.highest}`)
  }
  expect(
    await tell([
      { ...number, highest: '1003' },
      { ...elsewhere, highest: '77' },
    ]),
  ).toBe(204)
  expect(await told()).toEqual(['P9 1003'])
  expect(await tell([{ ...number, highest: '900' }])).toBe(204)
  expect(await tell([{ ...number, highest: '99999999999999999999' }])).toBe(204)
  expect(await told()).toEqual(['P9 1003'])
})

test('numbers that bring each other within reach do not lift a sequence: reach counts from before the request', async () => {
  const { speaker, fleet: own } = await selling('P11', OIBS[0])
  expect((await speaker.push([record('invoice', own.invoice(1))])).body.refused).toEqual([])
  const place = { company_id: own.companyId, mode: 'test', premises_code: 'P11', year: 2026, register: '', level: null }
  const numbers = Array.from({ length: 500 }, (_, step) => ({ ...place, highest: String(1 + (step + 1) * 1_000_000) }))
  expect((await speaker.ask('/identity/numbers', { numbers })).status).toBe(204)
  const highest = async () => (await speaker.hello()).body.numbers.map((one) => one.highest)
  expect(await highest()).toEqual(['1000001'])

  const healed = await server.admin('/admin/numbers/heal', {
    body: { company_id: own.companyId, premises_code: 'P11' },
  })
  expect(healed.status).toBe(200)
  expect(await highest()).toEqual(['1'])
})
