import type pg from 'pg'
import { describeDatabaseUrl } from '../../domain/database-url.ts'
import { DatabaseAway } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'

/** A process that hangs in a transaction does not block the other ones for longer. */
const HANGS = '10s'

/** The same for one transaction: PgBouncer may have given it a connection without the settings of a session. */
export const LIMIT_HANGS = `SET LOCAL idle_in_transaction_session_timeout = '${HANGS}'`
export const LIMIT_HANGS_COLUMN = `set_config('idle_in_transaction_session_timeout', '${HANGS}', true)`

/** A commit is on the disk before it is confirmed, whatever the default is. A lost machine blocks nobody for long. */
const SESSION = `
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
  SET default_transaction_isolation = 'read committed';
  SET idle_in_transaction_session_timeout = '${HANGS}';
  SET tcp_keepalives_idle = 10;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3`

/** The isolation of every transaction, whatever the default is: a proxy may have given it a session without settings. */
export const readCommitted = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('read committed').execute(work)

export async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SESSION)
}

/** What people are told of a database that is away when it is needed; any other error stays what it is. */
export function cannotBeOpened(url: string, error: unknown, fix = ''): unknown {
  if (!(error instanceof DatabaseAway)) return error
  const { message } = error.cause as Error
  return new Error(`the database ${describeDatabaseUrl(url)} cannot be opened: ${message}${fix}`, { cause: error })
}

/** Closes a connection at once, without a word to the server. */
export function cutOff(client: unknown): void {
  const { connection } = client as { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}

const messageOf = (error: unknown) => String((error as { message?: unknown } | undefined)?.message)
export const codeOf = (error: unknown) => String((error as { code?: unknown } | undefined)?.code ?? '')

/** Class 23: a constraint violation, or a trigger that refuses. The database itself is sound. */
export const isRefusal = (error: unknown) => codeOf(error).startsWith('23')

/** A deadlock, a serialization failure, or a transaction that PostgreSQL ended because it paused for too long. */
const REPEATABLE = ['40P01', '40001', '25P03']

/** The same transaction may succeed when it is repeated. */
export const wasRefusedForNow = (error: unknown) => REPEATABLE.includes(codeOf(error))

/** What a proxy that gives each transaction another connection says about statements with a name. */
const UNNAMED = ['26000', '42P05']
/** A newer process has added a column to what the statement selects. */
const CHANGED = /^cached plan must not change/

export const namesAreUnknown = (error: unknown) => UNNAMED.includes(codeOf(error)) || CHANGED.test(messageOf(error))

/**
 * PostgreSQL ends or refuses the connection: it stops, starts, recovers, is no primary, or takes no more connections.
 * 08 are failures of the connection itself, which PgBouncer reports, too.
 */
const GONE = /^(08...|57P0[1-5]|25006|53300)$/

/** Failures of the network, and what pg says of a connection that was closed. */
const CUT = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ENOENT)/
const CLOSED = /^(Connection terminated|Client has encountered a connection error|timeout expired|Client was closed)/

/** Whether the connection is lost or useless: the outcome of what was asked over it is unknown. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  return GONE.test(code) || CUT.test(code) || CLOSED.test(messageOf(error))
}
