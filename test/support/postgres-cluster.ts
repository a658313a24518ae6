import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** Where Debian puts the programs, which are not on the path. */
const DEBIAN = '/usr/lib/postgresql'

/** The folder of the newest PostgreSQL of this machine; undefined without one. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one)) : []
  return versions.map((version) => join(DEBIAN, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')))
}

/**
 * A PostgreSQL for the tests only, which nobody reaches but over a Unix socket in its folder. It is started when it is
 * first needed, whichever process of the run needs it, and ends with the process that is named as its owner, however
 * that ends.
 * @param furnish done once, before anybody uses it
 * @param settings others than those that are quick and forgetful
 */
export async function startCluster(
  dir: string,
  ownerPid: number,
  furnish: () => Promise<void>,
  settings: Readonly<Record<string, string>> = QUICK,
): Promise<void> {
  try {
    mkdirSync(join(dir, 'starting'))
  } catch {
    while (!existsSync(join(dir, 'started'))) await setTimeout(50)
    const failure = readFileSync(join(dir, 'started'), 'utf8')
    if (failure !== '') throw new Error(failure)
    return
  }
  try {
    start(dir, ownerPid, settings)
    await furnish()
    writeFileSync(join(dir, 'started'), '')
  } catch (error) {
    writeFileSync(join(dir, 'started'), String(error))
    throw error
  }
}

export function clusterUrl(dir: string, database: string): string {
  return `postgres://fiskd@/${database}?host=${encodeURIComponent(dir)}`
}

function start(dir: string, ownerPid: number, wanted: Readonly<Record<string, string>>): void {
  const bin = postgresPrograms()
  if (!bin) throw new Error('PostgreSQL is not installed: apt-get install postgresql')
  const account = ownAccount()
  if (account) chownSync(dir, account.uid, account.gid)
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(bin, program), args, { ...account, cwd: dir, stdio: ['ignore', 'ignore', 'pipe'] })
  const data = join(dir, 'data')
  // Croatian order by default: what is compared by its bytes has to say so.
  run('initdb', '-D', data, '-U', 'fiskd', '-A', 'trust', '-E', 'UTF8', '-N', ...LOCALE)
  const own = {
    listen_addresses: '',
    unix_socket_directories: dir,
    max_connections: '200',
    log_line_prefix: '%m [%p] %d ',
  }
  const settings = { ...own, ...wanted }
  const text = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  writeFileSync(join(data, 'postgresql.auto.conf'), text.join(''))
  run('pg_ctl', 'start', '-w', '-D', data, '-l', join(dir, 'log'))
  const stop = `[ -f "${dir}/pgbouncer.pid" ] && kill $(cat "${dir}/pgbouncer.pid"); "${bin}/pg_ctl" stop -m immediate -D "${data}"; rm -rf "${dir}"`
  const script = `while [ -d /proc/${ownerPid} ] && [ -d "${data}" ]; do sleep 1; done; ${stop}`
  spawn('sh', ['-c', script], { ...account, cwd: '/', detached: true, stdio: 'ignore' }).unref()
}

const LOCALE = ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=hr-HR']
/** A power cut takes the whole of it: nothing has to be on the disk. */
const QUICK = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', shared_buffers: '64MB' }

export function stopCluster(dir: string): void {
  const bin = postgresPrograms()
  const data = join(dir, 'data')
  if (bin && existsSync(data)) spawnSync(join(bin, 'pg_ctl'), ['stop', '-m', 'immediate', '-D', data], ownAccount())
  rmSync(dir, { recursive: true, force: true })
}

/** Who runs the programs of a cluster: PostgreSQL does not run as root. */
export function ownAccount(): { uid: number; gid: number } | undefined {
  if (userInfo().uid !== 0) return undefined
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}
