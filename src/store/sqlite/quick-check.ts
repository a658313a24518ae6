import { statSync } from 'node:fs'
import { isDamage, UnusableDatabase } from '../shared/damage.ts'
import { readOrigin, refuseForeign } from '../shared/database-origin.ts'
import { type Child, startChild } from './child-processes/start-child.ts'
import { runQuickCheckOfFile } from './with-database.ts'

/** A file up to this size is read faster than a process starts. */
const READ_AT_ONCE_BYTES = 2 * 1024 * 1024

export interface QuickCheck {
  /** The problems of the file; none when it is undamaged. Rejects when the check itself failed. */
  problems: Promise<string[]>
  /** Stops the check; `problems` then resolves to an empty list. */
  stop(): Promise<void>
}

/** SQLite's check of every page (`PRAGMA quick_check`); for a large file in its own process, as it takes seconds. */
export function quickCheck(path: string): QuickCheck {
  const isSmall = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= READ_AT_ONCE_BYTES
  const { result, stop } = isSmall ? readAtOnce(path) : startChild('check-database', { path })
  const problems = result.then(
    (found = []) => found,
    (error: unknown) => {
      if (isDamage(error)) return [(error as Error).message]
      throw error
    },
  )
  return { problems, stop }
}

function readAtOnce(path: string): Child<string[]> {
  const read = async () => runQuickCheckOfFile(path)
  return { result: read(), stop: async () => {} }
}

/** @throws UnusableDatabase unless the file is an undamaged database of this or an older version of fiskd */
export async function requireOurDatabase(path: string): Promise<void> {
  const problems = await quickCheck(path).problems
  if (problems.length > 0) throw new UnusableDatabase(problems, { damaged: true })
  const origin = readOrigin(path)
  if (origin.migrations.length === 0) throw new UnusableDatabase(['it is no database of fiskd'], { damaged: false })
  refuseForeign(origin)
}
