import type { RefusalView } from '../../contract/admin/refusal.ts'
import type { DoubtfulNumberView, EnrolledView, SyncSummaryView } from '../../contract/admin/sync.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { SyncStatus } from '../../fiscal/gateways/sync-status.ts'
import type { DoubtfulNumber } from '../../fiscal/numbering/doubtful-numbers.ts'
import type { Refusal } from '../../fiscal/ports/enrolment.ts'
import { moment } from '../views/moment.ts'

/** Of `fisk status`. */
export const syncSummary = (status: SyncStatus): SyncSummaryView => ({
  state: status.state,
  server: status.server,
  waiting: status.waiting,
  refused: status.refused,
  doubtful: status.doubtful,
  last_push_at: moment(status.lastPushAt),
  last_error: status.lastError && { ...status.lastError, at: formatInstant(status.lastError.at) },
})

export const enrolledView = (status: SyncStatus): EnrolledView => ({
  ...syncSummary(status),
  since: formatInstant(status.since),
  server_id: status.serverId,
  server_program: status.serverProgram,
  gateway: { id: status.gatewayId, name: status.gateway },
  tenant: status.tenantId,
  other_tenants: status.otherTenants,
  enrolled_at: formatInstant(status.enrolledAt),
  next_try_at: moment(status.nextTryAt),
  tells_again: status.tellsAgain,
  heard: status.heard,
  max_kbps: status.maxKbps,
  conflicts: [...status.conflicts],
})

export const doubtfulView = ({
  companyId,
  premisesCode,
  level: _level,
  ...rest
}: DoubtfulNumber): DoubtfulNumberView => ({
  company_id: companyId,
  premises_code: premisesCode,
  ...rest,
})

export const refusalView = ({ kind, id, version, code, message, refusedAt }: Refusal): RefusalView => ({
  kind,
  id,
  version,
  code,
  message,
  refused_at: formatInstant(refusedAt),
})
