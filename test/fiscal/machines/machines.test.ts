import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addGateway } from '../../../src/fiscal/gateways/gateways.ts'
import { createMachines } from '../../../src/fiscal/machines/machines.ts'
import type { Heartbeat, ReportedProblem } from '../../../src/fiscal/ports/gateways.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

const NOW = Date.UTC(2026, 8, 23, 12, 30)
const MONTH = { year: 2026, month: 9 }
const BY_NAME = { by: 'name', direction: 'ascending' } as const

/** The machines of a gateway: no company is of this database, so nothing here stops one. */
function machinesOf(store: OpenStore) {
  const clock = { now: () => NOW, of: () => ({ now: () => NOW }) }
  const lookAtDisk = async () => ({ room: 'everything' as const, freeBytes: 1e9 })
  const parts = { conditions: () => new Map(), trust: { certificates: () => [] }, identities: {}, chains: {} }
  const issued = { lost: () => [] }
  return createMachines({ store, clock, lookAtDisk, issued, version: '1.0.0', ...parts } as never)
}

async function gatewayIn(store: OpenStore, name: string): Promise<string> {
  const principal = { ...clerkOf(), scopes: ['fleet:read', 'fleet:write'] as const }
  const deps = { store, clock: { now: () => NOW }, newUuid: randomUUID, caHash: async () => Buffer.alloc(32) }
  const { gateway } = await addGateway(deps, principal as never, { name, again: false })
  await store.gateways.update(gateway.id, { enrolledAt: NOW - 1000, credentialHash: name })
  return gateway.id
}

const heartbeat = (changes: Partial<Heartbeat> = {}): Heartbeat => ({
  version: '1.2.3',
  uptime_s: 60,
  can_sell: true,
  problems: [],
  printers: [],
  last_jir_at: null,
  restored_at: null,
  queue: { pending: 0, retrying: 0, failed: 0, expired: 0, oldest_at: null },
  outbox: { waiting: 0, refused: 0 },
  clock: { status: 'ok', trusted: true, offset_ms: 0, now: new Date(NOW).toISOString() },
  disk: { free_bytes: 1e9, left_out: [] },
  ...changes,
})

test('a machine has its latest sale, what it sold today and this month, and what its gateway says of it', async () => {
  const store = await freshStore()
  const gatewayId = await gatewayIn(store, 'kiosk')
  const shop = await openShop(store, { gatewayId })
  await shop.soldAll([
    [{ occurredAt: NOW - 3_600_000 }],
    [{ occurredAt: NOW - 60_000 }],
    [{ occurredAt: NOW - 20 * 86_400_000 }],
  ])
  await store.gateways.noteHeartbeats(new Map([[gatewayId, heartbeat()]]), NOW)
  const { machines } = await machinesOf(store).list(clerkOf(), {}, BY_NAME, { month: MONTH, page: 1 })
  expect(machines).toMatchObject([
    {
      lastSaleAt: NOW - 60_000,
      gateway: 'kiosk',
      version: '1.2.3',
      health: { can: 'yes' },
      today: { sales: 2 },
      month: { sales: 3 },
    },
  ])
})

test('a machine that an alert calls silent is marked, until it sells again', async () => {
  const store = await freshStore()
  const shop = await openShop(store, { gatewayId: await gatewayIn(store, 'kiosk') })
  await shop.sold({ occurredAt: NOW - 3 * 3_600_000 })
  const detail = { device: 'Lobby 1', devices: [shop.deviceId] }
  const about = { id: randomUUID(), tenantId: clerkOf().tenantId, kind: 'machine_silent', subject: 'silent', detail }
  await store.alerts.raise({ ...about, raisedAt: NOW - 3_600_000 })
  const silent = async () =>
    (await machinesOf(store).list(clerkOf(), {}, BY_NAME, { month: MONTH, page: 1 })).machines[0]?.isSilent
  expect(await silent()).toBe(true)
  await shop.sold({ occurredAt: NOW - 1800_000 })
  expect(await silent()).toBe(false)
})

test('about how many receipts are left is read from the alert, where the paper of a gateway is low', async () => {
  const store = await freshStore()
  const gatewayId = await gatewayIn(store, 'kiosk')
  const { deviceId } = await openShop(store, { gatewayId })
  const printers = [{ device_id: deviceId, state: 'ready', paper: 'near_end', reason: null }]
  await store.gateways.noteHeartbeats(new Map([[gatewayId, heartbeat({ printers })]]), NOW)
  const about = { id: randomUUID(), tenantId: clerkOf().tenantId, kind: 'printer_paper_low', subject: deviceId }
  await store.alerts.raise({ ...about, detail: { device: 'Lobby 1', receipts_left: 40 }, raisedAt: NOW })
  const { machines } = await machinesOf(store).list(clerkOf(), {}, BY_NAME, { month: MONTH, page: 1 })
  expect(machines[0]).toMatchObject({ paper: 'low', receiptsLeft: 40 })
})

