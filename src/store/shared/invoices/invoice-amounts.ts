import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../sqlite/connection.ts'
import { isPostgres } from '../dialects.ts'

/** The total of an invoice in cents. The indexes by amount have these very words. */
const AMOUNT_OF_SQLITE = `CAST(replace(json_extract(document, '$.total'), '.', '') AS INTEGER)`
const AMOUNT_OF_POSTGRES = `(replace(document::jsonb ->> 'total', '.', '')::bigint)`

export function amountOf(db: Db): RawBuilder<bigint> {
  return sql.raw(isPostgres(db) ? AMOUNT_OF_POSTGRES : AMOUNT_OF_SQLITE)
}

/** A field of the document as text. */
export function documentField(db: Db, name: 'paymentMethod'): RawBuilder<string> {
  return sql.raw(isPostgres(db) ? `(document::jsonb ->> '${name}')` : `json_extract(document, '$.${name}')`)
}
