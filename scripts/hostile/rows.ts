import Database from 'better-sqlite3'

/** Every row of a database that belongs to somebody, as text, by table. */
export function rowsOf(path: string, column: 'company_id' | 'tenant_id', value: string): Map<string, string[]> {
  const database = new Database(path, { readonly: true })
  try {
    const tables = database
      .prepare<[string], { name: string }>(
        `SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = ?`,
      )
      .all(column)
    return new Map(
      tables.map(({ name }) => {
        const rows = database.prepare<[string], object>(`SELECT * FROM "${name}" WHERE "${column}" = ?`).all(value)
        return [name, rows.map((row) => JSON.stringify(row)).sort()]
      }),
    )
  } finally {
    database.close()
  }
}

/** How rows of somebody have changed, for people. */
export function changesOf(before: Map<string, string[]>, after: Map<string, string[]>): string[] {
  return [...before].flatMap(([table, rows]) => {
    const now = after.get(table) ?? []
    return [
      ...rows.filter((row) => !now.includes(row)).map((row) => `${table}: gone or changed: ${row.slice(0, 300)}`),
      ...now.filter((row) => !rows.includes(row)).map((row) => `${table}: new: ${row.slice(0, 300)}`),
    ]
  })
}
