import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { NotStored } from '../../fiscal/ports/store.ts'
import type { Tables } from '../shared/tables.ts'
import { isWrittenOnce } from '../shared/written-once.ts'
import { connectionsTo } from './connect.ts'
import { BEGINS, cutOff, SESSION, withLimits } from './connection.ts'
import type { WatchedReach } from './reach.ts'
import { asAway, kindOf, namesAreUnknown } from './server-faults.ts'

/** Sales of one premises queue before they take a connection: the other connections serve everything else. */
const MOST_CONNECTIONS = 10

/** How long, and how often, a connection is tried to get; in milliseconds. */
const PATIENCE_MS = 3_500
const AGAIN_MS = 100

/** The same transaction may succeed when it is repeated at once. */
export class Repeatable extends NotStored {}

export type PoolDeps = Pick<WatchedReach, 'here' | 'suspect'>

const ALWAYS_HERE: PoolDeps = { here: async () => {}, suspect: () => {} }

export type Pool = ReturnType<typeof openPool>

/**
 * A pool of connections to a server. It connects on demand, and again after the database was unreachable. A read whose
 * connection breaks is repeated over another one; any other query throws `DatabaseAway`, and its outcome is unknown.
 * `NotStored` is thrown where the server fails and stores nothing, or where no connection was free in time.
 */
export function openPool(url: string, { here, suspect } = ALWAYS_HERE, name = 'fiskd') {
  const pool = new pg.Pool({
    application_name: name,
    max: MOST_CONNECTIONS,
    // Of waiting until one is free, too.
    connectionTimeoutMillis: PATIENCE_MS,
    Client: connectionsTo(url) as never,
  })
  const prepared = new WeakSet<pg.PoolClient>()
  const clients = new Set<pg.PoolClient>()
  const waiting = new Map<object, number>()
  const names = createNames()
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  // The server ended an idle connection: the next query opens another one.
  pool.on('error', () => suspect())

  function timed<T>(work: Promise<T>): Promise<T> {
    const entry = {}
    waiting.set(entry, performance.now())
    return work.finally(() => waiting.delete(entry))
  }

  async function open(): Promise<pg.PoolClient> {
    const client = await timed(pool.connect())
    if (prepared.has(client)) return client
    try {
      await timed(client.query(SESSION))
    } catch (error) {
      client.release(true)
      throw error
    }
    prepared.add(client)
    return client
  }

  /** Nothing was asked yet, so this can be tried again. */
  async function take(): Promise<pg.PoolClient> {
    for (let until = performance.now() + PATIENCE_MS; ; ) {
      await here()
      try {
        return await open()
      } catch (error) {
        if (!kindOf(error)) throw error
        suspect()
        if (performance.now() > until - AGAIN_MS) throw asAway(error, NotStored)
        await setTimeout(AGAIN_MS)
      }
    }
  }

  async function connect(): Promise<PostgresPoolClient> {
    let client: pg.PoolClient | undefined = await take()
    let inTransaction = false

    async function ask(text: string, values: readonly unknown[]) {
      // Over another connection it would not be part of the transaction.
      if (inTransaction && !client) throw new Repeatable()
      client ??= await take()
      const result = await timed(client.query(names.queryOf(withLimits(text), values)))
      // After a failed statement PostgreSQL treats `commit` as `rollback`, and only `command` shows it.
      if (text === 'commit' && result.command !== 'COMMIT') {
        throw new Error('the transaction was not stored: one of its statements had failed')
      }
      if (BEGINS.test(text)) inTransaction = true
      return result
    }

    async function query(text: string, values: readonly unknown[], isAgain = false): Promise<Result> {
      // The transaction is gone with its connection; the earlier error says why.
      if (text === 'rollback' && !client) return { command: 'ROLLBACK', rowCount: 0, rows: [] }
      try {
        return await ask(text, values)
      } catch (error) {
        if (namesAreUnknown(error)) {
          names.refuse()
          if (inTransaction) throw new Repeatable(error)
          return ask(text, values)
        }
        const kind = kindOf(error)
        if (kind === 'lost' || text === 'rollback' || BEGINS.test(text)) {
          client?.release(true)
          client = undefined
        }
        if (text === 'rollback') return query(text, values)
        if (!kind) throw error
        if (kind !== 'busy') suspect(kind === 'failing')
        if (inTransaction) throw asAway(error, kind === 'lost' && text === 'commit' ? undefined : Repeatable)
        const mayBeStored = kind === 'lost' && !(BEGINS.test(text) || READS.test(text))
        if (isAgain || mayBeStored)
          throw asAway(error, mayBeStored ? undefined : BEGINS.test(text) ? Repeatable : NotStored)
        return kind === 'busy' && ROWS.test(text) ? alone(text, values) : query(text, values, true)
      }
    }

    /** In a transaction, and so with the limits of fiskd: one of the connection's own may have ended it. */
    async function alone(text: string, values: readonly unknown[]): Promise<Result> {
      await query('begin', [], true)
      const result = await query(text, values).catch(async (error: unknown) => {
        await query('rollback', [])
        throw error
      })
      await query('commit', [])
      inTransaction = false
      return result
    }

    return {
      query: (text: string, values: readonly unknown[]) => query(text, values),
      release: () => client?.release(),
    } as unknown as PostgresPoolClient
  }

  const checked: PostgresPool = { connect, end: () => pool.end() }
  return {
    db: new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: checked }),
      plugins: [new CamelCasePlugin()],
    }),
    /** Since when the oldest query waits for its answer, by `performance.now`; undefined when none waits. */
    waitsSince: (): number | undefined => waiting.values().next().value,
    /** Closes every connection at once: what waits for an answer fails. */
    cut(): void {
      for (const client of clients) cutOff(client)
    },
  }
}

/** What may be asked twice. */
const READS = /^\s*select\b/i
/** What may be part of a transaction; others are about indexes. */
const ROWS = /^\s*(select|with|insert|update|delete)\b/i

type Result = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>

/** PostgreSQL prepares a statement with a name once per connection: only those whose text never changes have one. */
function createNames() {
  const names = new Map<string, string>()
  let areRefused = false

  function nameOf(text: string): string | undefined {
    if (areRefused || !isWrittenOnce(text)) return undefined
    const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url').slice(0, 32)
    names.set(text, name)
    return name
  }

  return {
    queryOf(text: string, given: readonly unknown[]): pg.QueryConfig {
      const values = READS.test(text) ? given.map(withoutNul) : [...given]
      const name = nameOf(text)
      return { text, values, ...(name && { name }) }
    },
    refuse() {
      areRefused = true
    },
  }
}

/** PostgreSQL text cannot contain NUL: a search for such a text finds nothing instead of failing. */
const withoutNul = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value)
