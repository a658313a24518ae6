import { formatInstant } from '../../domain/instant.ts'
import type { GatewayStatus } from '../../fiscal/status.ts'
import { fiscalHealthView } from '../routes/health.ts'
import { moment } from '../views/moment.ts'

/** What the running program knows of itself. */
export interface ProgramFacts {
  version: string
  role: string
  startedAt: number
  now(): number
}

export function statusView(status: GatewayStatus, facts: ProgramFacts) {
  const { problems, companies, devices, queue } = status
  return {
    can_sell: status.canSell,
    problems,
    version: facts.version,
    role: facts.role,
    uptime_s: Math.floor((facts.now() - facts.startedAt) / 1000),
    checked_at: formatInstant(facts.now()),
    companies: companies.map(({ company, certificate }) => ({
      name: company.name,
      oib: company.oib,
      mode: company.mode,
      status: company.status,
      certificate_status: certificate.status,
      certificate_days_left: certificate.daysLeft,
    })),
    devices: { total: devices.total, without_isu: devices.withoutIsu },
    queue: {
      pending: queue.pending,
      retrying: queue.retrying,
      failed: queue.failed,
      expired: queue.expired,
      oldest_at: moment(status.oldestAt),
      next_deadline_at: moment(queue.nextDeadlineAt),
    },
    last_jir_at: moment(status.lastJirAt),
    cis: fiscalHealthView(status.cis),
  }
}
