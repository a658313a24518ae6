import { statSync } from 'node:fs'
import { isDamage } from '../shared/damage.ts'
import { type Child, startChild } from './child-processes/start-child.ts'
import { runQuickCheckOfFile } from './quick-check-statement.ts'

/** So much is read in less time than a process takes to begin: the database of the first days. */
const READ_AT_ONCE_BYTES = 2 * 1024 * 1024

export interface QuickCheck {
  /** What is wrong with the file, nothing when it is whole. Rejects when the check itself could not be made. */
  problems: Promise<string[]>
  /** Breaks it off; `problems` then resolves to none. */
  stop(): Promise<void>
}

/**
 * SQLite's own check of every page (`PRAGMA quick_check`), over a connection and, where the file is not small, in a process
 * of its own: a large database takes seconds to read, and sales go on meanwhile.
 */
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
