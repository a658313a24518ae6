import type { EpochMs } from '../../domain/instant.ts'
import type { Principal } from '../access/principal.ts'
import type { DoubtfulNumber } from '../numbering/doubtful-numbers.ts'
import type { Refusal } from '../ports/enrolment.ts'
import type { Sequence } from '../ports/model.ts'

/** How a gateway is with its central server. */
export const SYNC_STATES = [
  'connecting',
  'connected',
  /** It does not answer; sales go on. */
  'unreachable',
  /** It does not know this gateway, or its operator has revoked it. */
  'revoked',
  /** Two machines say that they are this gateway. */
  'duplicated',
  /** It hears another process of this gateway. */
  'replaced',
  /** It speaks another version of the protocol. */
  'incompatible',
  /** It cannot be asked: the vault key that the enrolment was sealed with is gone. */
  'unreadable',
] as const

/** What the server has found in several gateways; all rows are kept. */
export interface SyncConflict {
  what: string
  value: string
  message: string
}

export interface SyncStatus {
  state: (typeof SYNC_STATES)[number]
  /** Since when, as far as this process knows. */
  since: EpochMs
  /** The address of the server. */
  server: string
  serverId: string | null
  serverProgram: string | null
  gatewayId: string
  gateway: string | null
  tenantId: string
  /** Tenants that have companies here, of which the server is told nothing. */
  otherTenants: string[]
  enrolledAt: EpochMs
  /** Rows that the server has not been told of; where they are many, as of some seconds ago. */
  waiting: number
  refused: number
  /** Numbers that the server has told and that are not believed. */
  doubtful: number
  /** The server has answered this process since it started, and since somebody last wanted it told at once. */
  heard: boolean
  lastPushAt: EpochMs | null
  lastError: { at: EpochMs; code: string; message: string } | null
  /** When it is tried again after a failure. */
  nextTryAt: EpochMs | null
  /** Everything is about to be told again, for the server knows another history. */
  tellsAgain: boolean
  maxKbps: number | null
  /** How far the server's clock is ahead of ours, about; null while nobody knows. */
  clockAheadMs: number | null
  conflicts: readonly SyncConflict[]
}

export interface NewEnrolment {
  /** Null for the configured address. */
  url: string | null
  token: string
  /** CA certificates to believe, PEM; null for the one that the token names. */
  caPem: string | null
}

/** What a technician does about the central server of a gateway. */
export interface SyncAdmin {
  /** Null while it is not enrolled. */
  status(): Promise<SyncStatus | null>
  /** What the server has refused, the latest first. */
  refusals(limit: number): Promise<Refusal[]>
  /** What the server has told of numbers and is not believed, with what is known here. */
  doubtfulNumbers(): Promise<DoubtfulNumber[]>
  /** Believes them. @throws FiskError 409 when one is told no more, or would leave no numbers to sell with */
  confirmNumbers(principal: Principal, numbers: readonly (Sequence & { highest: string })[]): Promise<SyncStatus>
  /** @throws FiskError when the server refuses or cannot be reached, and while this gateway is enrolled already */
  enroll(principal: Principal, enrolment: NewEnrolment): Promise<SyncStatus>
  /** Begins to tell at once, also what was refused. @throws FiskError 409 when it is not enrolled */
  now(principal: Principal): Promise<SyncStatus>
  /** Forgets the enrolment and keeps every row. @returns whether the server knows @throws FiskError 409 when there is none */
  leave(principal: Principal): Promise<{ told: boolean; server: string }>
}
