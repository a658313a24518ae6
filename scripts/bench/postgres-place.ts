import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { clusterUrl, startCluster, stopCluster } from '../../test/support/postgres-cluster.ts'
import type { Scratch } from '../chaos/scratch.ts'

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

async function inDatabase<T>(url: string, work: (db: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
