import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { answerParent } from './answer-parent.ts'

/** Milliseconds. A short interval leaves little of the log to the daemon itself. */
const EVERY_MS = 500

/**
 * Never closes its connection: after the daemon was killed, SQLite would treat it as the last connection and remove a
 * log that may belong to another process by then. It ends when its parent ends.
 */
export async function keepCheckpointed(task: { path: string; parent: number }): Promise<never> {
  const database = new Database(task.path, { fileMustExist: true })
  for (;;) {
    if (process.ppid !== task.parent) process.kill(process.pid, 'SIGKILL')
    database.pragma('wal_checkpoint(PASSIVE)')
    await setTimeout(EVERY_MS)
  }
}

await answerParent(keepCheckpointed)
