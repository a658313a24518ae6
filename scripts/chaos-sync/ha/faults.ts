import {
  changeRole,
  cutConnections,
  endAhead,
  freeze,
  PASSWORD,
  type Patroni,
  type PatroniNode,
  switchOver,
  type Way,
} from '../../../test/support/patroni.ts'
import { pause, tick } from '../../chaos/wait.ts'
import { ask } from '../cluster.ts'

/** What befalls the database; it ends by itself, or when the nodes are healed. */
export interface Fault {
  name: string
  what: string
  isShort?: boolean
  /** How the processes of the server reach PostgreSQL; through HAProxy when left out. */
  way?: Way
  /** No commit waits for a standby. */
  isAsynchronous?: boolean
  /** PostgreSQL forgets what it has acknowledged. */
  isLoss?: boolean
  happen(primary: PatroniNode, patroni: Patroni): Promise<unknown>
}

const LOSSY = { isShort: true, isAsynchronous: true, isLoss: true }

const killPostmaster: Fault['happen'] = async (primary) => primary.signal('SIGKILL', 'postmaster')
const killAll: Fault['happen'] = async (primary) => primary.signal('SIGKILL', 'patroni', 'postgres')
const endBehind = (primary: PatroniNode) => endAhead(primary, 4000)
const silenceStandbys: Fault['happen'] = (primary, { nodes }) =>
  freeze(
    nodes.filter((node) => node !== primary),
    ['patroni', 'postgres'],
    20_000,
  )

/** Who is the primary is decided anew when it goes on. */
async function freezePrimary(primary: PatroniNode): Promise<void> {
  await freeze([primary], ['patroni', 'postgres'], 60_000)
  await pause(12_000)
}

/** What PostgreSQL gives back meanwhile is taken, too, unless it is quicker. */
async function fillDisk({ disk }: PatroniNode): Promise<void> {
  for (const until = tick() + 40_000; tick() < until; await pause(1000)) {
    try {
      disk.leave(0)
    } catch {}
  }
  disk.makeRoom()
}

async function cutOften(primary: PatroniNode): Promise<void> {
  for (let i = 0; i < 5; i++, await pause(2000)) await cutConnections(primary)
}

/** Somebody holds the rows of all premises for longer than the role may wait, again and again. */
async function holdJournals(primary: PatroniNode): Promise<void> {
  const hold = 'BEGIN; SELECT 1 FROM journals FOR UPDATE; SELECT pg_sleep(0.25); COMMIT'
  for (const until = tick() + 14_000; tick() < until; await pause(250)) await ask(primary.url('fiskd'), hold)
}

const timeouts = (primary: PatroniNode) =>
  changeRole(primary, ["SET statement_timeout = '60ms'", 'RESET statement_timeout'], () =>
    changeRole(primary, ["SET lock_timeout = '20ms'", 'RESET lock_timeout'], () => holdJournals(primary)),
  )
const password = (primary: PatroniNode) =>
  changeRole(primary, ["PASSWORD 'another'", `PASSWORD '${PASSWORD}'`], () => pause(12_000))
const starve = (primary: PatroniNode) =>
  changeRole(primary, ['CONNECTION LIMIT 13', 'CONNECTION LIMIT -1'], () => pause(20_000))

export const FAULTS: readonly Fault[] = [
  { name: 'switchover', what: 'planned switchover', isShort: true, happen: switchOver },
  { name: 'postmaster', what: 'kill -9 of the postmaster', happen: killPostmaster },
  { name: 'node', what: 'kill -9 of Patroni and PostgreSQL', happen: killAll },
  { name: 'frozen', what: 'primary frozen for 60 s, then it goes on', isLoss: true, happen: freezePrimary },
  { name: 'etcd', what: 'etcd away for 60 s', happen: (_, { nodes }) => freeze(nodes, ['etcd'], 60_000) },
  { name: 'standbys', what: 'both standbys silent for 20 s', happen: silenceStandbys },
  { name: 'behind', what: 'synchronous standby 4 s behind, primary killed', happen: endBehind },
  { name: 'lost', what: 'asynchronous standby lacks 4 s, primary killed', ...LOSSY, happen: endBehind },
  { name: 'disk', what: "primary's disk full for 40 s", happen: fillDisk },
  { name: 'password', what: 'password changed for 12 s, connections cut', isShort: true, happen: password },
  { name: 'cut', what: 'connections cut five times', happen: cutOften },
  { name: 'starved', what: '13 connections for three processes that want 33', happen: starve },
  { name: 'timeouts', what: "the role's timeouts 60 and 20 ms, journals held", happen: timeouts },
  { name: 'pgbouncer', what: 'PgBouncer in transaction mode, switchover', way: 'pgbouncer', happen: switchOver },
  { name: 'hosts', what: 'several hosts in the URL, switchover', way: 'hosts', happen: switchOver },
]
