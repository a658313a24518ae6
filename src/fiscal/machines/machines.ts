import type { Cents } from '../../domain/money.ts'
import { limitKey, type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import { cachingFor, EARLIER_LASTS_MS, EARLIER_USABLE_MS } from '../cached-results.ts'
import type { Company, Device } from '../ports/model.ts'
import { type ListedMachine, type Machine, type MachineState, machineState } from './machine.ts'
import {
  chosen,
  createTextRanks,
  inOrder,
  inOrderOfNames,
  type MachineChoices,
  type MachineFilter,
  type MachineOrder,
  matching,
} from './machine-list.ts'
import {
  historyOf,
  lastDays,
  listed,
  type Month,
  monthOf,
  type SoldByMachine,
  soldByMachine,
  soldSinceClosing,
} from './machine-sales.ts'
import { type Missed, missedSales } from './missed-sales.ts'
import { type MachineDeps, readMachine, readMachines, readWaiting, type Waiting } from './read-machines.ts'
import { keyOf, readTags, type Tags } from './tags.ts'

export interface MachinePage {
  machines: ListedMachine[]
  /** All that fit the filter, in the same order. */
  all: ListedMachine[]
  /** How many fit the filter. */
  total: number
  /** From 1; the last one when a later one was asked for. */
  page: number
  pages: number
  /** By machine of the page, what it sold on each of the last 14 days, the oldest first. */
  days: ReadonlyMap<string, Cents[]>
  /** What can be chosen instead, and how many machines there are then. */
  choices: MachineChoices
  /** How many fit each of the other filters. */
  counts: number[]
}

/** The states add up to the total. */
export type MachineCounts = Record<MachineState | 'total' | 'paperOut', number>

export interface IdleMachine {
  machine: Machine
  state: MachineState
  /** Null of a suspended machine, and of one that has never sold. */
  missed: Missed | null
}

const LASTS_MS = 10_000
/** Nobody waits for a list that is read anew, unless the one before is older. */
const USABLE_MS = 30_000
const MACHINES_OF_PAGE = 50
const MOST_TAGS = 200

export function createMachines(deps: MachineDeps) {
  const lists = cachingFor<Machine[]>(deps.clock, LASTS_MS, USABLE_MS)
  const counts = cachingFor<Waiting>(deps.clock, LASTS_MS, USABLE_MS)
  const sums = cachingFor<SoldByMachine>(deps.clock, LASTS_MS, USABLE_MS)
  const misses = cachingFor<ReadonlyMap<string, Missed>>(deps.clock, EARLIER_LASTS_MS, EARLIER_USABLE_MS)
  const tags = cachingFor<Tags>(deps.clock, LASTS_MS, USABLE_MS)
  const ranksOf = createTextRanks()
  const soldOf = (tenantId: string, month: Month) =>
    sums(`${month.year}-${month.month} ${tenantId}`, () => soldByMachine(deps.store, tenantId, month, deps.clock.now()))
  const waitingOf = (tenantId: string) => counts(tenantId, () => readWaiting(deps, tenantId))
  const tagsOf = (tenantId: string) => tags(keyFor(tenantId), () => readTags(deps.store, tenantId))
  /** Raised with each change, so that the list from before is not found any more. */
  const changes = new Map<string, number>()

  const keyFor = (tenantId: string) => `${changes.get(tenantId) ?? 0} ${tenantId}`

  async function shownTo(principal: Principal): Promise<Machine[]> {
    requireScope(principal, 'fleet:read')
    requireScope(principal, 'invoices:read')
    const { tenantId } = principal
    const all = await lists(keyFor(tenantId), async () =>
      inOrderOfNames(await readMachines(deps, tenantId, waitingOf(tenantId)), ranksOf),
    )
    return all.filter(
      ({ company: { id, mode } }) =>
        (principal.mode === null || principal.mode === mode) && reachesCompany(principal, id),
    )
  }

  async function reachable(principal: Principal, wanted: Month): Promise<ListedMachine[]> {
    const { tenantId } = principal
    // Side by side: another server reads while this process works.
    const [all, sold, tagged] = await Promise.all([shownTo(principal), soldOf(tenantId, wanted), tagsOf(tenantId)])
    return listed(all, sold, tagged)
  }

  return {
    /** Of the last ten seconds, or of the last thirty while it is read anew. */
    async list(
      principal: Principal,
      filter: MachineFilter,
      order: MachineOrder,
      { month, page: wanted, others = [] }: { month: Month; page: number; others?: readonly MachineFilter[] },
    ): Promise<MachinePage> {
      const all = await reachable(principal, month)
      const { found, choices } = chosen(all, filter)
      const pages = Math.max(1, Math.ceil(found.length / MACHINES_OF_PAGE))
      const page = Math.min(Math.max(1, wanted), pages)
      const ordered = await inOrder(found, order, ranksOf)
      const machines = ordered.slice((page - 1) * MACHINES_OF_PAGE, page * MACHINES_OF_PAGE)
      const days = await lastDays(deps.store, principal.tenantId, machines, deps.clock.now())
      const counts = others.map((other) => matching(all, other).length)
      return { machines, all: ordered, days, total: found.length, page, pages, choices, counts }
    },
    /** How many machines are in which state, and how many lack paper; archived ones are left out. Cached as the list is. */
    async counts(principal: Principal): Promise<MachineCounts> {
      const found: MachineCounts = { total: 0, stopped: 0, isu: 0, suspended: 0, unknown: 0, sells: 0, paperOut: 0 }
      for (const machine of await shownTo(principal)) {
        if (machine.device.status === 'archived') continue
        found.total++
        found[machineState(machine)]++
        if (machine.paper === 'out') found.paperOut++
      }
      return found
    },
    /** How many machines `counts` counts, by the id of their company. */
    async perCompany(principal: Principal): Promise<ReadonlyMap<string, number>> {
      const found = new Map<string, number>()
      for (const { company, device } of await shownTo(principal)) {
        if (device.status !== 'archived') found.set(company.id, (found.get(company.id) ?? 0) + 1)
      }
      return found
    },
    /** The machines that earn nothing, and those of which that is not known, with what they miss; the dearest first. */
    async notEarning(principal: Principal): Promise<IdleMachine[]> {
      const idle = (await shownTo(principal))
        .filter(({ device }) => device.status !== 'archived')
        .map((machine) => ({ machine, state: machineState(machine) }))
        .filter(({ state }) => state !== 'sells')
      const { tenantId } = principal
      // A suspended machine misses nothing that it was meant to sell.
      const meant = idle.filter(({ state }) => state !== 'suspended').map(({ machine }) => machine)
      const key = `${tenantId} ${limitKey(principal)} ${principal.mode}`
      const missed = await misses(key, () => missedSales(deps.store, tenantId, meant, deps.clock.now()))
      const found = idle.map((one) => ({ ...one, missed: missed.get(one.machine.device.id) ?? null }))
      return found.sort((a, b) => Number((b.missed?.cents ?? 0n) - (a.missed?.cents ?? 0n)))
    },
    /** All that fit the filter, by name; cached as the list is. @param month this one when left out */
    async matching(principal: Principal, filter: MachineFilter, month: Month = monthOf(deps.clock.now())) {
      return matching(await reachable(principal, month), filter)
    },
    /** The tags of all machines, in order; none where they are too many for a menu. Cached as the list is. */
    async tags(principal: Principal): Promise<string[]> {
      const [all, tagged] = await Promise.all([shownTo(principal), tagsOf(principal.tenantId)])
      const tags = new Map(all.flatMap(({ device }) => (tagged.get(device.id) ?? []).map((tag) => [keyOf(tag), tag])))
      return tags.size > MOST_TAGS ? [] : [...tags.values()].sort((one, other) => one.localeCompare(other, 'hr'))
    },
    /** A machine as it is now; what waits is cached. @param file as `FleetUseCases.findDevice` gives it */
    async look(principal: Principal, { device, company }: { device: Device; company: Company }): Promise<Machine> {
      requireScope(principal, 'fleet:read')
      requireScope(principal, 'invoices:read')
      return readMachine(deps, device, company, await waitingOf(device.tenantId))
    },
    /** What it sold in the last days and months, in the mode of its company. */
    async history(principal: Principal, { device, company: { mode } }: { device: Device; company: Company }) {
      requireScope(principal, 'invoices:read')
      const of = { tenantId: device.tenantId, deviceId: device.id, mode }
      return historyOf(deps.store, of, deps.clock.now())
    },
    /** What it has sold since the latest closing of its premises, in the mode of its company. */
    async sinceClosing(principal: Principal, { device, company: { mode } }: { device: Device; company: Company }) {
      requireScope(principal, 'invoices:read')
      return soldSinceClosing(deps.store, device, mode)
    },
    /** Reads the list anew next time: something was changed here. */
    forget({ tenantId }: Principal): void {
      changes.set(tenantId, (changes.get(tenantId) ?? 0) + 1)
    },
  }
}
