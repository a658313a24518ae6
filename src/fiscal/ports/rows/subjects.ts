/**
 * What transactions of several processes decide on by rows that they read and another one may be adding to. A
 * transaction that holds a subject waits for any other that holds it. Sales, outcomes, heartbeats and pushes hold none:
 * rows and unique keys are enough for them (docs/postgresql.md).
 */
export type Subject = string

export interface Subjects {
  /**
   * Waits until no other transaction holds one of these, and holds them until this transaction ends. Call it first in
   * the transaction: what was read before may have changed meanwhile. On SQLite transactions never overlap anyway.
   */
  hold(...subjects: Subject[]): Promise<void>
}
