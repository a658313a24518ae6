import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Journal } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { BEHIND } from '../shared/issued.ts'
import type { Db } from '../sqlite/connection.ts'
import type { KeptSales } from './kept-sales.ts'

/** How soon this process looks again whether another one has stored what comes before its own, in milliseconds. */
const AGAIN_MS = 50
/** How long it does so without anything being stored. */
const LULL_MS = 1_000

export interface LostSalesDeps {
  db: Db
  kept: KeptSales
  transaction<T>(work: (rows: StoreTransaction, trx: Db) => Promise<T>): Promise<T>
  /** Lets a premises sell again whose sales are all there. */
  compareAgain(): Promise<void>
}

/** Stores again what the database has lost and this process still knows, together with what the other processes do. */
export function lostSales({ db, kept, transaction, compareAgain }: LostSalesDeps) {
  let running: Promise<void> | undefined
  let isClosed = false

  async function run(): Promise<void> {
    let count = 0
    for (let [movedAt, isFirst, isDone] = [performance.now(), true, false]; !isDone && !isClosed; isFirst = false) {
      const ends = await endsOfBehind(db)
      const behind = ends.filter((end) => kept.areAfter(end, isFirst ? 0 : end.position))
      let moved = 0
      for (const end of behind) moved += await transaction((rows, trx) => kept.storeAgain(trx, rows, end))
      count += moved
      if (moved > 0) movedAt = performance.now()
      else await setTimeout(AGAIN_MS)
      isDone = behind.length === 0 || performance.now() - movedAt > LULL_MS
    }
    if (count > 0) await compareAgain()
  }

  return {
    /** Call it at each beat that finds a premises behind. */
    found(): void {
      // What cannot be stored, because the database has lost its device, too, leaves the premises as it is.
      running ??= run()
        .catch(() => {})
        .finally(() => {
          running = undefined
        })
    },
    async close(): Promise<void> {
      isClosed = true
      await running
    },
  }
}

/** The premises that lack sales, each with the position at the end of its journal. */
async function endsOfBehind(db: Db): Promise<(Journal & { position: number })[]> {
  const { rows } = await sql<Journal & { position: number }>`
    SELECT behind.*, coalesce(position, 0) AS position
    FROM meta CROSS JOIN LATERAL jsonb_to_record(convert_from(value, 'UTF8')::jsonb)
        AS behind ("companyId" text, mode text, "premisesCode" text)
      LEFT JOIN journals ON journals.company_id = "companyId" AND journals.mode = behind.mode
        AND journals.premises_code = "premisesCode"
    WHERE starts_with(key, ${`${BEHIND} `})`.execute(db)
  return rows
}
