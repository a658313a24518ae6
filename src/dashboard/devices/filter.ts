import { MACHINE_STATES, NOT_EARNING, PAPERS } from '../../fiscal/machines/machine.ts'
import type { MachineFilter } from '../../fiscal/machines/machine-list.ts'
import { ACTIVE_STATUSES, ISU_STATUSES } from '../../fiscal/ports/model.ts'

/** Of a gateway: machines of this database; of a town: those whose address names none. Nothing has this name. */
export const NONE = '-'

const orNone = (value: string | undefined) => (value === NONE ? '' : value || undefined)

export const oneOf = <T extends string>(values: readonly T[], text: string | undefined) =>
  values.find((value) => value === text)

/** All states of machines that earn nothing. */
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
