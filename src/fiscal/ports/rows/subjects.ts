/**
 * What transactions of several processes decide on by rows that they read and another one may be adding to. A
 * transaction that holds a subject waits for any other that holds it. Sales, outcomes and heartbeats hold none: rows and
 * unique keys are enough for them (docs/postgresql.md). A push holds one only before it gives a gateway a new premises.
 */
export type Subject =
  /** Which tenant has an OIB, and the mode and the certificate in use of a company of our own. */
  | 'companies'
  /** Who sells at a premises, a gateway or devices of our own; labels and ISU numbers of devices of our own. */
  | 'premises'
  /** The token, credential, session and companies of one gateway, and the numbers of its commands. */
  | `gateway ${string}`
  /** Whether a tenant keeps an admin, and whether an account is still as it was checked. */
  | 'users'
  /** How many failed sign-ins the audit log has. */
  | 'failed sign-ins'
  /** The settings of printers, and the numbers of copies of receipts. */
  | 'printing'
  | `views ${string}`
  | `tags ${string}`
  | `note ${string}`
  /** How many jobs of a tenant are under way. */
  | `jobs ${string}`
  /** How many schedules a tenant has. */
  | `schedules ${string}`
  /** Which alerts a mail tells, how many mails wait, and which process sends one. */
  | 'mails'
  /** Since when nothing reached the tax authority. */
  | 'breaks'

export interface Subjects {
  /**
   * Waits until no other transaction holds one of these, and holds them until this transaction ends. Call it first in
   * the transaction, once: what was read before may have changed meanwhile. On SQLite transactions never overlap anyway.
   */
  hold(...subjects: Subject[]): Promise<void>
  /** Every read shows the database as at the first one. Call it first, do not write. On SQLite that is so anyway. */
  freeze(): Promise<void>
}
