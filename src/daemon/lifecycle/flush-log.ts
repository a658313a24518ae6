import { statSync } from 'node:fs'
import { makeDurable } from '../../store/sqlite/connection.ts'
import { withDatabase } from '../../store/sqlite/with-database.ts'

/**
 * After a failed flush the kernel takes the pages of the log for written and keeps them in its memory: this process
 * reads them, and with the next power cut they are gone. So what is read at the start is written anew before any
 * request is answered with it.
 * @throws SqliteError when the disk refuses it
 */
export function flushLog(path: string): void {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  withDatabase(path, (database) => {
    makeDurable(database)
    database.pragma('wal_checkpoint(TRUNCATE)')
  })
}
