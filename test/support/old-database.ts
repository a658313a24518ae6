import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../src/daemon/config.ts'
import { startDaemon } from '../../src/daemon/lifecycle/daemon.ts'
import { createLog } from '../../src/daemon/lifecycle/log.ts'
import { type Answer, call } from './call.ts'
import type { Gateway } from './gateway.ts'
import { tempDir } from './temp-dir.ts'

const FIXTURES = join(import.meta.dirname, '../store/fixtures')

/** The schemas that there is a filled database of, the oldest first. */
export const OLD_SCHEMAS = readdirSync(FIXTURES)
  .flatMap((file) => /^(.*)\.sql\.gz$/.exec(file)?.[1] ?? [])
  .sort()

/** A database that an earlier fiskd made and filled, in a data directory with its vault key. */
export interface OldDatabase {
  dataDir: string
  path: string
  /** When it was written, epoch milliseconds. */
  at: number
  /** A firmware key of the test mode, and the device that sells with it. */
  key: string
  device: string
  /** A sale that the earlier fiskd answered. */
  replayed: { sale: object; idempotencyKey: string; status: number; body: string }
}

/** @param schema name of its newest schema change */
export async function oldDatabase(schema: string, dataDir?: string): Promise<OldDatabase> {
  const dir = dataDir ?? (await tempDir())
  const sql = gunzipSync(readFileSync(join(FIXTURES, `${schema}.sql.gz`))).toString('utf8')
  const { vaultKey, ...facts } = JSON.parse(sql.slice(3, sql.indexOf('\n')))
  writeFileSync(join(dir, 'vault.key'), Buffer.from(vaultKey, 'base64'), { mode: 0o600 })
  const path = join(dir, 'fiskd.db')
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('foreign_keys = OFF')
  database.exec(`BEGIN; ${sql.slice(sql.indexOf('\n'))} COMMIT`)
  database.close()
  return { dataDir: dir, path, ...facts }
}

export type Row = Record<string, unknown>

/** All rows of all tables, by their key. */
export function allRows(path: string): Map<string, Row[]> {
  const database = new Database(path, { readonly: true })
  database.defaultSafeIntegers()
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
    return new Map(
      tables.map((name) => [name, database.prepare<[], Row>(`SELECT * FROM "${name}" ORDER BY 1, 2`).all()]),
    )
  } finally {
    database.close()
  }
}

/** The rows that refer to rows that are not there: an upgrade runs with foreign keys switched off. */
export function danglingReferences(path: string): unknown[] {
  const database = new Database(path, { readonly: true })
  try {
    return database.pragma('foreign_key_check') as unknown[]
  } finally {
    database.close()
  }
}

export interface Upgraded {
  v1(path: string, options?: { body?: object; headers?: Record<string, string> }): Promise<Answer>
  admin: Gateway['admin']
  stop(): Promise<void>
}

/** Starts this fiskd on such a database, at a moment shortly after it was written or later. */
export async function startOn(old: OldDatabase, now: number, env: Record<string, string>): Promise<Upgraded> {
  const config = readConfig({
    FISKD_DATA_DIR: old.dataDir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_LOG_LEVEL: 'silent',
    ...env,
  })
  const ahead = now - Date.now()
  const daemon = await startDaemon(config, createLog('silent'), {
    now: () => Date.now() + ahead,
    elapsed: () => performance.now(),
    synchronised: async () => true,
  })
  onTestFinished(() => daemon.close())
  const [base = ''] = daemon.urls
  return {
    v1(path, { body, headers } = {}) {
      const ca = readFileSync(join(old.dataDir, 'tls', 'ca.pem'), 'utf8')
      return call(
        { base, ca },
        { path: `/v1${path}`, body, headers: { authorization: `Bearer ${old.key}`, ...headers } },
      )
    },
    admin: (path, options) => call({ socketPath: config.socketPath }, { ...options, path }),
    stop: () => daemon.close(),
  }
}
