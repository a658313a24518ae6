import { statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isDamage } from '../shared/damage.ts'
import { type ChildScript, runChildScript } from './child-script.ts'

/** So much is read in less time than a process takes to begin: the database of the first days. */
const READ_AT_ONCE_BYTES = 2 * 1024 * 1024

const CHECK = `
  const database = new Database(data.path, { readonly: true, fileMustExist: true })
  const rows = database.pragma('quick_check(10)').map((row) => row.quick_check)
  database.close()
  return rows
`

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
  const { said, stop } = isSmall ? readAtOnce(path) : runChildScript<string[]>(CHECK, { path })
  const problems = said.then(
    (rows = []) => rows.filter((row) => row !== 'ok'),
    (error: unknown) => {
      if (isDamage(error)) return [(error as Error).message]
      throw error
    },
  )
  return { problems, stop }
}

function readAtOnce(path: string): ChildScript<string[]> {
  const read = async () => {
    const database = new Database(path, { readonly: true, fileMustExist: true })
    try {
      return (database.pragma('quick_check(10)') as { quick_check: string }[]).map((row) => row.quick_check)
    } finally {
      database.close()
    }
  }
  return { said: read(), stop: async () => {} }
}
