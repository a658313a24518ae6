import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import type { Db } from './connection.ts'
import { migrateToLatest } from './migrate.ts'

/** Digest of the schema that the migrations make, so that a start need not build it: `schema.test.ts` tells a new value. */
export const SCHEMA_DIGEST = 'b7f500b7c25213b988337555efa3f9e286d5ebad6496f77beda0ee578dc8cd51'

/**
 * Compares the schema of a database with the one that the migrations make: a dropped trigger protects nothing, and
 * causes no error. Additions such as an index are ignored, unless they are triggers or tables.
 * @returns the differences, as text for people
 */
export async function schemaProblems(db: Db): Promise<string[]> {
  const actual = await schemaOf(db)
  if (digestOf(actual) === SCHEMA_DIGEST) return []
  const wanted = await freshSchema()
  const differing = [...wanted].filter(([name, statement]) => actual.get(name) !== statement)
  const strange = [...actual].filter(([name, text]) => !wanted.has(name) && !text.startsWith('CREATE INDEX'))
  return [
    ...differing.map(([name]) =>
      actual.has(name) ? `the ${name} is not the one fiskd made` : `the ${name} is missing`,
    ),
    ...strange.map(([name]) => `the ${name} is not fiskd's`),
  ]
}

export async function freshSchema(): Promise<Map<string, string>> {
  const database = new Database(':memory:')
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] })
  try {
    await migrateToLatest(db)
    return await schemaOf(db)
  } finally {
    await db.destroy()
  }
}

export function digestOf(schema: Map<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...schema].sort()))
    .digest('hex')
}

/**
 * Statements by kind and name. Internal tables of SQLite and kysely are left out, and differences in quotes and blanks
 * are ignored.
 */
async function schemaOf(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      AND name NOT LIKE 'kysely\\_%' ESCAPE '\\'
  `.execute(db)
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, row.sql.replace(/["\s]+/g, ' ')]))
}
