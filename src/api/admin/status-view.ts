import { formatInstant } from '../../domain/instant.ts'
import type { ClockState } from '../../fiscal/clock-state.ts'
import type { GatewayStatus } from '../../fiscal/status.ts'
import { fiscalHealthView } from '../routes/health.ts'
import { moment } from '../views/moment.ts'
import { queueView } from './queue-routes.ts'

/** What the running program knows of itself. */
export interface ProgramFacts {
  version: string
  role: string
  /** Milliseconds since its start, whatever was done to the clock. */
  uptimeMs(): number
  now(): number
}

export function statusView(status: GatewayStatus, facts: ProgramFacts) {
  const { problems, companies, devices, queue } = status
  return {
    can_sell: status.canSell,
    problems,
    version: facts.version,
    role: facts.role,
    uptime_s: Math.floor(facts.uptimeMs() / 1000),
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
      ...queueView(queue),
      oldest_at: moment(status.oldestAt),
    },
    last_jir_at: moment(status.lastJirAt),
    cis: fiscalHealthView(status.cis),
    clock: clockView(status.clock),
  }
}

function clockView({ status, trusted, synchronised, offsetMs, newestKnownAt, detail }: ClockState) {
  return {
    status,
    trusted,
    synchronised,
    offset_ms: offsetMs,
    newest_known_at: moment(newestKnownAt),
    detail,
  }
}
