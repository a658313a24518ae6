import { MACHINE_STATES, type MachineState, NOT_EARNING, PAPERS } from '../../fiscal/machines/machine.ts'
import type { MachineFilter } from '../../fiscal/machines/machine-list.ts'
import type { Month } from '../../fiscal/machines/machine-sales.ts'
import { ACTIVE_STATUSES, ISU_STATUSES } from '../../fiscal/ports/model.ts'
import { addressOf } from '../addresses.ts'

export const MACHINES = '/dashboard/devices'

export const machinesIn = (state: MachineState | 'not-earning') => addressOf(MACHINES, { state })
export const WITHOUT_PAPER = addressOf(MACHINES, { paper: 'out' })

/** The machines in the order of their revenue in a month, the highest first. */
export const revenueByMachine = (month: Month) =>
  addressOf(MACHINES, { month: monthText(month), sort: '-revenue_month' })

/** `2026-10` */
export const monthText = ({ year, month }: Month) => `${year}-${String(month).padStart(2, '0')}`

export function readMonth(text = ''): Month | undefined {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year === undefined ? undefined : { year: Number(year), month: Number(month) }
}

/** Of a gateway: machines of this database; of a town: those whose address names none. Nothing has this name. */
export const NONE = '-'

const orNone = (value: string | undefined) => (value === NONE ? '' : value || undefined)

export const oneOf = <T extends string>(values: readonly T[], text: string | undefined) =>
  values.find((value) => value === text)

export const NOT_EARNING_VIEW = 'not-earning'

function oneIn<T extends string>(values: readonly T[], text: string | undefined) {
  const found = oneOf(values, text)
  return found && [found]
}

/** What the address of the list narrows it down to. Archived machines are shown when they are asked for. */
export function readFilter(query: Record<string, string>): MachineFilter {
  const status = oneOf(ACTIVE_STATUSES, query.status)
  return {
    text: query.q?.trim() || undefined,
    companyId: query.company || undefined,
    premisesCode: query.premises || undefined,
    town: orNone(query.town),
    gateway: orNone(query.gateway),
    states: query.state === NOT_EARNING_VIEW ? NOT_EARNING : oneIn(MACHINE_STATES, query.state),
    papers: oneIn(PAPERS, query.paper),
    tag: query.tag?.trim() || undefined,
    isuStatus: oneOf(ISU_STATUSES, query.isu),
    statuses: status ? [status] : query.status === 'all' ? undefined : ['active', 'suspended'],
  }
}
