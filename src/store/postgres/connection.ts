import { describeDatabaseUrl } from '../../domain/database-url.ts'
import { DatabaseAway } from '../../fiscal/ports/store.ts'
import type { Db } from '../sqlite/connection.ts'

/**
 * Limits of fiskd's own, in the place of those of a role, a database or a service. A process that hangs in a transaction
 * does not block the other ones for longer.
 */
const limits = (scope: '' | 'LOCAL') => `
  SET ${scope} statement_timeout = 0;
  SET ${scope} lock_timeout = 0;
  SET ${scope} idle_in_transaction_session_timeout = '10s'`

/** A commit is on the disk before it is confirmed, whatever the default is. A lost machine blocks nobody for long. */
export const SESSION = `${limits('')};
  SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('transaction_timeout', 'idle_session_timeout');
  SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
  SET default_transaction_isolation = 'read committed';
  SET tcp_keepalives_idle = 10;
  SET tcp_keepalives_interval = 5;
  SET tcp_keepalives_count = 3`

export const BEGINS = /^(begin|start transaction)\b/

/**
 * The limits are in force from the second statement of a transaction: PgBouncer may have given it a connection without
 * those of a session. They are one message with its beginning, and take no snapshot.
 */
export const withLimits = (text: string): string => (BEGINS.test(text) ? `${text};${limits('LOCAL')}` : text)

/** The isolation of every transaction, whatever the default is: a proxy may have given it a session without settings. */
export const readCommitted = <T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('read committed').execute(work)

/** What people are told of a database that is away when it is needed; any other error stays what it is. */
export function cannotBeOpened(url: string, error: unknown, fix = ''): unknown {
  if (!(error instanceof DatabaseAway)) return error
  const { message } = (error.cause ?? error) as Error
  return new Error(`the database ${describeDatabaseUrl(url)} cannot be opened: ${message}${fix}`, { cause: error })
}

/** Closes a connection at once, without a word to the server. */
export function cutOff(client: unknown): void {
  const { connection } = client as { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}
