import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

const SECONDS = 2

/** What this disk can do at all: 4 KB written and on the disk, one after another, in a second. */
export function fsyncsPerSecond(dir: string): number {
  const path = join(dir, 'fsync')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096, 1)
  let count = 0
  const until = performance.now() + SECONDS * 1000
  while (performance.now() < until) {
    writeSync(file, block)
    fdatasyncSync(file)
    count++
  }
  closeSync(file)
  rmSync(path)
  return count / SECONDS
}

/** The rows of so many sales in bare SQLite, as durable as fiskd writes them: `[invoice, message]` values in order. */
export function insertsPerSecond(
  path: string,
  columns: { invoices: string[]; messages: string[] },
  rows: [unknown[], unknown[]][],
): { singly: number; inBulk: number } {
  const db = new Database(path)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  // Without their parents.
  db.pragma('foreign_keys = OFF')
  const into = (table: string, names: string[]) =>
    db.prepare(`INSERT INTO ${table} (${names.join(',')}) VALUES (${names.map(() => '?').join(',')})`)
  const invoice = into('invoices', columns.invoices)
  const message = into('messages', columns.messages)
  let next = 0
  const store = ([first, second]: [unknown[], unknown[]]) => {
    invoice.run(first)
    message.run(second)
  }
  const timed = (work: () => void, most: number) => {
    const [from, started] = [next, performance.now()]
    while (performance.now() - started < SECONDS * 1000 && next - from < most && next < rows.length) work()
    return ((next - from) * 1000) / (performance.now() - started)
  }
  const one = db.transaction(() => store(rows[next++] as [unknown[], unknown[]]))
  const many = db.transaction(() => {
    for (let i = 0; i < 100 && next < rows.length; i++) store(rows[next++] as [unknown[], unknown[]])
  })
  const singly = timed(one, rows.length / 3)
  const inBulk = timed(many, rows.length)
  db.close()
  return { singly, inBulk }
}
