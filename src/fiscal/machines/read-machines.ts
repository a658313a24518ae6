import type { EpochMs } from '../../domain/instant.ts'
import type { PrinterCondition } from '../../domain/printer.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { type BlockerDeps, commonBlockers } from '../doctor/blockers/sale-blockers.ts'
import { stateOf } from '../gateways/gateways.ts'
import { inSlices, slicesOf } from '../in-slices.ts'
import type { Alert } from '../ports/alerts.ts'
import type { Clock } from '../ports/clock.ts'
import { type Company, type Device, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Position } from '../ports/rows/lists.ts'
import type { MachineDevice, MachineGateway } from '../ports/rows/machines.ts'
import type { DeviceNote } from '../ports/rows/tags-notes-views.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Machine } from './machine.ts'
import { type KnownGateway, machineHealth, ownStops, type PaperFacts, paperOf } from './machine-health.ts'
import { readNotes } from './notes.ts'

export interface MachineDeps extends BlockerDeps {
  clock: BlockerDeps['clock'] & Clock
  conditions: () => ReadonlyMap<string, PrinterCondition>
  /** Of this fiskd. */
  version: string
}

/** By device, how many invoices lack a JIR and can still get one. */
export type Waiting = ReadonlyMap<string, number>

/** What the machines of a tenant have in common. */
interface Surroundings {
  companies: ReadonlyMap<string, Company>
  gateways: ReadonlyMap<string, KnownGateway>
  ownStop: ReturnType<typeof ownStops>
  papers: PaperFacts
  waiting: Waiting
  /** By device, when its unusual silence was noticed. */
  silentSince: ReadonlyMap<string, EpochMs>
}

/** Rows per query: a sale in between waits for a few milliseconds. */
const SLICE = 500
/** These rows are short. */
const SLICE_OF_WAITING = 2000
const STILL_WAITING = ['pending', 'retrying', 'failed'] as const
const NO_NOTE: DeviceNote = { note: '', contact: '' }
const MODES = ['live', 'test'] as const satisfies Mode[]

/** All machines of a tenant, in no order; pauses for other work after each query. */
export async function readMachines(deps: MachineDeps, tenantId: string, waiting: Promise<Waiting>): Promise<Machine[]> {
  const { store } = deps
  const all: Company[] = []
  const companies = inSlices((slice) => store.companies.list({ tenantId, mode: null, companyIds: null }, slice))
  for await (const company of companies) all.push(company)
  const gateways = await gatewaysOf(store, tenantId)
  const surroundings = await surroundingsOf(deps, tenantId, all, gateways, await waiting)
  const notes = await readNotes(store, tenantId)
  const machines: Machine[] = []
  for await (const { device, lastSaleAt } of inSlices((slice) => store.machines.devices(tenantId, slice))) {
    const company = surroundings.companies.get(device.companyId)
    // The company was added meanwhile: the next reading has both.
    if (!company) continue
    machines.push(machineOf(deps, surroundings, device, company, lastSaleAt, notes.get(device.id) ?? NO_NOTE))
  }
  return machines
}

export async function readMachine(
  deps: MachineDeps,
  device: Device,
  company: Company,
  waiting: Waiting,
): Promise<Machine> {
  const { store } = deps
  const { id, tenantId, gatewayId } = device
  const gateway = gatewayId === LOCAL_GATEWAY ? undefined : await store.gateways.get(gatewayId)
  const surroundings = await surroundingsOf(deps, tenantId, [company], gateway ? [gateway] : [], waiting)
  const lastSaleAt = (await store.machines.lastSales([id])).get(id) ?? null
  return machineOf(deps, surroundings, device, company, lastSaleAt, await store.deviceNotes.of(tenantId, id))
}

