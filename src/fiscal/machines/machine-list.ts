import { setImmediate } from 'node:timers/promises'
import { townOf } from '../../domain/premises/town.ts'
import { slices } from '../../domain/slices.ts'
import type { ActiveStatus, IsuStatus } from '../ports/model.ts'
import { HEALTHS, type ListedMachine, type Machine, type MachineState, machineState, type Paper } from './machine.ts'
import { keyOf } from './tags.ts'

/** Filters combine with AND; undefined fields do not filter. */
export interface MachineFilter {
  /** A part of its name, address, premises code, note or contact, or its whole ISU number; case does not count. */
  text?: string | undefined
  companyId?: string | undefined
  /** Of its address; the empty text for machines whose address names none. */
  town?: string | undefined
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

/** The values of a machine in the fields that a filter offers to choose from. */
const VALUES = {
  companyId: ({ company }) => [company.id],
  town: ({ device }) => [townOf(device.premisesAddress)],
  gateway: ({ gateway }) => [gateway ?? ''],
  states: (machine) => [machineState(machine)],
  papers: ({ paper }) => [paper],
  isuStatus: ({ device }) => [device.isuStatus],
  tag: ({ tags }) => tags.map(keyOf),
  statuses: ({ device }) => [device.status],
} satisfies Partial<Record<keyof MachineFilter, (machine: ListedMachine) => readonly string[]>>

type Choice = keyof typeof VALUES
const CHOICES = Object.keys(VALUES) as Choice[]

/** By field and value, how many machines there would be with that value instead of the one that is wanted now. */
export type MachineChoices = Record<Choice, ReadonlyMap<string, number>>

/** Thousands of machines are asked, so the fields that narrow nothing are left out once. */
const narrowing = (filter: MachineFilter) => CHOICES.filter((field) => filter[field] !== undefined)

export function matching(machines: readonly ListedMachine[], filter: MachineFilter): ListedMachine[] {
  const fields = narrowing(filter)
  const isWanted = (machine: ListedMachine) => fields.every((field) => isChosen(machine, field, filter[field]))
  return machines.filter((machine) => isFound(machine, filter) && isWanted(machine))
}

/** The same, and what there is to choose from. */
export function chosen(machines: readonly ListedMachine[], filter: MachineFilter) {
  const counts = Object.fromEntries(CHOICES.map((field) => [field, new Map()])) as Record<Choice, Map<string, number>>
  const fields = narrowing(filter)
  const found = machines.filter((machine) => {
    if (!isFound(machine, filter)) return false
    const others = fields.filter((field) => !isChosen(machine, field, filter[field]))
    // A machine counts where no other field leaves it out.
    for (const field of others.length === 0 ? CHOICES : others.length === 1 ? others : [])
      for (const value of VALUES[field](machine)) counts[field].set(value, (counts[field].get(value) ?? 0) + 1)
    return others.length === 0
  })
  return { found, choices: counts satisfies MachineChoices }
}

function isChosen(machine: ListedMachine, field: Choice, wanted: MachineFilter[Choice]): boolean {
  if (wanted === undefined) return true
  const values: readonly string[] = VALUES[field](machine)
  if (typeof wanted !== 'string') return wanted.some((one) => values.includes(one))
  return values.includes(field === 'tag' ? keyOf(wanted) : wanted)
}

const isFound = (machine: ListedMachine, { text, premisesCode }: MachineFilter) =>
  (premisesCode === undefined || premisesCode === machine.device.premisesCode) &&
  (text === undefined || speaksOf(machine, text.toLocaleLowerCase('hr')))

function speaksOf({ device, note, contact }: Machine, text: string): boolean {
  const { label, premisesAddress, premisesCode, isuNumber } = device
  const fields = [label, premisesAddress, premisesCode, note, contact]
  return isuNumber === text || fields.some((field) => field?.toLocaleLowerCase('hr').includes(text))
}

/** By text, its rank among all. */
export type Ranks = ReadonlyMap<string, number>

const collator = new Intl.Collator('hr', { numeric: true })
/** Texts that are sorted at once: comparing takes a microsecond, and a sale in between waits. */
const SLICE = 500

/**
 * Croatian order; numbers within texts count as numbers. Comparing the names of thousands of machines costs more than
 * reading them, so what was ordered before is kept, and only new texts look for their rank in it.
 */
export function createTextRanks(): (texts: Iterable<string>) => Promise<Ranks> {
  let known: Ranks = new Map()
  return async (texts) => {
    const wanted = new Set(texts)
    const before = known
    const added = [...wanted].filter((text) => !before.has(text))
    if (added.length === 0) return before
    // Texts that are not used any more are kept as long as they are few.
    let sorted = [...before.keys()].filter((text) => before.size < 2 * wanted.size || wanted.has(text))
    for (const some of slices(added, SLICE)) {
      await setImmediate()
      sorted = merged(sorted, some.sort(collator.compare))
    }
    const ranks = new Map(sorted.map((text, rank) => [text, rank]))
    known = ranks
    return ranks
  }
}

function merged(sorted: string[], more: string[]): string[] {
  const all: string[] = []
  let next = 0
  for (const text of more) {
    const at = rankOf(text, sorted, next)
    for (; next < at; next++) all.push(sorted[next] as string)
    all.push(text)
  }
  for (; next < sorted.length; next++) all.push(sorted[next] as string)
  return all
}

/** How many of the sorted texts stand before a text; @param from so many do in any case */
function rankOf(text: string, sorted: readonly string[], from: number): number {
  let [low, high] = [from, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (collator.compare(sorted[middle] as string, text) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
