import Database from 'better-sqlite3'

/** How many rows each table of a gateway has. */
export function rowCounts({ database }: { database: string }): Record<string, unknown> {
  const db = new Database(database, { readonly: true })
  try {
    const names = db.prepare("select name from sqlite_master where type = 'table'").pluck().all() as string[]
    return Object.fromEntries(names.map((name) => [name, db.prepare(`select count(*) from "${name}"`).pluck().get()]))
  } finally {
    db.close()
  }
}
