import { setTimeout } from 'node:timers/promises'
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import type { Tables } from '../shared/tables.ts'
import type { Db } from '../sqlite/connection.ts'
import { connectionsTo } from './connect.ts'
import { cutOff, readCommitted, SESSION, withLimits } from './connection.ts'
import { kindOf } from './server-faults.ts'

/** A beat that is not answered by then says that the database is away. */
export const BEAT_MS = 2_000

/** The connection of the beats, apart from the pool, whose connections may all wait for something. */
export function beatConnection(url: string, onDropped: () => void) {
  const Connection = connectionsTo(url)
  let client: pg.Client | undefined

  async function connected(): Promise<pg.Client> {
    if (client) return client
    const fresh = new Connection({ connectionTimeoutMillis: BEAT_MS })
    fresh.on('error', () => drop(fresh))
    fresh.on('end', () => drop(fresh))
    try {
      await fresh.connect()
      await askOver(fresh, SESSION, [])
    } catch (error) {
      drop(fresh)
      throw error
    }
    client = fresh
    return fresh
  }

  function drop(lost: pg.Client): void {
    if (client === lost) client = undefined
    onDropped()
    cutOff(lost)
  }

  async function askOver(on: pg.Client, text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const patience = new AbortController()
    const silence = setTimeout(BEAT_MS, undefined, { signal: patience.signal, ref: false }).then(
      () => {
        drop(on)
        throw new Error(`no answer for ${BEAT_MS / 1000} s`)
      },
      () => undefined,
    )
    const answer = on.query(withLimits(text), [...values])
    answer.catch(() => {})
    try {
      return await Promise.race([answer, silence as Promise<never>])
    } catch (error) {
      // After any other failure the connection can be used.
      if (kindOf(error) !== 'failing') drop(on)
      throw error
    } finally {
      patience.abort()
    }
  }

  /** One statement. Connects when it has to; an answer that takes too long ends the connection. */
  async function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
    return (await askOver(await connected(), text, values)).rows as Row[]
  }

  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        async connect() {
          const on = await connected()
          // A connection that failed took its transaction with it.
          const query = async (text: string, values: readonly unknown[]) =>
            text === 'rollback' && client !== on ? { command: 'ROLLBACK', rows: [] } : askOver(on, text, values)
          return { query, release: () => {} } as unknown as PostgresPoolClient
        },
        end: async () => {},
      },
    }),
    plugins: [new CamelCasePlugin()],
  })

  return {
    ask,
    /** The same, and again when the connection was closed, or other work in the way: neither is about the database. */
    async askTwice<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
      const hadOne = client !== undefined
      try {
        return await ask<Row>(text, values)
      } catch (error) {
        if (!hadOne || !['lost', 'busy'].includes(String(kindOf(error)))) throw error
        return ask(text, values)
      }
    },
    /** Each of its statements has to be answered in the same time. */
    transaction: <T>(work: (trx: Db) => Promise<T>): Promise<T> => readCommitted(db, work),
    /** The next statement connects again. */
    drop(): void {
      if (client) drop(client)
    },
    async end(): Promise<void> {
      const last = client
      client = undefined
      await last?.end().catch(() => {})
    },
  }
}
