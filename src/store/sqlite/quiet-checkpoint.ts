import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connection.ts'

/** Longer than the authority is waited for: between a sale's two commits nobody is quiet. */
const QUIET_MS = 5000

/** Of the length at which SQLite itself checkpoints: a shorter log writes the same pages to their places more often. */
const LONG_SHARE = 0.8

/** Of the length of the database: a new one, and its first sales, would stand in the log alone. */
const SHARE_OF_YOUNG = 0.5

/** Pages in the log, and how many of them are in their places already. */
interface LogState {
  log: number
  checkpointed: number
}

/**
 * Writes the pages of a long log to their places while nobody waits. SQLite does it by itself in a commit, and that sale
 * waits for twenty times as many writes as its own, on a cheap card for a second.
 */
export async function checkpointWhenQuiet(db: Db, quietMs = QUIET_MS) {
  const { walAutocheckpoint } = await read(db, sql<{ walAutocheckpoint: number }>`PRAGMA wal_autocheckpoint`)
  let timer: NodeJS.Timeout | undefined

  async function checkpoint(): Promise<void> {
    const { log, checkpointed } = await read(db, STATE)
    const { pageCount } = await read(db, sql<{ pageCount: number }>`PRAGMA page_count`)
    const isLong = log >= Math.min(LONG_SHARE * walAutocheckpoint, SHARE_OF_YOUNG * pageCount)
    if (isLong && checkpointed < log) await read(db, PASSIVE)
  }

  return {
    committed(): void {
      // The connection reports what fails: a refused write ends the process, and on a full disk a commit tries again.
      timer ??= setTimeout(() => void checkpoint().catch(() => {}), quietMs).unref()
      timer.refresh()
    },
    stop(): void {
      clearTimeout(timer)
    },
  }
}

const STATE = sql<LogState>`PRAGMA wal_checkpoint(NOOP)`
const PASSIVE = sql<LogState>`PRAGMA wal_checkpoint(PASSIVE)`

async function read<T>(db: Db, pragma: RawBuilder<T>): Promise<T> {
  const { rows } = await pragma.execute(db)
  return rows[0] as T
}
