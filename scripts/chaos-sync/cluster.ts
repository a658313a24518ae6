import { execFile, spawn } from 'node:child_process'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  clusterUrl,
  ownAccount,
  postgresPrograms,
  startCluster,
  stopCluster,
} from '../../test/support/postgres-cluster.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { pause, tick } from '../chaos/wait.ts'

/** A PostgreSQL that is stopped without a shutdown, and its standby. */
export interface Node {
  /** Where it listens. */
  socket: string
  /** The file of its log. */
  log: string
  url(database: string): string
  /** @returns the address of a new database, or of a copy of another one that nobody uses */
  create(database: string, copied?: string): Promise<string>
  /** `pg_ctl stop -m immediate`: what a power cut leaves. */
  crash(): Promise<void>
  /** @returns when it took statements again, by `tick` */
  start(): Promise<number>
  /** Starts a standby again. Resolves when it takes reads. */
  follow(): Promise<void>
  /** A standby that each commit waits for from now on, unless it is to fall behind. */
  standby(options?: { isWaitedFor: boolean }): Promise<Node>
  /** A standby gets nothing any more of what is committed. */
  fallBehind(): Promise<void>
  /** Ends being a standby. @returns when it took writes, by `tick` */
  promote(): Promise<number>
}

const STANDBY = 'standby'

const run = promisify(execFile)

/** @param settings beside those that PostgreSQL comes with, which puts on the disk what it says it has */
export async function openCluster(settings: Record<string, string>, scratch: Scratch): Promise<Node> {
  const dir = folderOf(scratch)
  await startCluster(dir, process.pid, async () => {}, settings)
  return nodeIn(dir, scratch)
}

/** Not in the scratch folder, which only its owner may enter: PostgreSQL runs as somebody else where we are root. */
function folderOf(scratch: Scratch): string {
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-postgres-'))
  scratch.atTheEnd(() => stopCluster(dir))
  return dir
}

function nodeIn(dir: string, scratch: Scratch): Node {
  const bin = postgresPrograms() ?? ''
  const data = join(dir, 'data')
  const account = ownAccount()
  const program = (name: string, ...args: string[]) => run(join(bin, name), args, { ...account, cwd: '/' })
  const url = (database: string) => clusterUrl(dir, database)

  /** Asks until it takes writes. */
  async function accepting(): Promise<number> {
    for (;;) {
      const takesWrites = await ask(url('postgres'), 'SELECT NOT pg_is_in_recovery() AS yes').catch(() => [])
      if (takesWrites[0]?.yes === true) return tick()
      await pause(10)
    }
  }

  /** Without waiting for it: what it says goes to its log. */
  function begin(): void {
    const args = ['start', '-W', '-D', data, '-l', join(dir, 'log')]
    spawn(join(bin, 'pg_ctl'), args, { ...account, cwd: '/', stdio: 'ignore' })
  }

  return {
    socket: join(dir, '.s.PGSQL.5432'),
    log: join(dir, 'log'),
    url,
    async create(database, copied = 'template1') {
      await ask(url('postgres'), `CREATE DATABASE ${database} TEMPLATE ${copied}`)
      return url(database)
    },
    crash: async () => void (await program('pg_ctl', 'stop', '-m', 'immediate', '-D', data)),
    async start() {
      begin()
      return accepting()
    },
    async follow() {
      begin()
      while ((await ask(url('postgres'), 'SELECT 1').catch(() => [])).length === 0) await pause(50)
    },
    async promote() {
      await program('pg_ctl', 'promote', '-W', '-D', data)
      return accepting()
    },
    async fallBehind() {
      await ask(url('postgres'), "ALTER SYSTEM SET primary_conninfo = ''")
      await ask(url('postgres'), 'SELECT pg_reload_conf()')
      while ((await ask(url('postgres'), 'SELECT 1 FROM pg_stat_wal_receiver')).length > 0) await pause(50)
    },
    async standby({ isWaitedFor } = { isWaitedFor: true }) {
      const folder = folderOf(scratch)
      if (account) chownSync(folder, account.uid, account.gid)
      const other = join(folder, 'data')
      const source = `host=${dir} user=fiskd application_name=${STANDBY}`
      await program('pg_basebackup', '-D', other, '-d', source, '-R', '-c', 'fast')
      // The copy has the settings of its source, and among them the folder of its socket.
      await run('sed', [
        '-i',
        `s|^unix_socket_directories.*|unix_socket_directories = '${folder}'|`,
        join(other, 'postgresql.auto.conf'),
      ])
      const node = nodeIn(folder, scratch)
      await run(join(bin, 'pg_ctl'), ['start', '-W', '-D', other, '-l', join(folder, 'log')], { ...account, cwd: '/' })
      const streaming = 'SELECT 1 FROM pg_stat_replication'
      while (!isWaitedFor && (await ask(url('postgres'), streaming)).length === 0) await pause(50)
      if (!isWaitedFor) return node
      await ask(url('postgres'), `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`)
      await ask(url('postgres'), 'SELECT pg_reload_conf()')
      const looked = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
      while ((await ask(url('postgres'), looked)).length === 0) await pause(50)
      return node
    },
  }
}

/** One statement on a connection of its own. @returns the rows */
export async function ask<Row extends pg.QueryResultRow = pg.QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  // One that breaks tells it by the question, too.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
