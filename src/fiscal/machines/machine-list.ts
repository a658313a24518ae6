import type { ActiveStatus, IsuStatus } from '../ports/model.ts'
import { HEALTHS, type ListedMachine, type Machine, type MachineState, machineState, type Paper } from './machine.ts'
import { keyOf } from './tags.ts'
import type { createTextRanks } from './text-ranks.ts'

/** Filters combine with AND; undefined fields do not filter. */
export interface MachineFilter {
  /** A part of its name, address, premises code, note or contact, or its whole ISU number; case does not count. */
  text?: string | undefined
  companyId?: string | undefined
  premisesCode?: string | undefined
  /** The name of a gateway; the empty text for machines of this database. */
  gateway?: string | undefined
  states?: readonly MachineState[] | undefined
  papers?: readonly Paper[] | undefined
  isuStatus?: IsuStatus | undefined
  /** One of its tags; case does not count. */
  tag?: string | undefined
  statuses?: readonly ActiveStatus[] | undefined
}

/** What machines are ordered by in a column. */
const COLUMNS = {
  name: ({ device }) => device.label,
  company: ({ company }) => company.name,
  health: ({ health }) => HEALTHS.indexOf(health.can),
  last_sale: ({ lastSaleAt }) => lastSaleAt ?? 0,
  revenue_today: ({ today }) => Number(today.cents),
  revenue_month: ({ month }) => Number(month.cents),
  waiting: ({ waiting }) => waiting,
  gateway: ({ gateway }) => gateway ?? '',
} satisfies Record<string, (machine: ListedMachine) => number | string>

export type MachineColumn = keyof typeof COLUMNS
export const MACHINE_COLUMNS = Object.keys(COLUMNS) as MachineColumn[]
type RanksOf = ReturnType<typeof createTextRanks>

export interface MachineOrder {
  by: MachineColumn
  direction: 'ascending' | 'descending'
}

/** By name: the order that all others begin with. */
export async function inOrderOfNames<M extends Machine>(machines: readonly M[], ranksOf: RanksOf): Promise<M[]> {
  const ranks = await ranksOf(machines.map(({ device }) => device.label))
  const byId = machines.toSorted((a, b) => (a.device.id < b.device.id ? -1 : 1))
  return sorted(byId, ({ device }) => ranks.get(device.label) ?? 0, 1)
}

/** Machines that are equal in a column stay in the order of their names. @param named in the order of their names */
export async function inOrder(
  named: readonly ListedMachine[],
  { by, direction }: MachineOrder,
  ranksOf: RanksOf,
): Promise<ListedMachine[]> {
  const descending = direction === 'descending'
  if (by === 'name') return descending ? named.toReversed() : [...named]
  const sortedBy: (machine: ListedMachine) => number | string = COLUMNS[by]
  const texts = new Set(named.map(sortedBy).filter((value) => typeof value === 'string'))
  const ranks = await ranksOf(texts)
  const rankOf = (machine: ListedMachine) => {
    const value = sortedBy(machine)
    return typeof value === 'string' ? (ranks.get(value) ?? 0) : value
  }
  return sorted(named, rankOf, descending ? -1 : 1)
}

/** Asks for the rank of each machine once. */
function sorted<M>(machines: readonly M[], rankOf: (machine: M) => number, sign: 1 | -1): M[] {
  const ranked = machines.map((machine) => ({ machine, rank: sign * rankOf(machine) }))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ machine }) => machine)
}

export function matches(machine: ListedMachine, filter: MachineFilter): boolean {
  const { device, company, gateway } = machine
  return (
    isWanted(filter.companyId, company.id) &&
    isWanted(filter.premisesCode, device.premisesCode) &&
    isWanted(filter.gateway, gateway ?? '') &&
    (filter.states?.includes(machineState(machine)) ?? true) &&
    (filter.papers?.includes(machine.paper) ?? true) &&
    isWanted(filter.isuStatus, device.isuStatus) &&
    (filter.tag === undefined || hasTag(machine, keyOf(filter.tag))) &&
    (filter.statuses?.includes(device.status) ?? true) &&
    (filter.text === undefined || speaksOf(machine, filter.text.toLocaleLowerCase('hr')))
  )
}

const isWanted = <T>(wanted: T | undefined, actual: T) => wanted === undefined || wanted === actual

const hasTag = ({ tags }: ListedMachine, key: string) => tags.some((tag) => keyOf(tag) === key)

function speaksOf({ device, note, contact }: Machine, text: string): boolean {
  const { label, premisesAddress, premisesCode, isuNumber } = device
  const fields = [label, premisesAddress, premisesCode, note, contact]
  return isuNumber === text || fields.some((field) => field?.toLocaleLowerCase('hr').includes(text))
}
