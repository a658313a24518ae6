/** The types of SQLite's schema; text is compared by its bytes, as there. */
const TYPES = { TEXT: 'text COLLATE "C"', INTEGER: 'bigint', BLOB: 'bytea' } as const

/** A statement that makes a table or a column, as PostgreSQL wants it. */
export function inTypesOfPostgres(statement: string): string {
  return statement
    .replace(/\b(TEXT|INTEGER|BLOB)\b/g, (type) => TYPES[type as keyof typeof TYPES])
    .replace(/ STRICT(, WITHOUT ROWID)?$/, '')
}
