import { statSync } from 'node:fs'
import { isDamage } from '../shared/damage.ts'
import { type Child, startChild } from './child-processes/start-child.ts'
import { runQuickCheckOfFile } from './quick-check-statement.ts'

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
