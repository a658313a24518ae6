import { formatInstant } from '../../domain/instant.ts'
import type { GatewayStatus } from '../../fiscal/doctor/status.ts'
import type { Heartbeat } from '../../fiscal/ports/gateways.ts'
import type { DiskRoom } from '../../fiscal/sales/disk-space.ts'

/** What is told of the program itself, and of what waits for the server. */
export interface HeartbeatFacts {
  version: string
  uptimeMs: number
  now: number
  outbox: Heartbeat['outbox']
}

/** The server takes no more of them. */
const MOST = 100

/** What the central server is to know of this gateway. */
export function heartbeatOf(status: GatewayStatus, { version, uptimeMs, now, outbox }: HeartbeatFacts): Heartbeat {
  const { queue, clock, disk } = status
  const moment = (at: number | null) => (at === null ? null : formatInstant(at))
  return {
    version,
    uptime_s: Math.max(0, Math.floor(uptimeMs / 1000)),
    can_sell: status.canSell,
    problems: status.problems.slice(0, MOST).map(({ subject, problem }) => ({
      code: textOf(subject, 200),
      message: textOf(problem, 2000),
    })),
    queue: {
      ...{ pending: queue.pending, retrying: queue.retrying, failed: queue.failed, expired: queue.expired },
      oldest_at: moment(status.oldestAt),
    },
    outbox,
    printers: status.printers.slice(0, MOST).map(({ device, condition }) => ({
      ...{ device_id: device.id, state: condition.state },
      detail: condition.detail === null ? null : textOf(condition.detail, 2000),
    })),
    clock: {
      ...{ status: clock.status, trusted: clock.trusted, offset_ms: clock.offsetMs },
      now: formatInstant(now),
    },
    disk: { free_bytes: disk.freeBytes, left_out: LEFT_OUT[disk.room] },
    last_jir_at: moment(status.lastJirAt),
  }
}

const LEFT_OUT: Record<DiskRoom, string[]> = {
  everything: [],
  no_diagnostics: ['logs'],
  no_archive: ['logs', 'messages'],
  no_sales: ['logs', 'messages', 'sales'],
}

/** What every database can keep: no NUL, no half of a surrogate pair. */
function textOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\0\p{Surrogate}]/gu, '?')
}
