import { type KyselyPlugin, type RootOperationNode, sql, type Transaction } from 'kysely'
import type { Tables } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'
import { differences } from '../sqlite/schema-check.ts'
import { changesOf, makeSchema } from './migrate.ts'

/**
 * Compares the schema of a database with the one that the migrations make: a disabled trigger causes no error. Other
 * tables, and indexes that only make queries faster, are ignored. @returns the differences, as text for people
 */
export async function schemaProblems(db: Db): Promise<string[]> {
  const wanted = await wantedSchema(db)
  const actual = await schemaOf(db, tablesIn(wanted))
  return differences(textsOf(wanted), textsOf(actual))
}

/** The tables that the migrations make. */
export const ownTables = async (db: Db): Promise<string[]> => [...tablesIn(await wantedSchema(db))]

async function wantedSchema(db: Db): Promise<Parts> {
  const { rows } = await sql<{ serverVersion: string }>`SHOW server_version`.execute(db)
  const changes = await changesOf(db)
  const key = [rows[0]?.serverVersion, ...changes].join()
  const wanted = known.get(key) ?? (await freshSchema(db, changes))
  known.set(key, wanted)
  return wanted
}

type Parts = Map<string, { table: string; text: string }>
const tablesIn = (parts: Parts) => new Set([...parts.values()].map(({ table }) => table))
const textsOf = (parts: Parts) => new Map([...parts].map(([name, { text }]) => [name, text]))

/** By version of PostgreSQL, which prints definitions in its own way, and by the changes made: some may be put off. */
const known = new Map<string, Parts>()

/** Made as temporary tables, which needs no right to make a schema. What is rolled back was never there for others. */
async function freshSchema(db: Db, changes: readonly string[]): Promise<Parts> {
  let found: Parts = new Map()
  const done = new Error('read')
  const work = async (trx: Transaction<Tables>) => {
    await sql`SET LOCAL search_path = pg_temp`.execute(trx)
    await makeSchema(trx.withPlugin(temporaryFunctions), changes)
    found = await schemaOf(trx)
    throw done
  }
  await db
    .transaction()
    .execute(work)
    .catch((error: unknown) => {
      if (error !== done) throw error
    })
  return found
}

/** PostgreSQL finds a function of the temporary schema only by its whole name. */
const temporaryFunctions: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== 'RawNode') return node
    const sqlFragments = node.sqlFragments.map((text) => text.replace('EXECUTE FUNCTION ', '$&pg_temp.'))
    return { ...node, sqlFragments } satisfies RootOperationNode
  },
  transformResult: async ({ result }) => result,
}

/** Everything that protects rows, by kind and name, as PostgreSQL prints it. @param tables only those of these */
async function schemaOf(db: Db, tables?: ReadonlySet<string>): Promise<Parts> {
  const all = await PARTS.execute(db)
  const rows = all.rows.filter(({ table }) => tables?.has(table) ?? true)
  // Before version 15 PostgreSQL prints the temporary schema with its number.
  const local = (text: string, schema: string) => text.replaceAll(` ${schema}.`, ' ').replaceAll(' pg_temp.', ' ')
  return new Map(rows.map(({ schema, name, table, text }) => [name, { table, text: local(text, schema) }]))
}

const PARTS = sql<{ schema: string; name: string; table: string; text: string }>`
  WITH tables AS (
    SELECT c.oid, c.relname AS name FROM pg_class c
    WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind = 'r' AND c.relname NOT LIKE 'kysely\\_%'
  )
  SELECT quote_ident(current_schema()) AS schema, part.* FROM (
    SELECT 'column ' || t.name || '.' || a.attname AS name, t.name AS table,
      concat_ws(' ', format_type(a.atttypid, a.atttypmod), (SELECT collname FROM pg_collation WHERE oid = a.attcollation),
        a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid)) AS text
    FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
    UNION ALL
    SELECT 'constraint ' || c.conname, t.name, concat_ws(' ', pg_get_constraintdef(c.oid), c.convalidated,
      EXISTS (SELECT 1 FROM pg_trigger WHERE tgconstraint = c.oid AND tgenabled <> 'O'))
    FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid
    UNION ALL
    SELECT 'index ' || i.relname, t.name, concat_ws(' ', pg_get_indexdef(x.indexrelid), x.indisvalid)
    FROM tables t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
    UNION ALL
    SELECT 'trigger ' || g.tgname, t.name, concat_ws(' ', pg_get_triggerdef(g.oid), g.tgenabled, p.prosrc)
    FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal JOIN pg_proc p ON p.oid = g.tgfoid
    UNION ALL
    SELECT 'rule ' || r.rulename, t.name, pg_get_ruledef(r.oid)
    FROM tables t JOIN pg_rewrite r ON r.ev_class = t.oid
    UNION ALL
    SELECT 'table ' || t.name, t.name, concat_ws(' ', c.relrowsecurity, c.relpersistence = 'u')
    FROM tables t JOIN pg_class c ON c.oid = t.oid
  ) AS part`
