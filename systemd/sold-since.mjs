// sold-since.mjs BACKUP DATABASE: exit 0 when nothing was sold, sent, printed or changed since the backup was made, 1 when
// something was, 2 when it cannot be told. The database is left as one file, with everything of its log in it.
// An upgrade asks before it puts the backup in the place of a database that the new version has already changed.
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'

const Database = createRequire(import.meta.url)('better-sqlite3')
const FACTS = [
  'SELECT count(*), count(jir) FROM invoices',
  'SELECT mode, company_id, premises_code, year, register, highest FROM sequences ORDER BY 1, 2, 3, 4, 5',
  'SELECT count(*) FROM messages',
  "SELECT status, count(*) FROM print_jobs WHERE status <> 'queued' GROUP BY status ORDER BY status",
  'SELECT count(*) FROM audit_log',
]

function factsOf(database) {
  return JSON.stringify(FACTS.map((sql) => database.prepare(sql).raw().all()))
}

const [backupPath, path] = process.argv.slice(2)
try {
  const [backup, database] = [backupPath, path].map((file) => new Database(file, { fileMustExist: true }))
  const same = factsOf(backup) === factsOf(database)
  backup.pragma('wal_checkpoint(TRUNCATE)')
  const [{ busy }] = database.pragma('wal_checkpoint(TRUNCATE)')
  backup.close()
  database.close()
  for (const suffix of ['-wal', '-shm']) rmSync(backupPath + suffix, { force: true })
  if (busy) throw new Error(`${path} is in use`)
  process.exitCode = same ? 0 : 1
} catch (error) {
  process.stderr.write(`sold-since: ${error.message}\n`)
  process.exitCode = 2
}
