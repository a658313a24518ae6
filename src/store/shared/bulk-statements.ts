import { CompiledQuery, type Insertable } from 'kysely'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import type { Db } from '../sqlite/connection.ts'
import { isPostgres } from './queries.ts'
import type { Tables } from './tables.ts'

/**
 * Rows per statement. SQLite prepares each size once, and binds 32,766 values at most. PostgreSQL needs a round trip
 * per statement, and binds 65,535 values at most.
 */
const AT_ONCE = { sqlite: [64, 16, 4, 1], postgres: [500, 100, 20, 5, 1] }

/** By hand: kysely's node for each value costs more than the insert. @param rows with the same columns in order */
export async function insertMany<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
  onConflict: '' | 'ON CONFLICT DO NOTHING' = '',
): Promise<void> {
  const isSqlite = !isPostgres(db)
  const sizes = isSqlite ? AT_ONCE.sqlite : AT_ONCE.postgres
  const columns = Object.keys(rows[0] ?? {})
  for (let start = 0, size = 0; start < rows.length; start += size) {
    size = sizes.find((count) => count <= rows.length - start) ?? 1
    const slice = rows.slice(start, start + size)
    const text = textOf(isSqlite, table, columns, slice.length, onConflict)
    await db.executeQuery(CompiledQuery.raw(text, slice.flatMap(Object.values)))
  }
}

/** Cached because each statement has kilobytes; the cache has one entry per table and size. */
const texts = new Map<string, string>()

function textOf(
  isSqlite: boolean,
  table: string,
  columns: readonly string[],
  rows: number,
  onConflict: string,
): string {
  const key = [isSqlite, table, rows, onConflict, ...columns].join()
  const known = texts.get(key)
  if (known !== undefined) return known
  const head = `INSERT INTO ${snakeCase(table)} (${columns.map(snakeCase).join(', ')}) VALUES `
  const text = `${head}${valuesOf(isSqlite, rows, columns.length)} ${onConflict}`
  texts.set(key, text)
  return text
}

/** `(?, ?), (?, ?)` of SQLite, `($1, $2), ($3, $4)` of PostgreSQL. */
function valuesOf(isSqlite: boolean, rows: number, columns: number): string {
  if (isSqlite) {
    const row = `(${Array(columns).fill('?').join(',')})`
    return Array(rows).fill(row).join(',')
  }
  return Array.from({ length: rows }, (_, row) => {
    const values = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`)
    return `(${values.join(',')})`
  }).join(',')
}