async function surroundingsOf(
  deps: MachineDeps,
  tenantId: string,
  companies: readonly Company[],
  gateways: readonly MachineGateway[],
  waiting: Waiting,
): Promise<Surroundings> {
  const { printers, alerts } = deps.store
  const now = deps.clock.now()
  const own = companies.filter(({ gatewayId }) => gatewayId === LOCAL_GATEWAY)
  return {
    companies: new Map(companies.map((company) => [company.id, company])),
    gateways: new Map(gateways.map((gateway) => [gateway.id, { gateway, state: stateOf(gateway, now) }])),
    ownStop: ownStops((await commonBlockers(deps, own)).problems),
    papers: {
      conditions: deps.conditions(),
      printers: new Set((await printers.all()).map(({ deviceId }) => deviceId)),
      receiptsLeft: receiptsLeft(await alerts.goingOn(tenantId, 'printer_paper_low')),
    },
    waiting,
    silentSince: silentSince(await alerts.goingOn(tenantId, 'machine_silent')),
  }
}

/** The detail may come from a gateway. */
function receiptsLeft(alerts: readonly Pick<Alert, 'subject' | 'detail'>[]): ReadonlyMap<string, number> {
  return new Map(
    alerts.flatMap(({ subject, detail: { receipts_left: left } }) =>
      typeof left === 'number' && Number.isSafeInteger(left) && left > 0 ? [[subject, left] as const] : [],
    ),
  )
}

/** An alert names its machines by their ids. */
function silentSince(alerts: readonly Pick<Alert, 'detail' | 'raisedAt'>[]): Surroundings['silentSince'] {
  return new Map(
    alerts.flatMap(({ detail: { devices }, raisedAt }) =>
      Array.isArray(devices) ? devices.map((id) => [String(id), raisedAt] as const) : [],
    ),
  )
}

function machineOf(
  deps: MachineDeps,
  { gateways, ownStop, papers, waiting, silentSince }: Surroundings,
  device: MachineDevice,
  company: Company,
  lastSaleAt: EpochMs | null,
  { note, contact }: DeviceNote,
): Machine {
  const { id, gatewayId } = device
  const isOwn = gatewayId === LOCAL_GATEWAY
  const gateway = gateways.get(gatewayId) ?? null
  const paper = paperOf(device, gateway, papers)
  return {
    device,
    company,
    note,
    contact,
    gateway: isOwn ? null : (gateway?.gateway.name ?? gatewayId),
    health: machineHealth({ device, company, ownStop: isOwn ? ownStop(device, company) : null, gateway }),
    lastSaleAt,
    // It may have sold since the alert was looked after.
    isSilent: (lastSaleAt ?? 0) < (silentSince.get(id) ?? 0),
    waiting: waiting.get(id) ?? 0,
    paper,
    receiptsLeft: paper === 'low' ? (papers.receiptsLeft.get(device.id) ?? null) : null,
    version: isOwn ? deps.version : (gateway?.gateway.heartbeat?.version ?? null),
  }
}

export async function gatewaysOf(
  { machines }: Pick<StoreTransaction, 'machines'>,
  tenantId: string,
): Promise<MachineGateway[]> {
  const all: MachineGateway[] = []
  const slices = slicesOf<MachineGateway>(SLICE, (last) =>
    machines.gateways(tenantId, { limit: SLICE, after: last?.name }),
  )
  for await (const some of slices) all.push(...some)
  return all
}

export async function readWaiting({ store }: Pick<MachineDeps, 'store'>, tenantId: string): Promise<Waiting> {
  const counts = new Map<string, number>()
  for (const mode of MODES) {
    for (const status of STILL_WAITING) {
      const slices = slicesOf<Position & { deviceId: string }>(SLICE_OF_WAITING, (after) =>
        store.machines.unconfirmed({ tenantId, mode, status }, { limit: SLICE_OF_WAITING, after }),
      )
      for await (const some of slices) {
        for (const { deviceId } of some) counts.set(deviceId, (counts.get(deviceId) ?? 0) + 1)
      }
    }
  }
  return counts
}
