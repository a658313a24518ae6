import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { severityOf } from '../../../src/domain/alert.ts'
import { createAlertWatch } from '../../../src/fiscal/alerts/alert-watch.ts'
import { conflictProblem, fleetRule } from '../../../src/fiscal/alerts/fleet-rule.ts'
import { addGateway } from '../../../src/fiscal/gateways/gateways.ts'
import { createLease } from '../../../src/fiscal/lease.ts'
import { SYNC_KINDS, type SyncRecord } from '../../../src/fiscal/ports/outbox.ts'
import type { ReplicaChanges } from '../../../src/fiscal/ports/replicas.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { freshDatabase } from '../../support/database.ts'
import { OPERATOR } from '../../support/people.ts'
import { fleet, record } from '../../support/sync-rows.ts'

const MINUTE_MS = 60_000

/** A server that was started at minute 0, with one enrolled gateway that was heard of then. */
async function watched() {
  const store = await openStore(await freshDatabase(), 0)
  onTestFinished(() => store.close())
  let now = 0
  const clock = { now: () => now }
  const deps = { store, clock, newUuid: randomUUID, caHash: async () => Buffer.alloc(32) }
  const { gateway } = await addGateway(deps, OPERATOR, { name: 'kiosk', again: false })
  await store.gateways.update(gateway.id, { credentialHash: 'c', enrolledAt: 0, lastSeenAt: 0 })
  const said: string[] = []
  const watch = (owner: string, since = 0) =>
    createAlertWatch({
      ...deps,
      lease: createLease(deps, 'alerts', owner),
      rules: [fleetRule(store, since, { proven: deps.clock.now })],
      onRaised: ({ kind }) => void said.push(`raised ${kind}`),
      onResolved: ({ kind }) => void said.push(`resolved ${kind}`),
      reportFault: (_kinds, error) => void said.push(String(error)),
    })
  const at = (minutes: number) => {
    now = minutes * MINUTE_MS
  }
  return { store, gateway, said, watch, at }
}

test('a gateway that is silent for 15 minutes is an alert, once, until it is heard of again', async () => {
  const { store, gateway, said, watch, at } = await watched()
  const look = watch('a')
  at(14)
  await look()
  expect(said).toEqual([])
  at(15)
  await look()
  at(16)
  await look()
  expect(said).toEqual(['raised gateway_silent'])
  expect(await store.alerts.open(DEFAULT_TENANT)).toMatchObject([{ kind: 'gateway_silent', subject: gateway.id }])
  await store.gateways.hear(gateway.id, 16 * MINUTE_MS)
  await look()
  expect(said).toEqual(['raised gateway_silent', 'resolved gateway_silent'])
  expect(await store.alerts.open(DEFAULT_TENANT)).toEqual([])
})

test('a silent gateway that keeps sales without a JIR to itself is urgent', async () => {
  const { store, gateway, watch, at } = await watched()
  const { parents, invoice } = fleet()
  const waits = { status: 'retrying', jir: null, confirmedAt: null } as const
  const changes = [...parents(), record('invoice', invoice(1, waits)), record('invoice', invoice(2))]
  await store.transaction((tx) => tx.replicas.write(gateway, insertAll(changes)))
  at(15)
  await watch('a')()
  const [alert] = await store.alerts.open(DEFAULT_TENANT)
  expect(alert).toMatchObject({ kind: 'gateway_silent', detail: { gateway: 'kiosk', without_jir: 1 } })
  expect(alert && severityOf(alert)).toBe('urgent')
})

test('a server that was off for a day does not call everybody silent when it is back', async () => {
  const { said, watch, at } = await watched()
  at(24 * 60)
  const look = watch('a', 24 * 60 * MINUTE_MS)
  await look()
  expect(said).toEqual([])
  at(24 * 60 + 15)
  await look()
  expect(said).toEqual(['raised gateway_silent'])
})

test('a gateway that was revoked, or never enrolled, is not missed', async () => {
  const { store, gateway, said, watch, at } = await watched()
  await store.gateways.update(gateway.id, { revokedAt: 1 })
  at(60)
  await watch('a')()
  expect(said).toEqual([])
})

test('of several processes one looks', async () => {
  const { said, watch, at } = await watched()
  at(15)
  await Promise.all([watch('a')(), watch('b')()])
  expect(said).toEqual(['raised gateway_silent'])
})

test('two machines of one identity, and refused records, are alerts until they are right', async () => {
  const { store, gateway, said, watch } = await watched()
  const look = watch('a')
  const refusal = { kind: 'device' as const, id: 'd', version: 1, code: 'invalid_record', message: 'm', refusedAt: 0 }
  await store.gateways.refusals.put(gateway.id, [refusal])
  await store.gateways.update(gateway.id, { duplicatedAt: 1 })
  await look()
  await store.gateways.refusals.remove(gateway.id, [{ kind: 'device', id: 'd' }])
  await store.gateways.update(gateway.id, { duplicatedAt: null })
  await look()
  expect(said.slice(0, 2).sort()).toEqual(['raised gateway_duplicated', 'raised sync_refused'])
  expect(said.slice(2).sort()).toEqual(['resolved gateway_duplicated', 'resolved sync_refused'])
})

test('a command that nobody has fetched in time is an alert, until the same is asked for again', async () => {
  const { store, gateway, said, watch, at } = await watched()
  const order = { gatewayId: gateway.id, type: 'company.set_status', issuedBy: 'u', issuedAt: 0 } as const
  await store.gatewayCommands.add({ ...order, id: 'c1', body: { company_id: 'a' }, expiresAt: 60_000 })
  at(2)
  await watch('a')()
  await store.gatewayCommands.add({ ...order, id: 'c2', body: { company_id: 'b' }, expiresAt: 600_000 })
  await watch('a')()
  await store.gatewayCommands.add({ ...order, id: 'c3', body: { company_id: 'a' }, expiresAt: 600_000 })
  await watch('a')()
  expect(said).toEqual(['raised command_lapsed', 'resolved command_lapsed'])
})

test('the same ISU number in two tenants is an alert of each', async () => {
  const { store } = await watched()
  await store.tenants.insert({ id: 't2', name: 'other', createdAt: 0 })
  const conflict = { what: 'isu_number' as const, value: '7', companyId: 'c', devices: [] }
  for (const tenantId of [DEFAULT_TENANT, 't2']) {
    const raised = { id: randomUUID(), ...conflictProblem(tenantId, conflict), raisedAt: 0 }
    expect(await store.alerts.raise(raised)).toBe(true)
  }
  expect(await store.alerts.open('t2')).toHaveLength(1)
})

function insertAll(records: readonly SyncRecord[]): ReplicaChanges {
  const of = (kind: string) => ({ insert: records.filter((one) => one.kind === kind), update: [] })
  return Object.fromEntries(SYNC_KINDS.map((kind) => [kind, of(kind)])) as unknown as ReplicaChanges
}
