import type { EpochMs } from '../../domain/instant.ts'
import type { LinkState, SyncState } from '../ports/central-server.ts'
import type { Backlog } from './sync-backlog.ts'

export interface SyncStatus extends Omit<LinkState, 'name'>, Backlog {
  state: SyncState
  server: string
  serverId: string | null
  serverProgram: string | null
  gatewayId: string
  gateway: string | null
  tenantId: string
  /** Tenants with companies here; their rows are not sent to the server. */
  otherTenants: string[]
  enrolledAt: EpochMs
  doubtful: number
  lastPushAt: EpochMs | null
  /** Whether all rows will be sent again, because the server has a different history. */
  tellsAgain: boolean
  maxKbps: number | null
}

export interface NewEnrolment {
  /** Null for the configured address. */
  url: string | null
  token: string
  /** Trusted CA certificates, PEM; null for the one in the token. */
  caPem: string | null
}
