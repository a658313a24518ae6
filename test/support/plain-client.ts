import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** No room that is left in a page takes it. */
const WRITE = `INSERT INTO writes SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 240)`

/** Writes every 100 ms as psql would in a loop, with `connect_timeout=2`, until it is told to stop. */
export async function writeOnAndOn(url: string, stop: AbortSignal, onWrite: () => void): Promise<void> {
  let client: pg.Client | undefined
  for (; !stop.aborted; await pause(100)) {
    try {
      client ??= await connect(url)
      await client.query(WRITE)
      onWrite()
    } catch {
      client?.end().catch(() => {})
      client = undefined
    }
  }
  await client?.end()
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  await client.connect()
  await client.query('CREATE TABLE IF NOT EXISTS writes (text text)')
  return client
}
