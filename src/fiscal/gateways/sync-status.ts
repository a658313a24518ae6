import type { EpochMs } from '../../domain/instant.ts'
import type { Principal } from '../access/principal.ts'
import type { DoubtfulNumber } from '../numbering/doubtful-numbers.ts'
import type { SyncConflict, SyncState } from '../ports/central-server.ts'
import type { Refusal } from '../ports/enrolment.ts'
import type { Sequence } from '../ports/model.ts'
import type { Replacement } from './replacement.ts'

export interface SyncStatus {
  state: SyncState
  /** Since when, as far as this process knows. */
  since: EpochMs
  /** The address of the server. */
  server: string
  serverId: string | null
  serverProgram: string | null
  gatewayId: string
  gateway: string | null
  tenantId: string
  /** Tenants with companies here; their rows are not sent to the server. */
  otherTenants: string[]
  enrolledAt: EpochMs
  /** Rows that the server does not have yet; a large number may be some seconds old. */
  waiting: number
  refused: number
  /** Doubtful numbers from the server. */
  doubtful: number
  /** Whether the server has answered since this process started, and since the last `now`. */
  heard: boolean
  lastPushAt: EpochMs | null
  lastError: { at: EpochMs; code: string; message: string } | null
  /** The next attempt after a failure. */
  nextTryAt: EpochMs | null
  /** Whether all rows will be sent again, because the server has a different history. */
  tellsAgain: boolean
  maxKbps: number | null
  /** About how far the server's clock is ahead of ours; null while unknown. */
  clockAheadMs: number | null
  conflicts: readonly SyncConflict[]
}

export interface NewEnrolment {
  /** Null for the configured address. */
  url: string | null
  token: string
  /** Trusted CA certificates, PEM; null for the one in the token. */
  caPem: string | null
}

/** The technician's actions for the central server of a gateway. */
export interface SyncAdmin {
  /** Makes this machine the gateway that another machine was. */
  replacement: Replacement
  /** Null while it is not enrolled. */
  status(): Promise<SyncStatus | null>
  /** The rows that the server has refused, the latest first. */
  refusals(limit: number): Promise<Refusal[]>
  /** The doubtful numbers from the server, with the numbers known here. */
  doubtfulNumbers(): Promise<DoubtfulNumber[]>
  /**
   * Accepts doubtful numbers.
   * @throws FiskError 409 when the server no longer sends a number, or it would leave none to sell with
   */
  confirmNumbers(principal: Principal, numbers: readonly (Sequence & { highest: string })[]): Promise<SyncStatus>
  /** @throws FiskError when the server refuses or is not reachable, and when this gateway is already enrolled */
  enroll(principal: Principal, enrolment: NewEnrolment): Promise<SyncStatus>
  /** Sends changes at once, including refused rows. @throws FiskError 409 when it is not enrolled */
  now(principal: Principal): Promise<SyncStatus>
  /**
   * Removes the enrolment and keeps every row.
   * @returns whether the server was informed
   * @throws FiskError 409 when there is none
   */
  leave(principal: Principal): Promise<{ told: boolean; server: string }>
}
