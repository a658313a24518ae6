import { sql } from 'kysely'
import type { DatabaseCare } from '../../fiscal/ports/database-maintenance.ts'
import { describePostgresUrl } from '../database-url.ts'
import type { Db } from '../sqlite/connection.ts'
import { schemaProblems } from './schema-check.ts'

/** Settings that must be on for a committed transaction to be durable. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit']

export function serverMaintenance(db: Db, url: string): DatabaseCare {
  const server = describePostgresUrl(url)
  return {
    server,
    fileProblems: async () => [],
    schemaProblems: () => schemaProblems(db),
    async durabilityProblems() {
      const { rows: settings } = await sql<{ name: string; setting: string }>`
        SELECT name, setting FROM pg_settings WHERE name IN (${sql.join(DURABLE)}) ORDER BY name`.execute(db)
      return settings
        .filter(({ setting }) => setting === 'off')
        .map(({ name }) => `${name} is off in PostgreSQL: what was answered may be lost with the power`)
    },
    async contradictions() {
      const strays = await sql<{ id: string }>`
        SELECT id FROM invoices
        WHERE zki IS DISTINCT FROM document::json ->> 'zki'
          OR number IS DISTINCT FROM document::json ->> 'number'
          OR premises_code IS DISTINCT FROM document::json ->> 'premisesCode'
          OR sequence_register IS DISTINCT FROM CASE document::json ->> 'sequenceMark'
            WHEN 'N' THEN document::json ->> 'registerMark' ELSE '' END
        ORDER BY id LIMIT 10`.execute(db)
      const repeated = await sql<{ jir: string }>`
        SELECT jir FROM invoices WHERE jir IS NOT NULL GROUP BY jir HAVING count(*) > 1 LIMIT 10`.execute(db)
      return { strays: strays.rows.map(({ id }) => id), repeated: repeated.rows.map(({ jir }) => jir) }
    },
    async backUp() {
      throw new Error(`the database is PostgreSQL (${server}): back it up with pg_dump`)
    },
  }
}
