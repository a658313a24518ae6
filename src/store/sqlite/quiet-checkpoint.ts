import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connection.ts'

/** The answer of the authority comes within about a second of the first commit, and the next customer later. */
const QUIET_MS = 2000

/** Of the length at which SQLite itself checkpoints: a shorter log writes the same pages to their places more often. */
const LONG = 0.8

/** Pages in the log, and how many of them are in their places already. */
interface LogState {
  log: number
  checkpointed: number
}

/**
 * Writes the pages of a long log to their places while nobody waits. SQLite does it by itself in a commit, and that sale
 * waits for twenty times as many writes as its own, on a cheap card for a second.
 */
export function checkpointWhenQuiet(db: Db, quietMs = QUIET_MS) {
  let timer: NodeJS.Timeout | undefined

  async function checkpoint(): Promise<void> {
    const { log, checkpointed } = await told(db, STATE)
    const { walAutocheckpoint: most } = await told(db, MOST)
    if (log >= LONG * most && checkpointed < log) await told(db, AS_FAR_AS_POSSIBLE)
  }

  return {
    /** Called after each commit. */
    committed(): void {
      // The connection has told what fails, and SQLite tries again in a commit.
      timer ??= setTimeout(() => void checkpoint().catch(() => {}), quietMs).unref()
      timer.refresh()
    },
    stop(): void {
      clearTimeout(timer)
    },
  }
}

const STATE = sql<LogState>`PRAGMA wal_checkpoint(NOOP)`
const MOST = sql<{ walAutocheckpoint: number }>`PRAGMA wal_autocheckpoint`
const AS_FAR_AS_POSSIBLE = sql<LogState>`PRAGMA wal_checkpoint(PASSIVE)`

async function told<T>(db: Db, pragma: RawBuilder<T>): Promise<T> {
  const { rows } = await pragma.execute(db)
  return rows[0] as T
}
