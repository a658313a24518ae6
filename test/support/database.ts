import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { isPostgresUrl } from '../../src/domain/database-url.ts'
import type { Gateway } from './gateway.ts'
import { onPostgres, postgresDatabase, query } from './postgres.ts'
import { makeTempDir } from './temp-dir.ts'

type Place = Pick<Gateway, 'database'>

/** Where a store of the running test's own can be opened: a path, or PostgreSQL where the run is about that. */
export async function freshDatabase(): Promise<string> {
  return onPostgres ? postgresDatabase() : join(await makeTempDir(onTestFinished), 'fiskd.db')
}

/** Does one thing to a gateway's database as another program would, whichever database it is. @returns the rows */
export async function inDatabase({ database }: Place, statement: string): Promise<Record<string, unknown>[]> {
  if (isPostgresUrl(database)) return query(database, statement)
  const open = new Database(database)
  try {
    if (statement.includes(';')) {
      open.exec(statement)
      return []
    }
    const prepared = open.prepare<[], Record<string, unknown>>(statement)
    if (prepared.reader) return prepared.all()
    prepared.run()
    return []
  } finally {
    open.close()
  }
}

/** Stores a configuration as an earlier version may have: `/v1` refuses values that no sale can have. */
export async function storeConfig(place: Place, what: { companyId: string } | { deviceId: string }, config: object) {
  const [table, column, id] =
    'companyId' in what ? ['companies', 'fiscal_config', what.companyId] : ['devices', 'device_config', what.deviceId]
  const json = JSON.stringify(config).replaceAll("'", "''")
  await inDatabase(place, `UPDATE ${table} SET ${column} = '${json}' WHERE id = '${id}'`)
}

/** Every row of every table of an SQLite database, to be compared with what is there later. */
export async function everyRow(place: Place): Promise<unknown> {
  const tables = await inDatabase(place, "SELECT name FROM sqlite_master WHERE type = 'table'")
  return Promise.all(tables.map(async ({ name }) => [name, await inDatabase(place, `SELECT * FROM ${name}`)]))
}

/** Has inserts into a table fail, as a full disk does, until the returned function is called. */
export async function breakInserts(place: Place, table: string, when = 'true'): Promise<() => Promise<void>> {
  const onServer = isPostgresUrl(place.database)
  const trigger = `CREATE TRIGGER broken BEFORE INSERT ON ${table}`
  await inDatabase(
    place,
    onServer
      ? `${trigger} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION fiskd_refuse('disk full')`
      : `${trigger} WHEN ${when} BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  )
  return async () => {
    await inDatabase(place, onServer ? `DROP TRIGGER broken ON ${table}` : 'DROP TRIGGER broken')
  }
}

/** Has the database take no writes while it still answers, until the returned function is called. */
export async function blockWrites({ database }: Place): Promise<() => Promise<void>> {
  if (isPostgresUrl(database)) {
    await setReadOnly(database, 'on')
    return () => setReadOnly(database, 'off')
  }
  // Somebody else writes and does not come to an end, as a failing disk does not.
  const other = new Database(database)
  onTestFinished(() => void other.close())
  other.exec('BEGIN IMMEDIATE')
  return async () => {
    other.exec('ROLLBACK')
    other.close()
  }
}

async function setReadOnly(url: string, value: 'on' | 'off'): Promise<void> {
  await query(
    url,
    `SET transaction_read_only = off;
    DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${value}', current_database());
      PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'fiskd'; END $$`,
  )
  // The daemon hears of it a moment later.
  await setTimeout(200)
}
