import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { answerParent } from './answer-parent.ts'

/**
 * It never closes its connection: SQLite would take it for the last one where the daemon was killed, and remove a log that
 * by then may belong to another process.
 * @param parent id of the process with which it ends
 */
export async function keepCheckpointed(task: { path: string; parent: number; everyMs: number }): Promise<never> {
  const database = new Database(task.path, { fileMustExist: true })
  for (;;) {
    if (process.ppid !== task.parent) process.kill(process.pid, 'SIGKILL')
    database.pragma('wal_checkpoint(PASSIVE)')
    await setTimeout(task.everyMs)
  }
}

await answerParent(keepCheckpointed)
