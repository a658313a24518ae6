import type { EpochMs } from '../../domain/instant.ts'
import type { SyncPlace } from './outbox.ts'
import type { KeptNumber } from './seen-numbers.ts'

/** Where and as whom a gateway tells. Secrets are sealed by the vault. */
export interface Enrolment {
  tenantId: string
  url: string
  /** The CA that the server's certificate must lead to, PEM; null for those that the system trusts. */
  caPem: string | null
  sealedCredential: Buffer
  /** The gateway's X25519 key, PKCS#8 DER. */
  sealedKey: Buffer
  gatewayId: string
  name: string | null
  serverId: string | null
  /** The Ed25519 key that commands are signed with, SPKI DER as base64url. */
  serverKey: string | null
  /** The server has everything up to this place of the outbox. */
  position: number
  /** What the server may have heard of ends here: if it knows more, this database is older than what it was told. */
  pushed: number
  /** Rows up to this place are to be put behind it before anything is told: the server knows others by these places. */
  tellAgainTo: number | null
  /** When the server last took something. */
  toldAt: EpochMs | null
  /** The version of the server's program when it last said hello. */
  serverProgram: string | null
  /** Numbers that the server has told and that are not learned: of companies that are not here yet, or doubtful ones. */
  numbers: readonly KeptNumber[]
  /** The number of the last command that was taken up or refused. */
  lastCommand: number
  enrolledAt: EpochMs
}

/** The code of a refused invoice whose number is far above all that is known there (`isWithinReach`). */
export const OUT_OF_REACH = 'out_of_reach'

/**
 * The code that takes its place when an operator has accepted the invoice: it is stored when its gateway tells of it
 * again, and counting goes on from where it is, or from the number.
 */
export const ACCEPTED = { aside: 'accepted', counted: 'accepted_to_follow' } as const

export type Acceptance = keyof typeof ACCEPTED

export interface Refusal extends SyncPlace {
  version: number
  code: string
  message: string
  refusedAt: EpochMs
}

export interface Enrolments {
  get(): Promise<Enrolment | undefined>
  put(enrolment: Enrolment): Promise<void>
  update(changes: Partial<Enrolment>): Promise<void>
  remove(): Promise<void>
  /** What the server has refused: no more than there are rows. */
  refusals: {
    /** The newest word on each row counts. */
    put(refusals: readonly Refusal[]): Promise<void>
    /** What was refused of these rows has been taken since. */
    remove(places: readonly SyncPlace[]): Promise<void>
    /** The latest first. */
    list(limit: number): Promise<Refusal[]>
    /** Those behind a place, in the order of their kinds and ids. */
    page(after: SyncPlace | null, limit: number): Promise<Refusal[]>
    /** About: they are counted in slices, and others go on meanwhile. */
    count(): Promise<number>
  }
}
