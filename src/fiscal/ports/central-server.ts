import type { EpochMs } from '../../domain/instant.ts'
import type { Premises } from './gateways.ts'
import type { JsonObject } from './model.ts'
import type { SyncRows } from './outbox.ts'
import type { SeenNumber } from './rows/numbering.ts'

export type SyncState =
  | 'connecting'
  | 'connected'
  /** The server does not answer; sales continue. */
  | 'unreachable'
  /** The server does not know this gateway, or its operator has revoked it. */
  | 'revoked'
  /** Two machines use this gateway's identity. */
  | 'duplicated'
  /** The server accepts another process of this gateway instead. */
  | 'replaced'
  /** The server has another version of the protocol. */
  | 'incompatible'
  /** The server cannot be contacted, because the vault key of the enrolment is missing. */
  | 'unreadable'

/** A value that several gateways use; all rows are kept. */
export interface SyncConflict {
  what: string
  value: string
  message: string
}

/** What this process knows of the server. */
export interface LinkState {
  name: SyncState
  /** Since when, as far as this process knows. */
  since: EpochMs
  lastError: { at: EpochMs; code: string; message: string } | null
  /** When it is tried again after a failure. */
  nextTryAt: EpochMs | null
  /** How far the server's clock is ahead of ours, about; null while nobody knows. */
  clockAheadMs: number | null
  conflicts: readonly SyncConflict[]
  /** The server has answered this process since it started, and since a user last asked for a push at once. */
  heard: boolean
}

export interface EnrolOrder {
  /** `https://host:port` of the server. */
  url: string
  token: string
  /** CA certificates to believe, PEM; null for the one that the token names. */
  caPem: string | null
  tenantId: string
}

/** What the server last knew of the machine that had this gateway's identity before. */
export interface Predecessor {
  /** When the server last heard from it; null for never. */
  lastSeenAt: EpochMs | null
  /** When its database, or since then the server's own, was last restored from a backup; null for never. */
  restoredAt: EpochMs | null
  printers: { deviceId: string; line: string; profile: string; settings: JsonObject; expireAfterS: number }[]
}

/** What the server has of a gateway, for the machine that replaces it. */
export interface KnownIdentity {
  companies: SyncRows['company'][]
  devices: SyncRows['device'][]
  /** The certificates that the companies signed with; their keys are at no server. */
  certificates: { companyId: string; subjectCn: string; issuer: string; serial: string; notAfter: EpochMs }[]
  /** How many of its invoices can still get a JIR. */
  withoutJir: number
  /** Premises of its devices that another one sells at now, and the reason for people. */
  taken: (Premises & { message: string })[]
  /** The highest numbers at its premises, signed by the server. */
  numbers: readonly SeenNumber[]
}

export interface CentralServer {
  state(): LinkState
  /** Begins to tell at once, also what was refused. */
  tellNow(): Promise<void>
  /** Runs the work while nothing is told; afterwards the enrolment is another one, unless the work has failed. */
  apart<T>(work: () => Promise<T>): Promise<T>
  /** Exchanges the token for an enrolment; when that fails the old one stays. @throws FiskError that says what to do */
  enrol(order: EnrolOrder): Promise<void>
  /** What this gateway was before, from the server. @throws FiskError that says what to do */
  identity(): Promise<KnownIdentity>
  /** Tells where sequences go on: successors give out none of these numbers. @throws FiskError that says what to do */
  skip(numbers: readonly SeenNumber[]): Promise<void>
  /** What the server knew at the enrolment of the machine before; null when it said nothing. */
  predecessor(): Promise<Predecessor | null>
  /** Tells the server that this gateway leaves. @returns whether the server knows */
  tellLeaving(): Promise<boolean>
}
