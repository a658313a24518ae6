import { COMMON, COMMON_HELP, common, count, oneOf, parse, UsageError } from '../chaos/arguments.ts'

import { FAULTS, type Fault } from './ha/faults.ts'

const FAULT_NAMES = FAULTS.map(({ name }) => name)
const SHORT_FAULTS = FAULTS.flatMap(({ name, isShort }) => (isShort ? [name] : []))
const CASES = ['gateways', 'processes'] as const
export type Case = (typeof CASES)[number]

export const HELP = `npm run chaos:sync -- [--case ${CASES.join(',')}] [--gateways 20] [--seconds 180] [--rounds 200] [--stops 10] [--sales 2000] [--short]
npm run chaos:sync -- --ha [--only ${FAULT_NAMES.slice(0, 2)},...] [--short]

A central server and its gateways in trouble, in two cases. Debian package postgresql, for private clusters.
  gateways   gateways sell, each in a process of its own, while their links to the server, its processes and they themselves are
             cut off at random; then everything is left alone until nothing waits any more, and the server's rows are compared with
             the union of the gateways', field by field
  processes  machines sell at a server of several processes, and repeat each sale until it is taken, while processes are killed
             and frozen, PostgreSQL is stopped in the middle and replaced by its standby, once by one that lacks the latest sales,
             and connections break. Before, sales are posted with one key at two processes of which one does not know the time.
             Then what the machines saw, the database, its journals and the tax authority's ledger must agree, nothing may have been
             sent twice without need, and everybody must have been back in time. Defects are planted in copies, and each must be
             found
With --ha instead: three processes behind HAProxy, on three nodes of Patroni by the files of systemd/, while one fault after another
befalls PostgreSQL. Beside the machines a plain client writes. Prints a table of the faults, in about 25 minutes. Root, Debian
packages patroni, etcd-server, haproxy, pgbouncer
Exit 0 when all of it holds.
  --only       faults of --ha: ${FAULT_NAMES.join(', ')}
  --case       one of them; default both
  --gateways   how many; default 20, and 3 in processes
  --seconds    for how long there is trouble in gateways
  --store      postgres or sqlite in gateways
  --processes  of the server, behind a balancer; default 2 in gateways (with sqlite there is one) and 3 in processes
  --rounds     sales that are posted at two processes, in each order and at once
  --stops      how often PostgreSQL is stopped at once, without a shutdown
  --sales      at least so many in processes
  --sabotage   sell-on-lost: runs processes (or the fault lost of --ha) with a build that sells on a standby that lacks sales: exit 0
               only when that was caught
  --short      2 gateways for 20 s; 12 rounds, 2 stops, one gateway, 200 sales; the faults ${SHORT_FAULTS.join(', ')}
${COMMON_HELP}`

export interface SyncChaosOptions {
  cases: readonly (Case | 'ha')[]
  faults: readonly Fault[]
  /** Of each case. */
  gateways: Record<Case, number>
  processes: Record<Case, number>
  seconds: number
  store: 'postgres' | 'sqlite'
  rounds: number
  stops: number
  freezes: number
  sales: number
  sabotage: 'sell-on-lost' | null
  seed: number
  dist: string
  keep: boolean
}

const OPTIONS = {
  ha: { type: 'boolean', default: false },
  only: { type: 'string' },
  case: { type: 'string' },
  gateways: { type: 'string' },
  seconds: { type: 'string' },
  store: { type: 'string', default: 'postgres' },
  processes: { type: 'string' },
  rounds: { type: 'string' },
  stops: { type: 'string' },
  sales: { type: 'string' },
  sabotage: { type: 'string' },
  short: { type: 'boolean', default: false },
  ...COMMON,
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): SyncChaosOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const { short } = values
  const store = oneOf('store', ['postgres', 'sqlite'], values.store)
  const sabotage = values.sabotage === undefined ? null : oneOf('sabotage', ['sell-on-lost'], values.sabotage)
  const each = (name: 'gateways' | 'processes', usual: Record<Case, number>) => {
    const said = values[name] === undefined ? null : count(name, values[name])
    return { gateways: said ?? usual.gateways, processes: said ?? usual.processes }
  }
  const processes = each('processes', { gateways: store === 'postgres' ? 2 : 1, processes: 3 })
  if (store === 'sqlite' && processes.gateways > 1)
    throw new UsageError('--processes: a SQLite database has one process')
  const cases = values.case?.split(',').map((name) => oneOf('case', CASES, name)) ?? CASES
  const usual = sabotage ? ['lost'] : short ? SHORT_FAULTS : FAULT_NAMES
  const faults = values.only?.split(',').map((name) => oneOf('only', FAULT_NAMES, name)) ?? usual
  return {
    cases: values.ha ? ['ha'] : sabotage ? ['processes'] : cases,
    faults: FAULTS.filter(({ name }) => faults.includes(name)),
    gateways: each('gateways', short ? { gateways: 2, processes: 1 } : { gateways: 20, processes: 3 }),
    processes,
    seconds: count('seconds', values.seconds ?? (short ? '20' : '180')),
    store,
    rounds: count('rounds', values.rounds ?? (short ? '12' : '200')),
    stops: count('stops', values.stops ?? (short ? '2' : '10')),
    freezes: short ? 1 : 3,
    sales: count('sales', values.sales ?? (short ? '200' : '2000')),
    sabotage,
    ...common(values),
  }
}
