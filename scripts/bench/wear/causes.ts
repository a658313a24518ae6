import Database from 'better-sqlite3'

/** Pages of one table or index that were written to the log. */
export interface Cause {
  /** The table or index; apart from them the long rows of a table, and what is free or belongs to SQLite. */
  tree: string
  pages: number
}

/** Which table or index the pages of a log belong to, the most written first. */
export function causesOf(path: string, written: readonly number[]): Cause[] {
  const database = new Database(path, { readonly: true, fileMustExist: true })
  try {
    const stat = database.prepare<[], { pageno: number; name: string; pagetype: string }>(
      'SELECT pageno, name, pagetype FROM dbstat',
    )
    const trees = new Map<number, string>()
    for (const { pageno, name, pagetype } of stat.all()) {
      trees.set(pageno, pagetype === 'overflow' ? `${name}, long rows` : name)
    }
    const counts = new Map<string, number>()
    for (const page of written) {
      const tree = trees.get(page) ?? 'free by now'
      counts.set(tree, (counts.get(tree) ?? 0) + 1)
    }
    return [...counts].map(([tree, pages]) => ({ tree, pages })).sort((one, other) => other.pages - one.pages)
  } finally {
    database.close()
  }
}
