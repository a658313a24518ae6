import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAlerts } from '../../../src/fiscal/alerts/alerts.ts'
import type { SyncRecord, SyncRows } from '../../../src/fiscal/ports/outbox.ts'
import { DEFAULT_TENANT, type OpenStore } from '../../../src/store/store.ts'
import { watched } from '../../support/alerting.ts'
import { OPERATOR, userRow } from '../../support/people.ts'
import { fleet, record } from '../../support/sync-rows.ts'

/** Use cases over a store, without a mail server. */
function officeOf({ store, clock }: Pick<Awaited<ReturnType<typeof watched>>, 'store' | 'clock'>) {
  const alertTo = { addresses: [], language: 'hr' as const }
  return createAlerts({ store, clock, newUuid: randomUUID, words: {} as never, transport: null, alertTo })
}

const raise = (store: OpenStore, kind: string, raisedAt: number, tenantId = DEFAULT_TENANT, detail = {}) =>
  store.alerts.raise({ id: randomUUID(), tenantId, kind, subject: `${tenantId} ${raisedAt}`, detail, raisedAt })

async function addGateway(store: OpenStore, tenantId = DEFAULT_TENANT) {
  const gateway = { id: randomUUID(), tenantId, name: 'kiosk-7', createdAt: 0 }
  const never = { tokenHash: null, tokenExpiresAt: null, credentialHash: null, publicKey: null, enrolledAt: null }
  const silent = { revokedAt: null, session: null, sessionBefore: null, duplicatedAt: null, lastSeenAt: null }
  const zero = { position: 0, heard: 0, strikes: 0, lastCommand: 0, reportedAt: null, heartbeat: null, companies: null }
  await store.gateways.insert({ ...gateway, ...never, ...silent, ...zero })
  return gateway
}

async function write(
  store: OpenStore,
  gateway: { id: string; tenantId: string },
  how: 'insert' | 'update',
  rows: SyncRows['alert'][],
) {
  const none = { insert: [], update: [] }
  const records = rows.map((row) => record('alert', row) as Extract<SyncRecord, { kind: 'alert' }>)
  const others = {
    company: none,
    certificate: none,
    device: none,
    invoice: none,
    message: none,
    print_job: none,
    request: none,
  }
  await store.transaction((tx) =>
    tx.replicas.write(gateway, { ...others, alert: { insert: [], update: [], [how]: records } }),
  )
}

test('alerts are listed by state and kind, the latest first, page by page, and nobody sees those of others', async () => {
  const { store, clock, time } = await watched()
  const office = officeOf({ store, clock })
  await store.tenants.insert({ id: 't2', name: 'other', createdAt: 0 })
  for (let at = 1; at <= 5; at++) await raise(store, at % 2 ? 'disk_short' : 'cis_down', at)
  await raise(store, 'disk_short', 9, 't2')
  await store.alerts.resolve('disk_short', `${DEFAULT_TENANT} 1`, time.now)
  const kinds = async (filter: object) =>
    (await office.list(OPERATOR, filter, { limit: 10 })).items.map(({ kind, raisedAt }) => `${kind} ${raisedAt}`)
  expect(await kinds({})).toEqual(['disk_short 5', 'cis_down 4', 'disk_short 3', 'cis_down 2', 'disk_short 1'])
  expect(await kinds({ state: 'open', kind: 'disk_short' })).toEqual(['disk_short 5', 'disk_short 3'])
  expect(await kinds({ state: 'resolved' })).toEqual(['disk_short 1'])
  await raise(store, 'printer_paper_low', 0, DEFAULT_TENANT, { device_id: 'd-1' })
  expect(await kinds({ about: 'd-1' })).toEqual(['printer_paper_low 0'])
  expect(await kinds({ about: 'd-' })).toEqual([])
  const [fifth] = (await office.list(OPERATOR, {}, { limit: 1 })).items
  await office.acknowledge(OPERATOR, String(fifth?.id))
  expect(await kinds({ state: 'acknowledged' })).toEqual(['disk_short 5'])
  expect(await kinds({ state: 'open' })).toEqual(['cis_down 4', 'disk_short 3', 'cis_down 2', 'printer_paper_low 0'])
  const page = await office.list(OPERATOR, {}, { limit: 2 })
  const behind = await office.list(OPERATOR, {}, { limit: 9, after: page.next ?? undefined })
  expect([...page.items, ...behind.items].map(({ raisedAt }) => raisedAt)).toEqual([5, 4, 3, 2, 1, 0])
  expect(behind.next).toBeNull()
  const stranger = { ...OPERATOR, tenantId: 't2' }
  await expect(office.get(stranger, String(fifth?.id))).rejects.toThrow('there is no such alert')
  await expect(office.acknowledge(stranger, String(fifth?.id))).rejects.toThrow('there is no such alert')
})

