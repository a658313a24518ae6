import { readFileSync } from 'node:fs'

/** How many commits stand in the write-ahead log of a database, counted as SQLite's file format describes it (4.1). */
export function commitsIn(database: string): number {
  const log = readFileSync(`${database}-wal`)
  const [pageSize, salt] = [log.readUInt32BE(8), log.toString('hex', 16, 24)]
  let commits = 0
  for (let at = 32; at + 24 + pageSize <= log.length; at += 24 + pageSize) {
    // Frames behind the last one are of an earlier turn of the log.
    if (log.toString('hex', at + 8, at + 16) !== salt) break
    // The size of the database after a commit; zero for every other frame.
    if (log.readUInt32BE(at + 4) !== 0) commits++
  }
  return commits
}
