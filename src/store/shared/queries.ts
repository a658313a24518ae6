import {
  type ExpressionBuilder,
  type FilterObject,
  type Insertable,
  PostgresAdapter,
  type RawBuilder,
  type SelectQueryBuilder,
  type SelectType,
  type SqlBool,
  sql,
  type Updateable,
  type UpdateResult,
} from 'kysely'
import type { Position, Slice } from '../../fiscal/ports/rows/lists.ts'
import type { Db } from '../sqlite/connection.ts'
import type { Tables } from './tables.ts'

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter

/**
 * A read that also locks the rows until the transaction ends. It first waits for transactions that have changed them.
 * Rows that refer to them can still be stored: a sale does not wait for a change of its company.
 */
export function locked<DB, T extends keyof DB, Row>(db: Db, query: SelectQueryBuilder<DB, T, Row>) {
  return isPostgres(db) ? query.forNoKeyUpdate() : query
}

/** Runs a statement whose result says nothing. */
export async function run(statement: { execute(): Promise<unknown> }): Promise<void> {
  await statement.execute()
}

/** Stores a row; where one with the same key is there, its other columns are changed. */
export async function upsert<T extends keyof Tables>(
  db: Db,
  table: T,
  row: Insertable<Tables[T]>,
  ...key: (keyof Tables[T] & string)[]
): Promise<void> {
  const others = Object.entries(row).filter(([column]) => !key.some((name) => name === column))
  // Of all tables the types are those of one, which kysely can follow.
  await db
    .insertInto(table as 'meta')
    .values(row as never)
    .onConflict((conflict) => conflict.columns(key as never[]).doUpdateSet(Object.fromEntries(others)))
    .execute()
}

/** Runs a change of one row. @returns whether the row was there and met the conditions */
export async function changesOne(update: { executeTakeFirst(): Promise<UpdateResult> }): Promise<boolean> {
  return (await update.executeTakeFirst()).numUpdatedRows === 1n
}

/** Changes the row that has these values, null as well. @returns whether it was there */
export async function change<T extends keyof Tables>(
  db: Db,
  table: T,
  whose: Readonly<FilterObject<Tables, T>>,
  changes: Updateable<Tables[T]>,
): Promise<boolean> {
  // Of all tables the types are those of one, which kysely can follow.
  return await db
    .updateTable(table as 'meta')
    .set(changes as never)
    .where(matching(whose as never))
    .$call(changesOne)
}

/** Keeps column names unchanged: of thousands of rows, or a statement of many parts, converting them costs more than it. */
export async function rawRows<Row>(db: Db, query: RawBuilder<unknown>): Promise<Row[]> {
  return (await (query as RawBuilder<Row>).execute(db.withoutPlugins())).rows
}

export async function countOf<DB, T extends keyof DB>(rows: SelectQueryBuilder<DB, T, object>): Promise<number> {
  const counted = rows.select(sql`count(*)`.as('count')) as SelectQueryBuilder<DB, T, { count: number }>
  return (await counted.executeTakeFirstOrThrow()).count
}

/** The condition that columns have these values, null as well. */
export const matching =
  <T extends keyof Tables>(values: Readonly<FilterObject<Tables, T>>) =>
  (eb: ExpressionBuilder<Tables, T>) =>
    eb.and(values)

/** Those of the rows that have these values; null and undefined do not filter. */
export function having<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  values: { [K in keyof Tables[T]]?: SelectType<Tables[T][K]> | null | undefined },
): SelectQueryBuilder<Tables, T, O> {
  const named = Object.entries(values).filter(([, value]) => value != null)
  return named.reduce((narrowed, [column, value]) => narrowed.where(sql.ref(column), '=', value), query)
}

/** The rows beyond a position in a list, by the columns that the list is ordered by: an index finds them at once. */
export function beyond(at: string, direction: '<' | '>', after: Position) {
  return sql<SqlBool>`(${sql.ref(at)}, id) ${sql.raw(direction)} (${after.at}, ${after.id})`
}

export function sliceBy<DB, T extends keyof DB, O>(
  query: SelectQueryBuilder<DB, T, O>,
  at: string,
  direction: 'asc' | 'desc',
  { limit, after }: Slice,
): SelectQueryBuilder<DB, T, O> {
  const slice = query.orderBy(sql.ref(at), direction).orderBy(sql.ref('id'), direction).limit(limit)
  return after ? slice.where(beyond(at, direction === 'asc' ? '>' : '<', after)) : slice
}

/**
 * Rows of these companies, all for null, none for an empty list.
 * @param index `unindexed` where another condition has a better one
 */
export function ofCompanies(column: string, ids: readonly string[] | null, index: 'indexed' | 'unindexed' = 'indexed') {
  if (ids === null || ids.length === 0) return sql<SqlBool>`1 = ${sql.lit(ids === null ? 1 : 0)}`
  const value = index === 'indexed' ? sql.ref(column) : sql`${sql.ref(column)} || ''`
  return sql<SqlBool>`${value} IN (${sql.join(ids)})`
}

/** How fields that are no texts, numbers or bytes are stored: by their names, as JSON text or as 0 and 1. */
interface Kinds<Json, Flag> {
  json?: readonly Json[]
  flags?: readonly Flag[]
}

/** A model, or a part of it, as columns. */
type Written<Part, Json, Flag> = {
  [K in keyof Part]: K extends Json
    ? Extract<Part[K], null | undefined> | string
    : K extends Flag
      ? Extract<Part[K], undefined> | number
      : Part[K]
}

/**
 * Translates between the fields of a model and the columns of its table, which has the same names. Fields that are left
 * out, as in a change, stay left out; a JSON field that is null is NULL.
 */
export function columnsOf<Model>() {
  return <const Json extends keyof Model & string = never, const Flag extends keyof Model & string = never>({
    json = [],
    flags = [],
  }: Kinds<Json, Flag>) => ({
    toColumns<Part extends Partial<Model>>(part: Part): Written<Part, Json, Flag> {
      const row: Record<string, unknown> = { ...part }
      for (const name of json) if (row[name] != null) row[name] = JSON.stringify(row[name])
      for (const name of flags) if (row[name] !== undefined) row[name] = Number(row[name])
      return row as Written<Part, Json, Flag>
    },
    /** Without the position in the outbox of a gateway, which no model has. */
    toModel<Row extends (Written<Model, Json, Flag> & { syncVersion?: number }) | undefined>(row: Row) {
      if (row === undefined) return undefined as Found<Row, Model>
      const { syncVersion: _version, ...model } = row as Record<string, unknown>
      for (const name of json) if (model[name] !== null) model[name] = JSON.parse(model[name] as string)
      for (const name of flags) model[name] = model[name] === 1
      return model as Found<Row, Model>
    },
  })
}

/** Undefined only where the row may be. */
type Found<Row, Model> = Model | Extract<Row, undefined>

/** Excludes premises whose receipts a gateway numbers: of these only the highest number is known here. */
export const notOfGateway = (table: string) =>
  sql<boolean>`NOT EXISTS (SELECT 1 FROM premises_claims
    WHERE premises_claims.company_id = ${sql.ref(`${table}.company_id`)}
      AND premises_claims.premises_code = ${sql.ref(`${table}.premises_code`)})`