test('counts are of what is open, by how loud it is', async () => {
  const { store, clock } = await watched()
  const office = officeOf({ store, clock })
  await raise(store, 'gateway_silent', 1, DEFAULT_TENANT, { without_jir: 2 })
  await raise(store, 'gateway_silent', 2)
  await raise(store, 'certificate_60', 3)
  const [first] = (await office.list(OPERATOR, { kind: 'certificate_60' }, { limit: 1 })).items
  expect(await office.counts(OPERATOR)).toEqual({ urgent: 1, warning: 1, info: 1 })
  await office.acknowledge(OPERATOR, String(first?.id))
  expect(await office.counts(OPERATOR)).toEqual({ urgent: 1, warning: 1, info: 0 })
})

test('who acknowledges first is remembered by name, once, in the audit log too; a viewer may not', async () => {
  const { store, clock } = await watched()
  const office = officeOf({ store, clock })
  await raise(store, 'cis_down', 1)
  await store.users.insert(userRow({ id: 'u1', role: 'operator', email: null }))
  const [alert] = (await office.list(OPERATOR, {}, { limit: 1 })).items
  const id = String(alert?.id)
  const viewer = { ...OPERATOR, scopes: ['fleet:read'] }
  await expect(office.acknowledge(viewer, id)).rejects.toMatchObject({ code: 'insufficient_scope' })
  const kept: unknown[] = []
  await office.acknowledge({ ...OPERATOR, id: 'u1' }, id, async (_tx, view) => void kept.push(view.acknowledgedBy))
  await office.acknowledge(OPERATOR, id)
  expect(kept).toEqual(['ana'])
  expect(await office.get(OPERATOR, id)).toMatchObject({ acknowledgedBy: 'ana', notices: [] })
  const log = await store.audit.list(DEFAULT_TENANT, {}, { limit: 10 })
  expect(log.map(({ action, actor }) => [action, actor])).toEqual([['alert.acknowledged', 'u1']])
})

test('what somebody knows at the server they know, whatever the gateway says of the alert after that', async () => {
  const { store, clock, time } = await watched()
  const office = officeOf({ store, clock })
  const gateway = await addGateway(store)
  const row = fleet().alert({ kind: 'invoices_expired', raisedAt: 5 })
  await write(store, gateway, 'insert', [row])
  expect(await office.acknowledge(OPERATOR, row.id)).toMatchObject({ gateway: 'kiosk-7', resolvedAt: null })
  await write(store, gateway, 'update', [{ ...row, detail: { count: 2 } }])
  expect(await office.get(OPERATOR, row.id)).toMatchObject({
    ...{ acknowledgedBy: 'operator', acknowledgedAt: time.now, detail: { count: 2 } },
  })
  await write(store, gateway, 'update', [{ ...row, resolvedAt: 9 }])
  expect(await office.get(OPERATOR, row.id)).toMatchObject({ acknowledgedBy: 'operator', resolvedAt: 9 })
})

test('what a gateway has told of is not ours to restate or to end', async () => {
  const { store } = await watched()
  const gateway = await addGateway(store)
  const row = fleet().alert({ kind: 'disk_short', subject: 'disk' })
  await write(store, gateway, 'insert', [row])
  await store.alerts.restate(row.id, { left_out: 'sales' })
  expect(await store.alerts.resolve('disk_short', 'disk', 9)).toBe(false)
  expect(await store.alerts.get(row.id)).toMatchObject({ detail: {}, resolvedAt: null })
  expect(await store.alerts.open(null)).toEqual([])
  expect(await store.alerts.latest(DEFAULT_TENANT, 'disk_short', 'disk')).toBeUndefined()
  expect(await store.alerts.standing({ tenantId: null, companyIds: null })).toEqual([
    { kind: 'disk_short', detail: {} },
  ])
})

test('the sales of gateways that still can get a JIR are counted by gateway', async () => {
  const { store } = await watched()
  const gateway = await addGateway(store)
  const { parents, invoice } = fleet()
  const waits = { jir: null, confirmedAt: null }
  const sales = [
    ...[invoice(1, { status: 'retrying', ...waits }), invoice(2, { status: 'failed', ...waits })],
    ...[invoice(3, { status: 'expired', ...waits }), invoice(4)],
  ]
  const records = [...parents(), ...sales.map((row) => record('invoice', row))]
  const of = (kind: string) => ({ insert: records.filter((one) => one.kind === kind), update: [] })
  const kinds = ['company', 'certificate', 'device', 'invoice', 'message', 'print_job', 'request', 'alert']
  const changes = Object.fromEntries(kinds.map((kind) => [kind, of(kind)]))
  await store.transaction((tx) => tx.replicas.write(gateway, changes as never))
  expect(await store.gateways.withoutJir(DEFAULT_TENANT)).toEqual(new Map([[gateway.id, 2]]))
  expect(await store.gateways.withoutJir('t2')).toEqual(new Map())
  // They are nobody's but the gateway's to tell of.
  expect(await store.invoices.waiting('retrying', 1e15, 10)).toEqual([])
})
