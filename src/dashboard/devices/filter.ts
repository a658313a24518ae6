import { HEALTHS } from '../../fiscal/machines/machine.ts'
import type { MachineFilter } from '../../fiscal/machines/machine-list.ts'
import { ACTIVE_STATUSES, ISU_STATUSES } from '../../fiscal/ports/model.ts'

/** What the filter of gateways says for machines of this database; no gateway has this name. */
export const NO_GATEWAY = '-'

export const oneOf = <T extends string>(values: readonly T[], text: string | undefined) =>
  values.find((value) => value === text)

/** What the address of the list narrows it down to. Archived machines are shown when they are asked for. */
export function readFilter(query: Record<string, string>): MachineFilter {
  const status = oneOf(ACTIVE_STATUSES, query.status)
  return {
    text: query.q?.trim() || undefined,
    companyId: query.company || undefined,
    premisesCode: query.premises || undefined,
    gateway: query.gateway === NO_GATEWAY ? '' : query.gateway || undefined,
    health: oneOf(HEALTHS, query.health),
    soldToday: query.sold === 'none' ? false : query.sold === 'some' ? true : undefined,
    tag: query.tag?.trim() || undefined,
    isSilent: query.sold === 'silent' || undefined,
    isuStatus: oneOf(ISU_STATUSES, query.isu),
    statuses: status ? [status] : query.status === 'all' ? undefined : ['active', 'suspended'],
  }
}
