import { sql } from 'kysely'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import type { DatabaseCare, Standby } from '../../fiscal/ports/database-maintenance.ts'
import { wrongTurnover } from '../shared/figures/turnover-check.ts'
import { TURNOVER_OF_POSTGRES } from '../shared/figures/turnover-statements.ts'
import type { Db } from '../sqlite/connection.ts'
import { schemaProblems } from './schema-check.ts'

/** Settings that must be on for a committed transaction to be durable. */
const DURABLE = ['fsync', 'full_page_writes', 'synchronous_commit']

export function serverMaintenance(db: Db, url: string): DatabaseCare {
  const server = describeDatabaseUrl(url)
  return {
    server,
    fileProblems: async () => [],
    checkpoint: async () => {},
    schemaProblems: () => schemaProblems(db),
    async durabilityProblems() {
      const { rows: settings } = await sql<{ name: string; setting: string }>`
        SELECT name, setting FROM pg_settings WHERE name IN (${sql.join(DURABLE)}) ORDER BY name`.execute(db)
      return settings
        .filter(({ setting }) => setting === 'off')
        .map(({ name }) => `${name} is off in PostgreSQL: what was answered may be lost with the power`)
    },
    async durabilityDefaults() {
      // A proxy that gives each transaction another connection may pass on one without the settings of fiskd.
      const { rows } = await sql`
        SELECT 1 FROM pg_settings WHERE name = 'synchronous_commit' AND reset_val = 'off'`.execute(db)
      if (rows.length === 0) return []
      return ['synchronous_commit is off in PostgreSQL: only the sessions of fiskd turn it on for themselves']
    },
    standby: () => standbyOf(db),
    async hasPatroni() {
      // It gives these to the server as arguments, which nobody else does with all of them.
      const { rows } = await sql`SELECT name FROM pg_settings WHERE source = 'command line'
        AND name IN ('cluster_name', 'wal_log_hints', 'track_commit_timestamp')`.execute(db)
      return rows.length === 3
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
      const sums = await wrongTurnover(TURNOVER_OF_POSTGRES, async (statement) => {
        const { rows } = await sql.raw<Record<string, unknown>>(statement).execute(db.withoutPlugins())
        return rows
      })
      return { strays: strays.rows.map(({ id }) => id), repeated: repeated.rows.map(({ jir }) => jir), sums }
    },
    async backUp() {
      throw new Error(`the database is PostgreSQL (${server}): back it up with pg_dump`)
    },
  }
}

async function standbyOf(db: Db): Promise<Standby> {
  const { rows } = await sql<{ wanted: boolean; isShown: boolean; followers: number; waitedFor: number }>`
    SELECT current_setting('synchronous_standby_names') <> '' AND current_setting('synchronous_commit') <> 'local' AS wanted,
      pg_has_role('pg_read_all_stats', 'usage') AS is_shown,
      (SELECT count(*) FROM pg_stat_replication) AS followers,
      (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum')) AS waited_for`.execute(db)
  const [{ wanted, isShown, followers, waitedFor } = { wanted: false, isShown: true, followers: 0, waitedFor: 0 }] =
    rows
  if (!wanted) return followers === 0 ? 'none' : 'asynchronous'
  if (waitedFor > 0) return 'waited for'
  return isShown ? 'not connected' : 'not shown'
}
