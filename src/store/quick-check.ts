import { runAside } from './aside.ts'
import { isDamage } from './damage.ts'

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
 * SQLite's own check of every page (`PRAGMA quick_check`), over a connection and in a process of its own: a large
 * database takes seconds to read, and sales go on meanwhile.
 */
export function quickCheck(path: string): QuickCheck {
  const { said, stop } = runAside<string[]>(CHECK, { path })
  const problems = said.then(
    (rows = []) => rows.filter((row) => row !== 'ok'),
    (error: unknown) => {
      if (isDamage(error)) return [(error as Error).message]
      throw error
    },
  )
  return { problems, stop }
}
