import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ownAccount } from './postgres-cluster.ts'

/** Where Debian puts it, which is not on everybody's path. */
const PGBOUNCER = '/usr/sbin/pgbouncer'

/** Whether tests that need PgBouncer are skipped, because this machine lacks it and does not have to have it. */
export const skipWithoutPgBouncer = !existsSync(PGBOUNCER) && process.env.FISKD_REQUIRE_TOOLS !== '1'

const PORT = 6432

/**
 * PgBouncer before a cluster of the tests, in transaction mode: each transaction gets any of a few connections. It ends
 * with the cluster.
 * @param dir the folder of the cluster
 */
export function startPgBouncer(dir: string): void {
  const file = (name: string) => join(dir, `pgbouncer.${name}`)
  const settings = {
    ...{ listen_addr: '', listen_port: PORT, unix_socket_dir: dir, auth_type: 'any', pidfile: file('pid') },
    ...{
      logfile: file('log'),
      pool_mode: 'transaction',
      default_pool_size: 5,
      max_client_conn: 1000,
      max_db_connections: 6,
    },
    // Tests drop their databases at once.
    server_idle_timeout: 1,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(file('ini'), `[databases]\n* = host=${dir} user=fiskd\n\n[pgbouncer]\n${lines.join('')}`)
  chmodSync(file('ini'), 0o644)
  execFileSync(PGBOUNCER, ['-d', '-q', file('ini')], {
    ...ownAccount(),
    cwd: dir,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** The same database through a PgBouncer of the running test's own. */
export function bounced(direct: string): string {
  const dir = decodeURIComponent(/host=([^&]*)/.exec(direct)?.[1] ?? '')
  startPgBouncer(dir)
  onTestFinished(() => stopPgBouncer(dir))
  return throughPgBouncer(direct)
}

/** The same database through PgBouncer. */
export const throughPgBouncer = (url: string): string => `${url}&port=${PORT}`
export const withoutPgBouncer = (url: string): string => url.replace(`&port=${PORT}`, '')

export function stopPgBouncer(dir: string): void {
  const pid = join(dir, 'pgbouncer.pid')
  if (!existsSync(pid)) return
  try {
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGTERM')
  } catch {
    // It has ended.
  }
}
