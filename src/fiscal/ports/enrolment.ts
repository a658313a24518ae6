import type { EpochMs } from '../../domain/instant.ts'
import type { RowKey } from './outbox.ts'
import type { KeptNumber } from './rows/numbering.ts'

/** The central server of this gateway, and the gateway's identity there. The vault seals the secrets. */
export interface Enrolment {
  tenantId: string
  url: string
  /** The CA of the server's certificate, PEM; null for the CAs that the system trusts. */
  caPem: string | null
  sealedCredential: Buffer
  /** The gateway's X25519 key, PKCS#8 DER. */
  sealedKey: Buffer
  /** What makes links to receipts (`ToldLinks` as JSON); null where the server shows none. */
  sealedLinks: Buffer | null
  gatewayId: string
  name: string | null
  serverId: string | null
  /** The Ed25519 key that signs commands, SPKI DER as base64url. */
  serverKey: string | null
  /** The server has every change up to this outbox position. */
  position: number
  /** The highest outbox position that may have been sent; if the server knows a higher one, this is an old copy. */
  pushed: number
  /** Rows up to it get new positions behind it before the next push: the server knows other rows by these positions. */
  tellAgainTo: number | null
  /** When the server last accepted a batch. */
  toldAt: EpochMs | null
  /** The server's program version from the last handshake. */
  serverProgram: string | null
  /** Numbers from the server that are not used yet: their company is missing here, or they are in doubt. */
  numbers: readonly KeptNumber[]
  /** The number of the last command that was accepted or refused. */
  lastCommand: number
  enrolledAt: EpochMs
}

/** The code of a refused invoice whose number is far above every known number of its sequence (`isWithinReach`). */
export const OUT_OF_REACH = 'out_of_reach'

/**
 * The codes that replace `OUT_OF_REACH` when an operator has accepted the invoice. It is stored when its gateway sends
 * it again. With `accepted` the counting continues from its current number, with `accepted_to_follow` from the number
 * of the invoice.
 */
export const ACCEPTED = { aside: 'accepted', counted: 'accepted_to_follow' } as const

export type Acceptance = keyof typeof ACCEPTED

export interface Refusal extends RowKey {
  version: number
  code: string
  message: string
  refusedAt: EpochMs
}

/** A record that the server has not taken from this gateway. */
export interface SetAside extends Refusal {
  /** When it was first set aside; `refusedAt` is when it was last. */
  since: EpochMs
}

export interface Enrolments {
  get(): Promise<Enrolment | undefined>
  put(enrolment: Enrolment): Promise<void>
  update(changes: Partial<Enrolment>): Promise<void>
  remove(): Promise<void>
  /** Rows that the server has refused, or has failed at, at most one entry per row. */
  refusals: {
    /** Replaces earlier refusals of the same rows; their first time stays. */
    put(refusals: readonly Refusal[]): Promise<void>
    /** Removes refusals of rows that the server has accepted since. */
    remove(keys: readonly RowKey[]): Promise<void>
    /** The latest first. */
    list(limit: number): Promise<Refusal[]>
    /** Refusals after a row, ordered by kind and id. */
    page(after: RowKey | null, limit: number): Promise<SetAside[]>
    has(key: RowKey): Promise<boolean>
    /** An approximate number: it is counted in slices, between other work. */
    count(): Promise<number>
  }
}
