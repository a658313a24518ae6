import { existsSync, statSync } from 'node:fs'
import { readOrigin } from '../../store/shared/database-origin.ts'
import { readKnownNumbers } from '../../store/shared/sync/known-numbers.ts'
import { databasePath, NoDatabase } from './open-database.ts'

/**
 * A server on PostgreSQL does not begin beside a database whose numbers it does not know: it would give them out again.
 * @throws NoDatabase when the data directory holds one that was sold on and was not moved
 */
export function requireMovedFile(dataDir: string): void {
  const path = databasePath(dataDir)
  if (!existsSync(path) || statSync(path).size === 0) return
  if (readOrigin(path).movedTo !== null) return
  const { problem, sequences } = readKnownNumbers(path)
  if (problem === null && sequences.length === 0) return
  const which = problem === null ? 'holds sales' : `cannot be read (${problem})`
  throw new NoDatabase(
    `the database ${path} ${which}, and PostgreSQL does not know the numbers that it has given out`,
    'move its sales with fisk migrate-store, or the file out of the data directory if they belong to nobody',
  )
}
