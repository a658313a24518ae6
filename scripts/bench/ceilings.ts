import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

const SECONDS = 2
/** Of 4 KB each: as many as SQLite's log has pages. */
const PLACES = 1000

/** What this disk can do at all: 4 KB written and on the disk, one after another, in a second. */
export function fsyncsPerSecond(dir: string, seconds = SECONDS): number {
  const path = join(dir, 'fsync')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096, 1)
  // As in a log that is begun anew: the file is there, and does not grow.
  for (let i = 0; i < PLACES; i++) writeSync(file, block)
  fdatasyncSync(file)
  let count = 0
  const until = performance.now() + seconds * 1000
  while (performance.now() < until) {
    writeSync(file, block, 0, block.length, (count % PLACES) * block.length)
    fdatasyncSync(file)
    count++
  }
  closeSync(file)
  rmSync(path)
  return count / seconds
}

/** What an operation takes in one thread, milliseconds. */
export interface Cost {
  /** By the clock, others who use the machine included. */
  wallMs: number
  /** Of processor time. */
  cpuMs: number
}

/** RSA-2048 with SHA-256 by node:crypto, over about as many bytes as a SignedInfo has. */
export function rsaCosts(seconds: number): { sign: Cost; verify: Cost } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const text = Buffer.alloc(800, 'x')
  const signature = sign('sha256', text, privateKey)
  return {
    sign: costOf(() => void sign('sha256', text, privateKey), seconds),
    verify: costOf(() => void verify('sha256', text, publicKey, signature), seconds),
  }
}

function costOf(work: () => void, seconds: number): Cost {
  for (let i = 0; i < 50; i++) work()
  let count = 0
  const [started, before] = [performance.now(), process.cpuUsage()]
  while (performance.now() - started < seconds * 1000) {
    work()
    count++
  }
  const { user, system } = process.cpuUsage(before)
  return { wallMs: (performance.now() - started) / count, cpuMs: (user + system) / 1000 / count }
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
