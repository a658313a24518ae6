import type { ActiveStatus, IsuStatus } from '../ports/model.ts'
import { HEALTHS, type ListedMachine, type Machine, type MachineHealth, PAPERS } from './machine.ts'

/** Filters combine with AND; undefined fields do not filter. */
export interface MachineFilter {
  /** A part of its name, address or premises code, or its whole ISU number; case does not count. */
  text?: string | undefined
  companyId?: string | undefined
  premisesCode?: string | undefined
  /** The name of a gateway; the empty text for machines of this database. */
  gateway?: string | undefined
  health?: MachineHealth['can'] | undefined
  isuStatus?: IsuStatus | undefined
  /** Whether it has sold anything today. */
  soldToday?: boolean | undefined
  statuses?: readonly ActiveStatus[] | undefined
}

/** How two machines compare in a column; equal ones stay in the order of their names. */
const COLUMNS = {
  name: () => 0,
  company: (a, b) => byText(a.company.name, b.company.name),
  premises: (a, b) => byText(a.device.premisesCode, b.device.premisesCode),
  health: (a, b) => HEALTHS.indexOf(a.health.can) - HEALTHS.indexOf(b.health.can),
  isu: (a, b) => byText(a.device.isuNumber ?? '', b.device.isuNumber ?? ''),
  last_sale: (a, b) => (a.lastSaleAt ?? 0) - (b.lastSaleAt ?? 0),
  sales_today: (a, b) => a.today.sales - b.today.sales,
  revenue_today: (a, b) => Number(a.today.cents - b.today.cents),
  sales_month: (a, b) => a.month.sales - b.month.sales,
  revenue_month: (a, b) => Number(a.month.cents - b.month.cents),
  waiting: (a, b) => a.waiting - b.waiting,
  paper: (a, b) => PAPERS.indexOf(a.paper) - PAPERS.indexOf(b.paper),
  gateway: (a, b) => byText(a.gateway ?? '', b.gateway ?? ''),
  version: (a, b) => byText(a.version ?? '', b.version ?? ''),
} satisfies Record<string, (a: ListedMachine, b: ListedMachine) => number>

export type MachineColumn = keyof typeof COLUMNS
export const MACHINE_COLUMNS = Object.keys(COLUMNS) as MachineColumn[]

export interface MachineOrder {
  by: MachineColumn
  direction: 'ascending' | 'descending'
}

const collator = new Intl.Collator('hr', { numeric: true })
const byText = (one: string, other: string) => (one === other ? 0 : collator.compare(one, other))

/** By name: the order that all others begin with. */
export function inOrderOfNames<M extends Machine>(machines: readonly M[]): M[] {
  return machines.toSorted((a, b) => byText(a.device.label, b.device.label) || (a.device.id < b.device.id ? -1 : 1))
}

/** @param named in the order of their names */
export function inOrder(named: readonly ListedMachine[], { by, direction }: MachineOrder): ListedMachine[] {
  const descending = direction === 'descending'
  if (by === 'name') return descending ? named.toReversed() : [...named]
  const compare = COLUMNS[by]
  return named.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)))
}

export function matches(machine: ListedMachine, filter: MachineFilter): boolean {
  const { device, company, gateway, health } = machine
  return (
    isWanted(filter.companyId, company.id) &&
    isWanted(filter.premisesCode, device.premisesCode) &&
    isWanted(filter.gateway, gateway ?? '') &&
    isWanted(filter.health, health.can) &&
    isWanted(filter.isuStatus, device.isuStatus) &&
    isWanted(filter.soldToday, machine.today.sales > 0) &&
    (filter.statuses?.includes(device.status) ?? true) &&
    (filter.text === undefined || speaksOf(machine, filter.text.toLocaleLowerCase('hr')))
  )
}

const isWanted = <T>(wanted: T | undefined, actual: T) => wanted === undefined || wanted === actual

function speaksOf({ device: { label, premisesAddress, premisesCode, isuNumber } }: Machine, text: string): boolean {
  const contains = (field: string | null) => field?.toLocaleLowerCase('hr').includes(text) ?? false
  return contains(label) || contains(premisesAddress) || contains(premisesCode) || isuNumber === text
}
