import { startChild } from './child-processes/start-child.ts'

/** So much at most is left for the daemon itself when the log is long. */
const EVERY_MS = 500

/**
 * Carries what is committed from the log of SQLite into the database, in a process of its own: of a large database it takes
 * half a second each time, in which a sale would wait. Where it fails SQLite does it itself, when the log is long.
 */
export function keepCheckpointed(path: string): { stop(): Promise<void> } {
  const { result, stop } = startChild('keep-checkpointed', { path, parent: process.pid, everyMs: EVERY_MS })
  result.catch(() => {})
  return { stop }
}
