import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { type CutLink, startCutLink } from './cut-link.ts'
import { startPgBouncer, throughPgBouncer, withoutPgBouncer } from './pgbouncer.ts'
import { clusterUrl, ownAccount, postgresPrograms, startCluster } from './postgres-cluster.ts'
import { mountTmpfs, type SmallDisk } from './small-disk.ts'

/** Whether the tests of this run are about servers on PostgreSQL instead of gateways on SQLite. */
export const onPostgres = process.env.FISKD_TEST_STORE === 'postgres'

/** Whether what runs on PostgreSQL reaches it through PgBouncer. */
const onPgBouncer = process.env.FISKD_TEST_PGBOUNCER === '1'

/** Whether tests that need PostgreSQL are skipped, because this machine lacks it and does not have to have it. */
export const skipWithoutPostgres = postgresPrograms() === undefined && process.env.FISKD_REQUIRE_TOOLS !== '1'

type AtTheEnd = (close: () => Promise<void>) => void

/** Has our schema in it: copied, it is a database at once. */
const TEMPLATE = 'fiskd_template'

/**
 * A database of the running test's own, dropped when the test is over.
 * @param empty without our schema in it, as a DBA hands it over
 * @returns its address
 */
export async function postgresDatabase({
  empty = false,
  atTheEnd = onTestFinished,
}: {
  empty?: boolean
  atTheEnd?: AtTheEnd
} = {}): Promise<string> {
  const cluster = await runningCluster()
  const name = `fiskd_${randomUUID().replaceAll('-', '')}`
  await administer(cluster, `CREATE DATABASE ${name} TEMPLATE ${empty ? 'template0' : TEMPLATE} STRATEGY FILE_COPY`)
  atTheEnd(() => administer(cluster, `DROP DATABASE ${name} WITH (FORCE)`))
  const url = clusterUrl(cluster, name)
  return onPgBouncer ? throughPgBouncer(url) : url
}

/** Does something to a database as somebody who is not fiskd would. @returns the rows */
export async function query<Row = Record<string, unknown>>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: withoutPgBouncer(url) })
  await client.connect()
  try {
    const result = await client.query(text, values)
    return result.rows
  } finally {
    await client.end()
  }
}

/** A database of the running test's own on a disk of so many megabytes. */
export async function databaseOnSmallDisk(megabytes: number): Promise<{ url: string; disk: SmallDisk }> {
  const disk = mountTmpfs(megabytes)
  const account = ownAccount()
  if (account) chownSync(disk.path, account.uid, account.gid)
  const cluster = await runningCluster()
  const name = `small_${randomUUID().replaceAll('-', '')}`
  onTestFinished(async () => {
    await administer(cluster, `DROP TABLESPACE ${name}`)
    disk.close()
  })
  await administer(cluster, `CREATE TABLESPACE ${name} LOCATION '${disk.path}'`)
  const url = await postgresDatabase()
  await administer(
    cluster,
    `ALTER DATABASE ${new URL(url.replace('@/', '@localhost/')).pathname.slice(1)} SET TABLESPACE ${name}`,
  )
  return { url, disk }
}

/** A role of the running test's own, which owns an empty database. @returns the address of the database for the role */
export async function ownedDatabase(options: string): Promise<{ url: string; direct: string; role: string }> {
  const cluster = await runningCluster()
  const role = `role_${randomUUID().replaceAll('-', '')}`
  onTestFinished(() => administer(cluster, `DROP ROLE ${role}`))
  await administer(cluster, `CREATE ROLE ${role} LOGIN ${options}`)
  const direct = await postgresDatabase({ empty: true })
  const { pathname } = new URL(direct.replace('@/', '@localhost/'))
  await administer(cluster, `ALTER DATABASE ${pathname.slice(1)} OWNER TO ${role}`)
  return { url: direct.replace('fiskd@', `${role}@`), direct, role }
}

/** The same database over a line that may be cut. */
export async function overLink(
  url: string,
  atTheEnd: AtTheEnd = onTestFinished,
): Promise<{ url: string; link: CutLink }> {
  // Without a host, which is a parameter, it is none for `URL`.
  const there = new URL(url.replace('@/', '@localhost/'))
  const link = await startCutLink(() => join(there.searchParams.get('host') ?? '', '.s.PGSQL.5432'), atTheEnd)
  return { url: `postgres://fiskd@127.0.0.1:${link.port}${there.pathname}`, link }
}

/** Runs one of the programs that come with PostgreSQL, such as `pg_dump`. */
export const runPostgres = (program: string, ...args: string[]) =>
  execFileSync(join(postgresPrograms() ?? '', program), args, { stdio: ['ignore', 'ignore', 'pipe'] })

/** Gives two databases of one cluster each other's name, while nobody is connected. */
export async function exchangeDatabases(url: string, other: string): Promise<void> {
  const nameOf = (one: string) => /@\/(\w+)/.exec(one)?.[1] ?? ''
  const administrator = url.replace(nameOf(url), 'postgres')
  const names = [nameOf(url), nameOf(other)]
  for (const name of names) await query(administrator, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await query(administrator, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ANY($1)', [names])
  for (const [from, to] of [
    [names[0], 'swapped'],
    [names[1], names[0]],
    ['swapped', names[1]],
  ]) {
    await query(administrator, `ALTER DATABASE ${from} RENAME TO ${to}`)
  }
  for (const name of names) await query(administrator, `ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
}

const administer = async (cluster: string, statement: string) => {
  await query(clusterUrl(cluster, 'postgres'), statement)
}

let running: Promise<string> | undefined

function runningCluster(): Promise<string> {
  running ??= start()
  return running
}

async function start(): Promise<string> {
  const [dir, owner] = (process.env.FISKD_TEST_CLUSTER ?? '').split('|')
  if (!dir) throw new Error('vitest runs without test/support/global-setup.ts')
  await startCluster(dir, Number(owner), async () => {
    await administer(dir, `CREATE DATABASE ${TEMPLATE}`)
    await (await openStore(clusterUrl(dir, TEMPLATE), 1)).close()
    if (onPgBouncer) startPgBouncer(dir)
  })
  return dir
}
