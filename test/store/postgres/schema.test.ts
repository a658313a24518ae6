import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../../src/store/store.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { tempDir } from '../../support/temp-dir.ts'

interface Column {
  table: string
  name: string
  type: string
  nullable: boolean
}

const TYPES: Record<string, string> = { TEXT: 'text', INTEGER: 'bigint', BLOB: 'bytea' }

async function columnsOfSqlite(): Promise<Column[]> {
  const path = join(await tempDir(), 'fiskd.db')
  await (await openStore(path, 1)).close()
  const database = new Database(path, { readonly: true })
  const columns = database
    .prepare<[], { table: string; name: string; type: string; required: number; pk: number }>(`
      SELECT t.name AS "table", c.name, c.type, c."notnull" AS required, c.pk
      FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
      WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE 'kysely_%'`)
    .all()
  database.close()
  // A key is never null; SQLite has to be told in other words.
  return columns.map(({ type, required, pk, ...column }) => ({
    ...column,
    type: TYPES[type] ?? type,
    nullable: required === 0 && pk === 0,
  }))
}

/** The tables that only several processes on one database need. */
const OF_PROCESSES = ['processes', 'claims', 'journals']

const PLACE = (one: Column) => `${one.table}.${one.name}`
const inOrder = (columns: Column[]) => columns.toSorted((one, other) => (PLACE(one) < PLACE(other) ? -1 : 1))

describe.skipIf(skipWithoutPostgres)('the schema on PostgreSQL', () => {
  test('has the tables and columns that SQLite has, of the same kind, and nullable where those are', async () => {
    const url = await postgresDatabase()
    const columns = await query<Column>(
      url,
      `SELECT table_name AS table, column_name AS name, data_type AS type, is_nullable = 'YES' AS nullable
       FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely_%'`,
    )
    const shared = columns.filter(({ table }) => !OF_PROCESSES.includes(table))
    expect(inOrder(shared)).toEqual(inOrder(await columnsOfSqlite()))
  })

  test('compares all text by its bytes, whatever the order of the database is', async () => {
    const url = await postgresDatabase()
    const other = await query(
      url,
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely_%' AND data_type = 'text'
         AND collation_name IS DISTINCT FROM 'C'`,
    )
    expect(other).toEqual([])
    // The order of this database is another one, or the line above would prove nothing.
    expect(await query(url, `SELECT 'č' < 'd' AS croatian`)).toEqual([{ croatian: true }])
  })

  test('has every index and every unique key that SQLite has, but for the names that were given to no key', async () => {
    const path = join(await tempDir(), 'fiskd.db')
    await (await openStore(path, 1)).close()
    const database = new Database(path, { readonly: true })
    const named = database.prepare("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").pluck()
    const wanted = named.all() as string[]
    const keys = database
      .prepare<[], { table: string; index: string }>(`
        SELECT t.name AS "table", i.name AS "index" FROM pragma_table_list AS t JOIN pragma_index_list(t.name) AS i
        WHERE t.schema = 'main' AND i.origin IN ('u', 'pk') AND t.name NOT LIKE 'kysely_%' AND t.name NOT LIKE 'sqlite_%'`)
      .all()
      .map(({ table, index }) => {
        const columns = database.prepare('SELECT name FROM pragma_index_info(?) ORDER BY seqno').pluck().all(index)
        return `${table} (${columns.join(', ')})`
      })
    database.close()
    const url = await postgresDatabase()
    const found = await query<{ name: string; key: string }>(
      url,
      `SELECT i.relname AS name, t.relname || ' (' || (
         SELECT string_agg(a.attname, ', ' ORDER BY k.place) FROM unnest(x.indkey) WITH ORDINALITY AS k (number, place)
         JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number) || ')' AS key
       FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
       WHERE t.relnamespace = 'public'::regnamespace AND t.relname NOT LIKE 'kysely_%'
         AND t.relname <> ALL ($1)`,
      [OF_PROCESSES],
    )
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(wanted))
    const unnamed = found.filter(({ name }) => !wanted.includes(name)).map(({ key }) => key)
    // The rowid is SQLite's own key of a table with an integer one.
    const rowids = ['outbox (position)', 'outbox_gap (only)', 'sync_enrolment (only)']
    // On SQLite keys are removed in the order of their rowids.
    const byAge = 'idempotency_keys (created_at)'
    expect(unnamed.toSorted()).toEqual([...keys, ...rowids, byAge].toSorted())
  })
})
