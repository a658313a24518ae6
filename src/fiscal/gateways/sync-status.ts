import type { EpochMs } from '../../domain/instant.ts'
import type { EnrolOrder, LinkState, SyncState } from '../ports/central-server.ts'
import type { Enrolment } from '../ports/enrolment.ts'
import type { StoreTransaction } from '../ports/store.ts'

type FromEnrolment = Pick<Enrolment, 'serverId' | 'serverProgram' | 'gatewayId' | 'tenantId' | 'enrolledAt'>

export interface SyncStatus extends Omit<LinkState, 'name'>, Backlog, FromEnrolment {
  state: SyncState
  server: string
  gateway: string | null
  /** Tenants with companies here; their rows are not sent to the server. */
  otherTenants: string[]
  doubtful: number
  lastPushAt: EpochMs | null
  /** Whether all rows will be sent again, because the server has a different history. */
  tellsAgain: boolean
  maxKbps: number | null
}

/** Without a URL at the configured address. */
export type NewEnrolment = Pick<EnrolOrder, 'token' | 'caPem'> & { url: string | null }

export interface Backlog {
  /** Rows that the server does not have, with those that are set aside; a large number may be some seconds old. */
  waiting: number
  /** Rows that are set aside: the server has refused them, or has failed at them. */
  refused: number
}

/** @param position the server has everything up to here */
export type CountBacklog = (position: number) => Promise<Backlog>

/** Fewer are counted in about a millisecond. */
const MANY = 5000
const REMEMBERED_MS = 10_000

/**
 * Counts what waits for the server, behind the position up to which it has everything. Heartbeats, scrapes and people ask
 * often, so a large number is counted once in ten seconds; a small one is always exact: where it says that nothing
 * waits, nothing does.
 */
export function createBacklog(
  { outbox, enrolment }: Pick<StoreTransaction, 'outbox' | 'enrolment'>,
  elapsed: () => number,
): CountBacklog {
  const waiting = remembered(outbox.waiting, elapsed)
  const refused = remembered(() => enrolment.refusals.count(), elapsed)
  return async (position) => {
    const [behind, aside] = [await waiting(position), await refused(position)]
    return { waiting: behind + aside, refused: aside }
  }
}

function remembered(count: (position: number) => Promise<number>, elapsed: () => number) {
  let large: { found: Promise<number>; until: number } | undefined
  let last = 0
  return async (position: number): Promise<number> => {
    if (large && elapsed() < large.until) return large.found
    const found = count(position)
    // While many are counted, nobody begins to count them once more.
    large = last >= MANY ? { found, until: Number.POSITIVE_INFINITY } : undefined
    try {
      last = await found
      large = last >= MANY ? { found, until: elapsed() + REMEMBERED_MS } : undefined
      return last
    } catch (error) {
      large = undefined
      throw error
    }
  }
}
