import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openStore } from '../../src/store/store.ts'
import { clusterUrl, startCluster, stopCluster } from '../../test/support/postgres-cluster.ts'
import type { Scratch } from '../chaos/scratch.ts'

const SECONDS = 2
const ROWS = 30_000

/** A private PostgreSQL with the settings that it comes with, which puts on the disk what it says it has. */
export async function startPostgres(scratch: Scratch) {
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-bench-pg-'))
  scratch.atTheEnd(() => stopCluster(dir))
  await startCluster(dir, process.pid, async () => {}, {})
  const administer = (statement: string) => inDatabase(clusterUrl(dir, 'postgres'), (db) => db.query(statement))
  return {
    dir,
    /** The address of a database. */
    url: (name: string) => clusterUrl(dir, name),
    /** @returns the address of a new database */
    async create(name: string): Promise<string> {
      await administer(`CREATE DATABASE ${name}`)
      return clusterUrl(dir, name)
    },
    drop: (name: string) => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  }
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** The rows of so many sales in bare PostgreSQL with the schema of fiskd, over one connection. */
export async function postgresCeilings(postgres: Postgres, measured: string) {
  const rowsOf = (table: string) =>
    inDatabase(measured, async (db) => {
      const { rows, fields } = await db.query({
        text: `SELECT * FROM ${table} ORDER BY created_at DESC LIMIT ${ROWS}`,
        rowMode: 'array',
      })
      return { rows: rows as unknown[][], columns: fields.map(({ name }) => name) }
    })
  const [invoices, messages] = [await rowsOf('invoices'), await rowsOf('messages')]
  const url = await postgres.create('bare')
  await (await openStore(url, Date.now())).close()
  const rates = await inDatabase(url, async (db) => {
    await withoutParents(db)
    let next = 0
    const store = async (count: number) => {
      await db.query('BEGIN')
      for (const [table, { rows, columns }] of [['invoices', invoices] as const, ['messages', messages] as const]) {
        await db.query(insertOf(table, columns, rows.slice(next, next + count)))
      }
      await db.query('COMMIT')
      next += count
    }
    const timed = async (count: number, upto: number) => {
      const [from, started] = [next, performance.now()]
      while (performance.now() - started < SECONDS * 1000 && next + count <= upto) await store(count)
      return ((next - from) * 1000) / (performance.now() - started)
    }
    const there = Math.min(invoices.rows.length, messages.rows.length)
    return { singly: await timed(1, there / 3), inBulk: await timed(100, there) }
  })
  await postgres.drop('bare')
  return rates
}

/** The rows are there, what they rest on is not. The keys of partitions go with those of their table. */
async function withoutParents(db: pg.Client): Promise<void> {
  const { rows } = await db.query<{ of: string; name: string }>(
    `SELECT conrelid::regclass AS of, conname AS name FROM pg_constraint WHERE contype = 'f' AND conparentid = 0`,
  )
  for (const { of, name } of rows) await db.query(`ALTER TABLE ${of} DROP CONSTRAINT ${name}`)
}

function insertOf(table: string, columns: string[], rows: unknown[][]): pg.QueryConfig {
  const tuples = rows.map((_, row) => `(${columns.map((__, i) => `$${row * columns.length + i + 1}`).join(',')})`)
  const text = `INSERT INTO ${table} (${columns.join(',')}) VALUES ${tuples.join(',')}`
  return { name: `${table} ${rows.length}`, text, values: rows.flat() }
}

async function inDatabase<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
