import { resolve } from 'node:path'
import { count, distOf, parse, UsageError } from '../chaos/arguments.ts'

const SECTIONS = ['latency', 'work', 'first', 'start', 'memory', 'wear', 'pages', 'receipts'] as const

export type SectionName = (typeof SECTIONS)[number]

export const HELP = `npm run bench [-- --only ${SECTIONS.join(',')}] [--short] [--runs 3] [--json bench.json]

Measures the built daemon, and what this machine can do at all beside it; prints a table and writes a JSON file. What is
wanted is a count or a ratio, never a time. Exit 1 when something wanted is not met.
  --only      some sections; all of them when left out
  --clients   how many sell at a time in the section latency; default 1,8,64
  --short     less of everything
  --runs      how often everything is repeated; default 3
  --invoices  how many a server has in the section pages; default 1000000
  --json      where the figures go; default bench.json
  --dist      the built daemon; default dist
  --against   another built daemon, which the sections latency, first and wear measure as well, in turn
`

export interface BenchOptions {
  only: readonly SectionName[]
  clients: number[]
  short: boolean
  runs: number
  invoices: number
  json: string
  dist: string
  /** What is measured: `dist`, and before it what it is compared to. */
  builds: Build[]
}

/** A built daemon, and what the names of its figures begin with. */
export interface Build {
  dist: string
  prefix: string
}

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): BenchOptions | null {
  const { help, only, clients, short, runs, invoices, json, dist, against } = parse(args, {
    only: { type: 'string', default: SECTIONS.join(',') },
    clients: { type: 'string', default: '1,8,64' },
    short: { type: 'boolean', default: false },
    runs: { type: 'string', default: '3' },
    invoices: { type: 'string' },
    json: { type: 'string', default: 'bench.json' },
    dist: { type: 'string' },
    against: { type: 'string' },
    help: { type: 'boolean', default: false },
  })
  if (help) return null
  return {
    only: only.split(',').map(sectionOf),
    clients: clients.split(',').map((number) => count('clients', number)),
    short,
    runs: count('runs', runs),
    invoices: count('invoices', invoices ?? (short ? '20000' : '1000000')),
    json: resolve(json),
    dist: distOf(dist),
    builds: [
      ...(against === undefined ? [] : [{ dist: distOf(against), prefix: 'against, ' }]),
      { dist: distOf(dist), prefix: '' },
    ],
  }
}

function sectionOf(name: string): SectionName {
  const section = SECTIONS.find((one) => one === name)
  if (!section) throw new UsageError(`--only ${name}: there are ${SECTIONS.join(', ')}`)
  return section
}
