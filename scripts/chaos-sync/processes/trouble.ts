import type { Chance } from '../../chaos/chance.ts'
import { pause, tick } from '../../chaos/wait.ts'
import type { Node } from '../cluster.ts'
import type { Link } from '../link.ts'
import type { LinkBeside } from '../link-beside.ts'
import type { KillableProcess } from '../machine.ts'

export type TroubleKind = 'kill' | 'stop' | 'break' | 'freeze' | 'failover' | 'loss'

/** Something that was done to the server, with its beginning and its end by `tick`. */
export interface Trouble {
  kind: TroubleKind
  from: number
  /** When all was there again: of PostgreSQL when it took statements. */
  to: number
  /** Since when the standby got nothing, where it lacks sales. */
  lacksFrom?: number
  /** Whom it befell, where that is a process. */
  who?: string
}

interface TroubleOrder {
  stops: number
  freezes: number
  servers: readonly [KillableProcess, ...KillableProcess[]]
  /** Between the machines and the processes. */
  balancer: Pick<Link, 'cut' | 'mend'>
  /** Between the processes and PostgreSQL. */
  line: LinkBeside
  /** The first PostgreSQL. */
  node: Node
  chance: Chance
}

export interface Troubled {
  troubles: Trouble[]
  /** All on which the database was, oldest first. */
  nodes: [Node, ...Node[]]
}

/** A process is silent for longer than others wait for it, and wakes up after they have taken over what it had. */
const FROZEN_MS = 30_000

/** How many bytes between processes and PostgreSQL go through before a connection breaks, at most: half a statement, or some. */
const MOST_BYTES = 20_000

/** How soon what a standby lacks is stored again, and its premises sell. */
export const FIRST_AFTER_LOSS_MS = 20_000

/** How much of what was sold last a standby lacks that nothing waits for. */
const LAG_MS = 3_000

/** Everything goes well for a while after each trouble. */
const CALM_MS = [2000, 4500] as const

/** One trouble after another; each is over before the next one begins. */
export async function makeTrouble(order: TroubleOrder): Promise<Troubled> {
  const { stops, freezes, servers, balancer, line, node, chance } = order
  const troubles: Trouble[] = []
  const nodes: [Node, ...Node[]] = [node]
  const current = () => nodes.at(-1) ?? node

  const happen: Record<TroubleKind, () => Promise<Omit<Trouble, 'kind'>>> = {
    async kill() {
      const server = chance.pick(servers)
      const from = tick()
      await server.kill()
      await pause(chance.between(500, 5000))
      await server.rise()
      return { from, to: tick(), who: server.name }
    },
    async stop() {
      const from = tick()
      await current().crash()
      await pause(chance.between(0, 6000))
      return { from, to: await current().start() }
    },
    async break() {
      const from = tick()
      await line.breakAfter(Math.ceil(chance.between(1, MOST_BYTES)))
      await pause(1000)
      // Those that have carried nothing meanwhile stay whole.
      await line.breakAfter(Number.MAX_SAFE_INTEGER)
      return { from, to: tick() }
    },
    async freeze() {
      const server = chance.pick(servers)
      // It may have been killed just before.
      while (server.pid() === undefined) await pause(100)
      // Machines stay at the process that they are connected to: without this, one that was killed may have none.
      balancer.cut()
      balancer.mend()
      await pause(3000)
      const [pid, from] = [server.pid(), tick()]
      if (pid === undefined) return { from, to: tick(), who: server.name }
      process.kill(pid, 'SIGSTOP')
      await pause(FROZEN_MS)
      const to = tick()
      process.kill(pid, 'SIGCONT')
      return { from, to, who: server.name }
    },
    failover: () => takeOver(true),
    loss: () => takeOver(false),
  }

  async function takeOver(isWaitedFor: boolean): Promise<Omit<Trouble, 'kind'>> {
    const standby = await current().standby({ isWaitedFor })
    await pause(chance.between(1000, 3000))
    const lacksFrom = tick()
    if (!isWaitedFor) {
      await standby.fallBehind()
      await pause(LAG_MS)
    }
    const from = tick()
    await current().crash()
    await line.lead([standby.socket])
    const to = await standby.promote()
    nodes.push(standby)
    // What is lost stands in the memories of processes until they have stored it again.
    if (!isWaitedFor) await pause(FIRST_AFTER_LOSS_MS)
    return { from, to, lacksFrom }
  }

  for (const kind of plan(stops, freezes)) {
    troubles.push({ kind, ...(await happen[kind]()) })
    await pause(chance.between(...CALM_MS))
    // What ended by itself is told; a supervisor starts it again.
    for (const server of servers) await server.rise()
  }
  return { troubles, nodes }
}

/** Each stop of PostgreSQL with a kill and a break beside it; both failovers in the middle; freezes evenly between them. */
function plan(stops: number, freezes: number): TroubleKind[] {
  const kinds: TroubleKind[] = []
  const every = Math.max(1, Math.floor(stops / freezes))
  let left = freezes
  for (let i = 0; i < stops; i++) {
    kinds.push('kill', 'stop', 'break')
    if (left > 0 && i % every === 0) {
      kinds.push('freeze')
      left--
    }
    if (i === Math.floor((stops - 1) / 2)) kinds.push('failover', 'loss')
  }
  return kinds
}
