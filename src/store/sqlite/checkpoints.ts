import { runChildScript } from './child-script.ts'

/** So much at most is left for the daemon itself when the log is long. */
const EVERY_MS = 500

/**
 * It never closes its connection: SQLite would take it for the last one where the daemon was killed, and remove a log that
 * by then may belong to somebody else.
 */
const KEEP_UP = `
  const database = new Database(data.path, { fileMustExist: true })
  for (;;) {
    if (process.ppid !== data.parent) process.kill(process.pid, 'SIGKILL')
    database.pragma('wal_checkpoint(PASSIVE)')
    await new Promise((resolve) => setTimeout(resolve, data.everyMs))
  }
`

/**
 * Carries what is committed from the log of SQLite into the database, in a process of its own: of a large database it takes
 * half a second each time, in which a sale would wait. Where it fails SQLite does it itself, when the log is long.
 */
export function keepCheckpointed(path: string): { stop(): Promise<void> } {
  const { said, stop } = runChildScript<never>(KEEP_UP, { path, parent: process.pid, everyMs: EVERY_MS })
  said.catch(() => {})
  return { stop }
}
