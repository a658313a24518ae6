import { setTimeout } from 'node:timers/promises'
import type { Db } from '../sqlite/connection.ts'
import { migrateToLatest } from './migrate.ts'

const HOUR_MS = 3_600_000

/**
 * From time to time makes the schema changes that were put off; what fails is tried again. Any number of processes may do
 * so. @returns stops it
 */
export function startUpkeep(db: Db, program: string): () => Promise<void> {
  const end = new AbortController()
  const work = async () => {
    for (;;) {
      // Not all processes at once.
      await setTimeout(HOUR_MS * (0.5 + Math.random()), undefined, { signal: end.signal, ref: false })
      await migrateToLatest(db, program).catch(() => {})
    }
  }
  const ended = work().catch(() => {})
  return async () => {
    end.abort()
    await ended
  }
}
