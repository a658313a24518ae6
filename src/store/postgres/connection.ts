import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Tables } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'

/** A sale waits for several queries: whoever cannot be reached in this time is not there. */
const CONNECT_MS = 5_000

/** Transactions queue before they take a connection: these are for what is only read meanwhile, and for ingest. */
const MOST_CONNECTIONS = 10

/** What every connection to the server is opened with. */
export const clientOptions = (url: string): pg.ClientConfig => ({
  application_name: 'fiskd',
  connectionTimeoutMillis: CONNECT_MS,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  types: { getTypeParser: parserOf },
  connectionString: url,
})

const INT8 = 20
const NUMERIC = 1700

/** Moments and counts are numbers here as they are with SQLite; pg would make them text. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number
  return pg.types.getTypeParser(oid, format)
}

/**
 * What is answered is on the disk, whatever the server's default is; a process that hangs in the middle of a transaction,
 * or whose machine is gone, does not keep all others waiting.
 */
const SESSION = `
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
  SET default_transaction_isolation = 'read committed';
  SET idle_in_transaction_session_timeout = '60s';
  SET tcp_keepalives_idle = 10;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3`

/** Brings a new connection into the state that all have. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION)
}

/**
 * The database of a server behind a pool of connections, which are opened when they are needed and again after the
 * database was away.
 * @param onTrouble told about every failure that is not a broken constraint
 */
export function openPool(url: string, onTrouble: (error: unknown) => void = () => {}): Db {
  const pool = new pg.Pool({ ...clientOptions(url), max: MOST_CONNECTIONS })
  // An idle connection that the server ends: the next query opens another one.
  pool.on('error', () => {})
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: checked(pool) }),
    plugins: [new CamelCasePlugin()],
    log: (event) => {
      if (event.level === 'error' && !isRefusal(event.error)) onTrouble(event.error)
    },
  })
}

/** What pg and kysely leave open between them: new sessions, commits that were none, and broken connections. */
function checked(pool: pg.Pool): PostgresPool {
  const prepared = new WeakSet<pg.PoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      let broken = false
      const query = async (text: string, values: readonly unknown[]) => {
        const result = await client.query(text, text.startsWith('select') ? values.map(withoutNul) : [...values])
        // After a statement that failed PostgreSQL takes `commit` for `rollback`, and says so nowhere else.
        if (text === 'commit' && result.command !== 'COMMIT') {
          throw new Error('the transaction was not stored: one of its statements had failed')
        }
        return result
      }
      try {
        if (!prepared.has(client)) await prepareSession(client)
        prepared.add(client)
      } catch (error) {
        client.release(true)
        throw error
      }
      return {
        async query(text: string, values: readonly unknown[]) {
          try {
            return await query(text, values)
          } catch (error) {
            if (text !== 'rollback') throw error
            // The connection is gone, and the transaction with it; the error that came before says why.
            broken = true
            return { command: 'ROLLBACK', rowCount: 0, rows: [] }
          }
        },
        release: () => client.release(broken),
      } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  }
}

/** PostgreSQL's text holds no NUL: what is searched for by one is not there, and no reason to fail. */
const withoutNul = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)

const codeOf = (error: unknown) => String((error as { code?: unknown } | undefined)?.code ?? '')

/** Class 23: a broken constraint, or a trigger that refuses. Nothing is wrong with the database. */
const isRefusal = (error: unknown) => codeOf(error).startsWith('23')

/** A deadlock or two that changed the same: the same work may succeed when it is done once more. */
export const mayBeRepeated = (error: unknown) => ['40P01', '40001'].includes(codeOf(error))
