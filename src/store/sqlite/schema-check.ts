import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, SqliteDialect, sql } from 'kysely'
import type { Db } from './connection.ts'
import { migrateToLatest } from './migrate.ts'

/** Digest of the schema that the migrations make, so that a start need not build it: `schema.test.ts` tells a new value. */
export const SCHEMA_DIGEST = '2ef47b54045515e6e0dbdf7b42ed132e4c323e8ec8f475de9dafabe7bd3b446c'

/**
 * Compares the schema of a database with the one that the migrations make: a dropped trigger causes no error. Additions
 * are ignored, unless they are triggers or tables. @returns the differences, as text for people
 */
export async function schemaProblems(db: Db): Promise<string[]> {
  const actual = await schemaOf(db)
  if (digestOf(actual) === SCHEMA_DIGEST) return []
  return differences(await freshSchema(), actual)
}

/** @param wanted statements by kind and name, as `actual` */
export function differences(wanted: ReadonlyMap<string, string>, actual: ReadonlyMap<string, string>): string[] {
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
  await using db: Db = new Kysely({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] })
  await migrateToLatest(db)
  return await schemaOf(db)
}

export function digestOf(schema: Map<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...schema].sort()))
    .digest('hex')
}

/** Statements by kind and name, without internal tables; differences in quotes and blanks are ignored. */
async function schemaOf(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ type: string; name: string; sql: string }>`
    SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      AND name NOT LIKE 'kysely\\_%' ESCAPE '\\'
  `.execute(db)
  return new Map(rows.map((row) => [`${row.type} ${row.name}`, row.sql.replace(/["\s]+/g, ' ')]))
}
