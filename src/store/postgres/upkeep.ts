import { setTimeout } from 'node:timers/promises'
import type { Db } from '../sqlite/connection.ts'
import { keepMonthsAhead } from './message-months.ts'
import { migrateToLatest } from './migrate.ts'

const HOUR_MS = 3_600_000

/**
 * From time to time makes the changes of the schema that were put off, and the partitions that time needs. Any number
 * of processes may do so; what fails is tried again.
 * @param program this program's version; without it the changes wait for every process that has a row
 * @returns stops it
 */
export function startUpkeep(db: Db, program?: string, everyMs = HOUR_MS): () => Promise<void> {
  const end = new AbortController()
  const work = async () => {
    for (;;) {
      // Not all processes at once.
      await setTimeout(everyMs * (0.5 + Math.random()), undefined, { signal: end.signal, ref: false })
      await migrateToLatest(db, program).catch(() => {})
      await keepMonthsAhead(db).catch(() => {})
    }
  }
  const ended = work().catch(() => {})
  return async () => {
    end.abort()
    await ended
  }
}
