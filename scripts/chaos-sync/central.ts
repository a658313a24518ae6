import { join } from 'node:path'
import type { Scratch } from '../chaos/scratch.ts'
import { ask, openCluster } from './cluster.ts'
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
  const url = (await openCluster({}, scratch)).url('postgres')
  return {
    env: { FISKD_DATABASE_URL: url },
    rows: async (table) => asText(table, await ask(url, `SELECT * FROM ${table}`)),
  }
}
