import { count, distOf, parse, seedOf, UsageError } from '../chaos/arguments.ts'

export const HELP = `npm run chaos:server -- [--processes 3] [--rounds 200] [--stops 10] [--gateways 3] [--sales 2000] [--seed N]
  [--short] [--sabotage sell-on-lost]

Machines sell at a central server of several processes on one PostgreSQL (a private cluster; Debian package postgresql),
and repeat each sale until it is taken, while processes are killed and frozen, PostgreSQL is stopped in the middle and
replaced by its standby, once by one that lacks the latest sales, and connections break. Before, sales are posted with one
key at two processes of which one does not know the time. Then what the machines saw, the database, its journals and the tax
authority's ledger must agree, nothing may have been sent twice without need, and everybody must have been back in time.
Exit 0 when all of it holds.
  --processes  of the server, behind a balancer
  --rounds     sales that are posted at two processes, in each order and at once
  --stops      how often PostgreSQL is stopped at once, without a shutdown
  --gateways   how many report to the server meanwhile
  --sales      at least so many
  --seed       repeats the choices of an earlier run; processes and networks keep their own timing
  --short      12 rounds, 2 stops, one gateway, 200 sales
  --sabotage   runs a build that sells on a standby that lacks sales: exit 0 only when that was caught
  --dist       the built daemon; default dist
  --keep       leaves the data directories and the logs for a post-mortem
`

export interface ServerChaosOptions {
  processes: number
  rounds: number
  stops: number
  gateways: number
  sales: number
  freezes: number
  seed: number
  sabotage: 'sell-on-lost' | null
  dist: string
  keep: boolean
}

const OPTIONS = {
  processes: { type: 'string', default: '3' },
  rounds: { type: 'string' },
  stops: { type: 'string' },
  gateways: { type: 'string' },
  sales: { type: 'string' },
  seed: { type: 'string' },
  sabotage: { type: 'string' },
  short: { type: 'boolean', default: false },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): ServerChaosOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const { short, sabotage } = values
  if (sabotage !== undefined && sabotage !== 'sell-on-lost') {
    throw new UsageError(`--sabotage ${sabotage}: the one fault there is, is sell-on-lost`)
  }
  return {
    processes: count('processes', values.processes),
    rounds: count('rounds', values.rounds ?? (short ? '12' : '200')),
    stops: count('stops', values.stops ?? (short ? '2' : '10')),
    gateways: count('gateways', values.gateways ?? (short ? '1' : '3')),
    sales: count('sales', values.sales ?? (short ? '200' : '2000')),
    freezes: short ? 1 : 3,
    seed: seedOf(values.seed),
    sabotage: sabotage ?? null,
    dist: distOf(values.dist),
    keep: values.keep,
  }
}
