import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { openStore } from '../../src/store/store.ts'
import { postgresPrograms } from '../../test/support/postgres-cluster.ts'
import { documentOf } from '../bench/stored-sales.ts'
import type { Ground } from './environment.ts'

/** What PostgreSQL does with the statements of a sale, without fiskd. */
export interface Ceiling {
  perSecond: number
  /** Processor time of PostgreSQL for each, milliseconds. */
  postgresCpuMs: number
}

const DATABASE = 'ceiling'

/** As many connections as the pool of a process has. */
const CONNECTIONS_OF_A_PROCESS = 10

const FOLDER = fileURLToPath(new URL('pgbench', import.meta.url))

/** A database with the schema of fiskd and machines at 500 premises, which pgbench sells at. */
export async function createCeiling({ postgres }: Ground): Promise<void> {
  const url = await postgres.create(DATABASE)
  await (await openStore(url, Date.now())).close()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(readFileSync(join(FOLDER, 'setup.sql'), 'utf8'))
  await client.end()
}

/** Sells at premises chosen at random, through the proxy as it is now. */
export async function runPgbench(
  { processes, premises, seconds }: { processes: number; premises: number; seconds: number },
  ground: Ground,
): Promise<Ceiling> {
  const clients = String(processes * CONNECTIONS_OF_A_PROCESS)
  // About as large as a message of the authority, and as hard to zip.
  const xml = randomBytes(2400).toString('base64')
  const given = { count: premises, now: Date.now(), xml, document: JSON.stringify(documentOf(0, 0, Date.now())) }
  const cpuBefore = ground.postgresCpuMs()
  const { stdout } = await promisify(execFile)(join(postgresPrograms() ?? '', 'pgbench'), [
    ...['-n', '-M', 'prepared', '-c', clients, '-T', String(seconds), '-f', join(FOLDER, 'sale.sql')],
    ...Object.entries(given).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    ground.throughLine(DATABASE),
  ])
  const numberOf = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN)
  const failed = numberOf(/failed transactions: (\d+)/)
  const done = numberOf(/actually processed: (\d+)/)
  if (failed > 0 || !(done > 0)) throw new Error(`pgbench did not sell:\n${stdout}`)
  return {
    perSecond: numberOf(/tps = ([\d.]+)/),
    postgresCpuMs: (ground.postgresCpuMs() - cpuBefore) / done,
  }
}
