import type { Enrolment } from './enrolment.ts'

/** What a server tells a gateway: where receipts are shown (`https://HOST`), and its key, 32 bytes as base64url. */
export interface ToldLinks {
  base: string
  key: string
}

export interface KeepLinks {
  /** Keeps what the server tells with each answer; null where it shows no receipts. */
  keep(enrolment: Enrolment, told: ToldLinks | null): Promise<void>
}
