// sold-since.mjs BACKUP DATABASE: exit 0 when nothing was sold, sent, printed or changed since the backup was made.
// An upgrade asks before it puts the backup in the place of a database that the new version has already changed.
import { createRequire } from 'node:module'

const Database = createRequire(import.meta.url)('better-sqlite3')
const FACTS = [
  'SELECT count(*), count(jir) FROM invoices',
  'SELECT mode, company_id, premises_code, year, register, highest FROM sequences ORDER BY 1, 2, 3, 4, 5',
  'SELECT count(*) FROM messages',
  "SELECT count(*) FROM print_jobs WHERE status <> 'queued'",
  'SELECT count(*) FROM audit_log',
]

function facts(path) {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    return JSON.stringify(FACTS.map((sql) => database.prepare(sql).raw().all()))
  } finally {
    database.close()
  }
}

const [backup, database] = process.argv.slice(2)
process.exitCode = facts(backup) === facts(database) ? 0 : 1
