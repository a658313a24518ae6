import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { createKeyedLock, freeOf } from '../../domain/keyed-lock.ts'
import { ClaimLost, DatabaseAway, type InvoiceLock } from '../../fiscal/ports/store.ts'
import { BEHIND } from '../shared/issued.ts'
import type { Db } from '../sqlite/connection.ts'
import { CURRENT_MS } from './processes.ts'

/** What is claimed: an invoice that is sent, a receipt that is printed. */
export type Claimed = 'invoice' | 'receipt'

/** The pause before something that another process holds is tried again. */
const AGAIN_MS = 50

export type Claims = ReturnType<typeof createClaims>

export interface ClaimsDeps {
  db: Db
  epoch(): number
  lastContact(): number
  /** Asks the database whether this process is still known. */
  look(): Promise<void>
}

/** What this process holds of one kind, as rows that only it writes. A row of an earlier epoch was removed. */
export function createClaims(name: Claimed, { db, epoch, lastContact, look }: ClaimsDeps) {
  const here = createKeyedLock()
  const held = new Set<string>()

  async function takeInTime(id: string): Promise<void> {
    for (;;) {
      try {
        if (await take(id)) return
        await setTimeout(AGAIN_MS * (0.5 + Math.random()))
      } catch (error) {
        if (!(error instanceof ProcessRemoved)) throw error
        await look()
      }
    }
  }

  /** A row of this process that nothing here works under is left over from a failure, and is taken again. */
  async function take(id: string): Promise<boolean> {
    held.add(id)
    const owner = epoch()
    const { rows } = await sql<{ key: string }>`
      INSERT INTO claims (name, key, process) VALUES (${name}, ${id}, ${owner})
      ON CONFLICT (name, key) DO UPDATE SET process = excluded.process WHERE claims.process = excluded.process
      RETURNING key`
      .execute(db)
      .catch((error: unknown) => {
        held.delete(id)
        throw asRemoved(error)
      })
    if (rows.length === 0) held.delete(id)
    return rows.length > 0
  }

  async function giveBack(id: string): Promise<void> {
    if (!held.delete(id)) return
    // What cannot be removed now is taken again by this process, or goes with it.
    await sql`DELETE FROM claims WHERE name = ${name} AND key = ${id} AND process = ${epoch()}`
      .execute(db)
      .catch(() => {})
  }

  /**
   * What this process works on is left out. A row of its own for anything else is left over: it could not be removed, or
   * the answer to the statement that stored it was lost. Nobody else would ever claim it. Where a premises lacks sales,
   * one that was never answered may have the number of one of them.
   */
  async function claim(ids: readonly string[], most: number): Promise<string[]> {
    const idle = await freeOf(here, ids)
    const owner = epoch()
    const { rows } = await sql<{ key: string }>`
      WITH free AS (
        SELECT id FROM invoices
        WHERE id = ANY(${idle}) AND status IN ('pending', 'retrying')
          AND NOT EXISTS (SELECT 1 FROM claims WHERE name = ${name} AND key = invoices.id AND process <> ${owner})
          AND NOT (status = 'pending' AND EXISTS (
            SELECT 1 FROM meta WHERE key = concat_ws(' ', ${BEHIND}::text, company_id, mode, premises_code)))
        ORDER BY array_position(${idle}::text[], id) LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED)
      INSERT INTO claims (name, key, process) SELECT ${name}, id, ${owner} FROM free
      ON CONFLICT (name, key) DO UPDATE SET process = excluded.process WHERE claims.process = excluded.process
      RETURNING key`
      .execute(db)
      .catch((error: unknown) => {
        throw asRemoved(error)
      })
    const taken = new Set(rows.map(({ key }) => key))
    for (const id of taken) held.add(id)
    return ids.filter((id) => taken.has(id))
  }

  async function isElsewhere(on: Db, id: string): Promise<boolean> {
    const { rows } = await sql<{ process: number }>`
      SELECT process FROM claims WHERE name = ${name} AND key = ${id}`.execute(on)
    return rows[0] !== undefined && rows[0].process !== epoch()
  }

  const lock: InvoiceLock = {
    run: (id, work) =>
      here.run(id, async () => {
        await takeInTime(id)
        return work().finally(() => giveBack(id))
      }),
    runNew: (id, work) => here.run(id, () => work().finally(() => giveBack(id))),
    claim,
    async isHeld(id) {
      return (await here.isHeld(id)) || isElsewhere(db, id)
    },
    async requireHeld(id) {
      const isCurrent = () => performance.now() - lastContact() < CURRENT_MS
      if (!isCurrent()) await look()
      if (!held.has(id)) throw new ClaimLost()
      if (!isCurrent()) throw new DatabaseAway()
    },
  }
  return {
    lock,
    epoch,
    /** Whether another process holds something, as a transaction sees it. */
    isElsewhere,
    /** Notes that a row is about to be stored, or was removed, together with something else. */
    claimed: (id: string): unknown => held.add(id),
    released: (id: string): unknown => held.delete(id),
    forget: () => held.clear(),
  }
}

/** This process was removed. As soon as it knows, it has a new epoch and can do the same again. */
export class ProcessRemoved extends ClaimLost {}

/** @param error of a statement that stores a claim: its process is unknown, or not of this database */
export function asRemoved(error: unknown): unknown {
  const { code, constraint, table } = error as { code?: unknown; constraint?: unknown; table?: unknown }
  const isUnknown = code === '23503' && String(constraint).startsWith('claims_')
  return isUnknown || (code === '23502' && table === 'claims') ? new ProcessRemoved(error) : error
}
