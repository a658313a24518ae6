import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { answerParent } from './answer-parent.ts'

/**
 * Never closes its connection: after the daemon was killed, SQLite would treat it as the last connection and remove a
 * log that may belong to another process by then.
 * @param parent id of the parent process; this process ends when the parent ends
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
