import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { clusterUrl, startCluster, stopCluster } from '../../test/support/postgres-cluster.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { asText, type Rows, readSqlite, type Table } from './rows.ts'

/** Where the server's rows lie. */
export interface Central {
  /** What its processes are told about it. */
  env: Record<string, string>
  /** @param dataDir of a process that has ended */
  rows(table: Table, dataDir: string): Promise<Rows>
}

export async function openCentral(store: 'postgres' | 'sqlite', scratch: Scratch): Promise<Central> {
  if (store === 'sqlite') {
    return { env: {}, rows: async (table, dataDir) => readSqlite(join(dataDir, 'fiskd.db'), table) }
  }
  // Not in the scratch folder, which only its owner may enter: PostgreSQL runs as somebody else where we are root.
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-postgres-'))
  scratch.atTheEnd(() => stopCluster(dir))
  await startCluster(dir, process.pid, async () => {})
  const url = clusterUrl(dir, 'postgres')
  return {
    env: { FISKD_DATABASE_URL: url },
    async rows(table) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        return asText(table, (await client.query(`SELECT * FROM ${table}`)).rows)
      } finally {
        await client.end()
      }
    },
  }
}
