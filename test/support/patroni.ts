import { spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../../scripts/chaos-sync/cluster.ts'
import { haproxyFile, shipped } from './haproxy.ts'
import { ownAccount, postgresPrograms } from './postgres-cluster.ts'
import { mountTmpfs, type SmallDisk } from './small-disk.ts'
import { skipWithout } from './tools.ts'

/** Whether tests are skipped that need three nodes of Patroni, because this machine lacks a program for them. */
export const skipWithoutPatroni = skipWithout('patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', '/usr/sbin/pgbouncer')

/** What a signal goes to: a program, or all processes of PostgreSQL, or those that send its log to standbys. */
type Part = 'etcd' | 'patroni' | 'postmaster' | 'postgres' | 'walsenders'

/** A machine with etcd, Patroni and PostgreSQL. */
export interface PatroniNode {
  name: string
  /** Has the data of PostgreSQL and etcd. */
  disk: SmallDisk
  /** For the superuser. */
  url(database: string): string
  /** Starts what does not run; what is frozen goes on, and the disk has room. */
  rise(): void
  signal(signal: NodeJS.Signals, ...parts: Part[]): void
  /** Patroni's REST API. @throws Error with what was answered when that is no success */
  rest<T>(method: 'GET' | 'PATCH' | 'POST', path: string, body?: object): Promise<T>
}

/** How a client reaches the database. */
export type Way = 'haproxy' | 'pgbouncer' | 'hosts'

/** A highly available PostgreSQL by the files of the package, with HAProxy before it, and PgBouncer before that. */
export interface Patroni {
  nodes: readonly PatroniNode[]
  /** For the role of fiskd. */
  url(way: Way, database: string): string
  /** @throws Error when there is none */
  primary(): Promise<PatroniNode>
  /** Undoes what was done to the nodes. Resolves when there are a primary and two standbys that have all it has. */
  heal(isSynchronous: boolean): Promise<void>
}

interface Member {
  name: string
  role: string
  state: string
  lag?: number | string
  timeline?: number
}

/** Of loopback, and no other process has it: with it the ports are those of the files. */
const NET = `127.${1 + ((process.pid >> 8) % 250)}.${process.pid % 256}.`
const NUMBERS = [1, 2, 3]
const [HAPROXY, PGBOUNCER] = [`${NET}1`, `${NET}2`]
const HOSTS: Record<Way, string> = {
  haproxy: `${HAPROXY}:5000`,
  pgbouncer: `${PGBOUNCER}:6432`,
  hosts: NUMBERS.map((i) => `${NET}1${i}:5432`).join(),
}
const WRITES = '?target_session_attrs=read-write'
/** Whoever starts a cluster creates it. */
export const [ROLE, PASSWORD] = ['fiskd', 'a-password'] as const
const MEGABYTES = 700
const HEAL_MS = 180_000
/** A standby that does not follow by then is made anew, as an operator would. */
const PATIENCE_MS = 60_000
const AUTHORIZATION = `Basic ${Buffer.from('patroni:CHANGE-ME-patroni').toString('base64')}`
/** Debian's daemons are not on everybody's path. */
const ENVIRONMENT = { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8' }

/** Needs root. All of it ends with this process, however that ends. @param logs folder for what the programs say */
export function startPatroni(logs: string): Patroni {
  const nodes = NUMBERS.map((i) => createNode(i, logs))
  const disk = mountTmpfs(1)
  endWithUs(disk.path, '')
  const [common = ''] = haproxyFile({ port: 1, ca: '', processes: [] }).split('frontend')
  const leading = shipped('haproxy-patroni.cfg').replaceAll('127.0.0.1:5000', `${HAPROXY}:5000`)
  writeFileSync(join(disk.path, 'haproxy.cfg'), common + leading.replaceAll('10.0.0.', NET))
  writeFileSync(join(disk.path, 'pgbouncer.ini'), PGBOUNCER_INI)
  chmodSync(disk.path, 0o755)
  startBeside('haproxy', ['-db', '-f', join(disk.path, 'haproxy.cfg')], logs)
  startBeside('pgbouncer', ['-q', join(disk.path, 'pgbouncer.ini')], logs, ownAccount())

  const members = async () => {
    const asked = nodes.map((node) => node.rest<{ members: Member[] }>('GET', '/cluster'))
    return (await Promise.any(asked)).members
  }
  const nodeOf = (name?: string) => nodes.find((node) => node.name === name)

  return {
    nodes,
    url: (way, database) => `postgres://${ROLE}:${PASSWORD}@${HOSTS[way]}/${database}${way === 'hosts' ? WRITES : ''}`,
    async primary() {
      const leader = nodeOf((await members()).find(({ role }) => role === 'leader')?.name)
      if (!leader) throw new Error('there is no primary')
      return leader
    },
    async heal(isSynchronous) {
      for (const node of nodes) node.rise()
      let [seen, remakeAt]: [Member[], number] = [[], Date.now() + PATIENCE_MS]
      for (const giveUpAt = Date.now() + HEAL_MS; Date.now() < giveUpAt; await pause(500)) {
        seen = await members().catch(() => [])
        const leader = seen.find(({ role, state }) => role === 'leader' && state === 'running')
        if (!leader) continue
        const standbys = seen.filter((member) => member !== leader)
        const behind = standbys.filter(({ lag, timeline }) => lag !== 0 || timeline !== leader.timeline)
        const isWaitedFor = standbys.some(({ role }) => role === 'sync_standby')
        if (standbys.length === 2 && behind.length === 0 && isWaitedFor === isSynchronous) return
        // Again and again: it may meet a cluster that has nobody to follow it.
        const settings = { synchronous_mode: isSynchronous, maximum_lag_on_failover: isSynchronous ? 1e6 : 1e9 }
        if (isWaitedFor !== isSynchronous)
          await nodeOf(leader.name)
            ?.rest('PATCH', '/config', settings)
            .catch(() => {})
        if (Date.now() < remakeAt) continue
        remakeAt = Date.now() + PATIENCE_MS
        for (const { name } of behind)
          await nodeOf(name)
            ?.rest('POST', '/reinitialize', { force: true })
            .catch(() => {})
      }
      throw new Error(`the cluster did not get well: ${JSON.stringify(seen)}`)
    },
  }
}

export const switchOver = (primary: PatroniNode) => primary.rest('POST', '/switchover', { leader: primary.name })

export async function freeze(nodes: readonly PatroniNode[], parts: readonly Part[], ms: number): Promise<void> {
  for (const node of nodes) node.signal('SIGSTOP', ...parts)
  await pause(ms)
  for (const node of nodes) node.signal('SIGCONT', ...parts)
}

/** Ends a primary whose standbys lack what it wrote in its last time. */
export async function endAhead(primary: PatroniNode, byMs: number): Promise<void> {
  primary.signal('SIGSTOP', 'walsenders')
  await pause(byMs)
  primary.signal('SIGKILL', 'patroni', 'postgres')
}

/** All connections of the role of fiskd end. */
export const cutConnections = (primary: PatroniNode) =>
  ask(primary.url('fiskd'), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`)

/** The role of fiskd is another one for a while. Its connections are cut before and after: settings are read at their begin. */
export async function changeRole(
  primary: PatroniNode,
  [now, then]: readonly [now: string, then: string],
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  await ask(primary.url('fiskd'), `ALTER ROLE ${ROLE} ${now}`)
  await cutConnections(primary)
  await meanwhile()
  await ask(primary.url('fiskd'), `ALTER ROLE ${ROLE} ${then}`)
  await cutConnections(primary)
}

function createNode(i: number, logs: string): PatroniNode {
  const [name, host, disk, account] = [`postgresql${i}`, `${NET}1${i}`, mountTmpfs(MEGABYTES), ownAccount()]
  const [data, file] = [join(disk.path, 'data'), join(disk.path, 'patroni.yml')]
  endWithUs(disk.path, data)
  if (account) chownSync(disk.path, account.uid, account.gid)
  writeFileSync(file, patroniFile({ name, host, dir: disk.path, data }))
  const running = new Map<'etcd' | 'patroni', number>()

  function begin(program: 'etcd' | 'patroni', ...args: string[]): void {
    if (running.has(program)) return
    const child = startBeside(program, args, logs, account, `${name}.log`)
    running.set(program, child.pid ?? 0)
    child.once('exit', () => running.get(program) === child.pid && running.delete(program))
  }

  const pidsOf: Record<Part, () => number[]> = {
    etcd: () => [running.get('etcd') ?? []].flat(),
    patroni: () => [running.get('patroni') ?? []].flat(),
    postmaster: () => {
      const pid = Number.parseInt(textIn(join(data, 'postmaster.pid')), 10)
      // The file outlives it.
      return textIn(`/proc/${pid}/cmdline`).includes(data) ? [pid] : []
    },
    postgres: () => pidsOf.postmaster().flatMap((pid) => [pid, ...childrenOf(pid)]),
    walsenders: () => pidsOf.postgres().filter((pid) => textIn(`/proc/${pid}/cmdline`).includes('walsender')),
  }
  const signal: PatroniNode['signal'] = (sent, ...parts) => {
    for (const pid of parts.flatMap((part) => pidsOf[part]())) {
      // Another one may have ended with the first.
      if (existsSync(`/proc/${pid}`)) process.kill(pid, sent)
    }
  }

  return {
    ...{ name, disk, signal },
    url: (database) => `postgres://postgres:CHANGE-ME-postgres@${host}:5432/${database}`,
    rise() {
      disk.makeRoom()
      signal('SIGCONT', 'etcd', 'patroni', 'postgres')
      begin('etcd', ...etcdArguments(name, host, join(disk.path, 'etcd')))
      begin('patroni', file)
    },
    async rest<T>(method: string, path: string, body?: object) {
      const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
      const order = { method, headers, signal: AbortSignal.timeout(method === 'GET' ? 3000 : 30_000) }
      const answer = await fetch(`http://${host}:8008${path}`, {
        ...order,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return (text.startsWith('{') ? JSON.parse(text) : text) as T
    },
  }
}

/** The file of the package for this machine. Its watchdog would restart the machine of whoever runs this. */
function patroniFile({ name, host, dir, data }: { name: string; host: string; dir: string; data: string }): string {
  return shipped('patroni.yml')
    .replace('postgresql1', name)
    .replace(/(listen|connect_address): 10\.0\.0\.11/g, `$1: ${host}`)
    .replaceAll('10.0.0.', NET)
    .replace(/data_dir: .*/, `data_dir: ${data}`)
    .replace(/bin_dir: .*/, `bin_dir: ${postgresPrograms()}`)
    .replace('/run/postgresql', dir)
    .replace('mode: automatic', 'mode: off')
}

function etcdArguments(name: string, host: string, data: string): string[] {
  const [peer, client] = [`http://${host}:2380`, `http://${host}:2379`]
  const settings = {
    ...{ name, 'data-dir': data, 'log-level': 'error', logger: 'zap' },
    'initial-cluster': NUMBERS.map((i) => `postgresql${i}=http://${NET}1${i}:2380`).join(),
    ...{ 'listen-peer-urls': peer, 'initial-advertise-peer-urls': peer },
    ...{ 'listen-client-urls': client, 'advertise-client-urls': client },
    // A busy machine is no reason for an election.
    ...{ 'heartbeat-interval': '300', 'election-timeout': '3000' },
  }
  return Object.entries(settings).map(([setting, value]) => `--${setting}=${value}`)
}

/** A refused login is tried again soon: so it is while there is no primary. */
const PGBOUNCER_INI = `[databases]
* = host=${HAPROXY} port=5000 user=${ROLE} password=${PASSWORD}
[pgbouncer]
listen_addr = ${PGBOUNCER}
listen_port = 6432
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_client_conn = 200
default_pool_size = 20
server_login_retry = 1
`

function startBeside(
  program: string,
  args: string[],
  logs: string,
  account: ReturnType<typeof ownAccount> = undefined,
  logName = `${program}.log`,
) {
  const log = openSync(join(logs, logName), 'a')
  const command = ['--pdeathsig', 'KILL', program, ...args]
  return spawn('setpriv', command, { ...account, cwd: '/', env: ENVIRONMENT, stdio: ['ignore', log, log] })
}

/** PostgreSQL outlives Patroni, and a disk those who use it: somebody else ends them when this process has ended. */
function endWithUs(dir: string, data: string): void {
  const postmaster = `pid=$(head -n 1 "${data}/postmaster.pid") && grep -q "${data}" /proc/$pid/cmdline`
  const end = `${postmaster} && kill -9 $pid $(cat /proc/$pid/task/$pid/children)`
  const script = `while [ -d /proc/${process.pid} ]; do sleep 1; done; ${end}; umount -l "${dir}"; rm -rf "${dir}"`
  spawn('sh', ['-c', script], { cwd: '/', detached: true, stdio: 'ignore' }).unref()
}

const childrenOf = (pid: number) => textIn(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
/** Nothing where there is no such file, or no longer. */
function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