test('a heartbeat that follows another one is read, and not the one before', async () => {
  const store = await freshStore()
  const gatewayId = await gatewayIn(store, 'kiosk')
  await openShop(store, { gatewayId })
  const health = async () =>
    (await machinesOf(store).list(clerkOf(), {}, BY_NAME, { month: MONTH, page: 1 })).machines[0]?.health
  await store.gateways.noteHeartbeats(new Map([[gatewayId, heartbeat()]]), NOW)
  expect(await health()).toEqual({ can: 'yes' })
  await store.gateways.noteHeartbeats(new Map([[gatewayId, heartbeat({ can_sell: false })]]), NOW)
  expect(await health()).toEqual({ can: 'no', cause: 'gateway_stopped' })
})

test('a problem of a gateway stops the machines that it concerns, whatever they are called', async () => {
  const store = await freshStore()
  const gatewayId = await gatewayIn(store, 'kiosk')
  const { companyId, deviceId } = await openShop(store, { gatewayId })
  const { label, premisesCode } = (await store.devices.get(deviceId)) ?? {}
  const { name } = (await store.companies.get(companyId)) ?? {}
  const health = async (problem: Partial<ReportedProblem>) => {
    const problems = [{ cause: 'newly_found', subject: '', ...problem }]
    await store.gateways.noteHeartbeats(new Map([[gatewayId, heartbeat({ problems })]]), NOW)
    return (await machinesOf(store).list(clerkOf(), {}, BY_NAME, { month: MONTH, page: 1 })).machines[0]?.health
  }
  const here = { code: premisesCode ?? '', register: null }
  const concerning: Partial<ReportedProblem>[] = [
    {},
    { company_id: companyId },
    { device_id: deviceId },
    { mode: 'test' },
    { company_id: companyId, premises: here },
  ]
  for (const problem of concerning) {
    const said = expect.objectContaining(problem)
    expect(await health(problem)).toEqual({ can: 'no', cause: 'gateway_stopped', said })
  }
  const others: Partial<ReportedProblem>[] = [
    { company_id: 'another', subject: name ?? '' },
    { device_id: 'another', subject: label ?? '' },
    { mode: 'live', subject: 'disk' },
    { count: 6, subject: 'device' },
    { company_id: 'another', premises: here },
    { company_id: companyId, premises: { ...here, code: 'ELSE' } },
    { company_id: companyId, premises: { ...here, register: '77' } },
  ]
  for (const problem of others) expect(await health(problem)).toEqual({ can: 'yes' })
})

test('the paper of a printer is what its gateway says of it, while that is connected', async () => {
  const store = await freshStore()
  const gatewayId = await gatewayIn(store, 'kiosk')
  const { deviceId: device_id } = await openShop(store, { gatewayId })
  const paper = async (state: string, paper: string | null) => {
    const printers = [{ device_id, state, paper, reason: null }]
    await store.gateways.noteHeartbeats(new Map([[gatewayId, heartbeat({ printers })]]), NOW)
    return (await machinesOf(store).list(clerkOf(), {}, BY_NAME, { month: MONTH, page: 1 })).machines[0]?.paper
  }
  expect(await paper('ready', 'ok')).toBe('ok')
  expect(await paper('offline', 'out')).toBe('out')
  expect(await paper('offline', 'ok')).toBe('fault')
  expect(await paper('unknown', null)).toBe('unknown')
})

test('all machines are listed once, and all gateways, however many slices they are read in', async () => {
  const store = await freshStore()
  const [first = '', second = ''] = [await gatewayIn(store, 'a'), await gatewayIn(store, 'b')]
  const { deviceId } = await openShop(store, { gatewayId: first })
  const device = await store.devices.get(deviceId)
  if (!device) throw new Error('the shop has a device')
  await store.transaction(async (tx) => {
    for (let i = 0; i < 1100; i++) {
      const [id, label] = [randomUUID(), `Stroj ${i}`]
      await tx.devices.insert({
        ...device,
        id,
        label,
        isuNumber: null,
        isuStatus: 'pending',
        gatewayId: i % 2 ? first : second,
      })
    }
  })
  const { list } = machinesOf(store)
  const found = await list(
    clerkOf(),
    { text: 'stroj' },
    { by: 'name', direction: 'descending' },
    { month: MONTH, page: 1 },
  )
  expect(found).toMatchObject({ total: 1100, pages: 22 })
  expect(Object.fromEntries(found.choices.gateway)).toEqual({ a: 550, b: 550 })
  expect(found.machines[0]?.device.label).toBe('Stroj 1099')
  const by = { by: 'gateway', direction: 'descending' } as const
  const ordered = await list(clerkOf(), { text: 'stroj' }, by, { month: MONTH, page: 1 })
  expect(ordered.machines[0]).toMatchObject({ gateway: 'b', device: { label: 'Stroj 0' } })
})
