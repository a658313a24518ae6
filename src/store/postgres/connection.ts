import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Tables } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'

/** Milliseconds. A sale waits for several queries, so a server that takes longer to connect counts as unreachable. */
const CONNECT_MS = 5_000

/** Transactions queue before they take a connection: the other connections serve reads and ingest. */
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

/** Returns times and counts as numbers, as SQLite does; pg would return text. */
function parserOf(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number
  return pg.types.getTypeParser(oid, format)
}

/**
 * A commit is on the disk before it is confirmed, whatever the server's default is. A process that hangs in a
 * transaction, or whose machine is gone, does not block the other processes.
 */
const SESSION = `
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
  SET default_transaction_isolation = 'read committed';
  SET idle_in_transaction_session_timeout = '60s';
  SET tcp_keepalives_idle = 10;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3`

/** Applies the session settings to a new connection. */
export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION)
}

/**
 * Opens a pool of connections to a server. The pool connects on demand, and again after the database was unreachable.
 * @param onTrouble called with every failure that is not a constraint violation
 */
export function openPool(url: string, onTrouble: (error: unknown) => void = () => {}): Db {
  const pool = new pg.Pool({ ...clientOptions(url), max: MOST_CONNECTIONS })
  // The server ended an idle connection: the next query opens another one.
  pool.on('error', () => {})
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: checked(pool) }),
    plugins: [new CamelCasePlugin()],
    log: (event) => {
      if (event.level === 'error' && !isRefusal(event.error)) onTrouble(event.error)
    },
  })
}

/** Handles what pg and kysely do not: settings of new sessions, commits that rolled back, and broken connections. */
function checked(pool: pg.Pool): PostgresPool {
  const prepared = new WeakSet<pg.PoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      let broken = false
      const query = async (text: string, values: readonly unknown[]) => {
        const result = await client.query(text, text.startsWith('select') ? values.map(withoutNul) : [...values])
        // After a failed statement PostgreSQL treats `commit` as `rollback`, and only `command` shows it.
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
            // The connection is gone, and the transaction with it; the earlier error says why.
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

/** PostgreSQL text cannot contain NUL: a search for such a text finds nothing instead of failing. */
const withoutNul = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)

const codeOf = (error: unknown) => String((error as { code?: unknown } | undefined)?.code ?? '')

/** Class 23: a constraint violation, or a trigger that refuses. The database itself is sound. */
const isRefusal = (error: unknown) => codeOf(error).startsWith('23')

/** A deadlock or a serialization failure: the same work may succeed when it is repeated. */
export const mayBeRepeated = (error: unknown) => ['40P01', '40001'].includes(codeOf(error))
