import { count, distOf, parse, seedOf, UsageError } from '../chaos/arguments.ts'

export const HELP = `npm run chaos:sync -- [--gateways 20] [--seconds 180] [--store postgres] [--processes 2] [--seed N]

Gateways sell, each in a process of its own, while their links to a central server, its processes and they themselves are
cut off at random; then everything is left alone until nothing waits any more, and the server's rows are compared with the
union of the gateways', field by field. At the end one gateway is restored, sells without its server and is replaced, and
another one with a gap that is too small, which must be found. Exit 0 when all of it holds.
  --gateways     how many
  --seconds      for how long there is trouble
  --store        postgres (a private cluster on a Unix socket; Debian package postgresql) or sqlite
  --processes    of the server, behind a balancer; with sqlite there is one
  --seed         repeats the choices of an earlier run; processes and networks keep their own timing
  --dist         the built daemon; default dist
  --keep         leaves the data directories and the logs for a post-mortem
`

export interface SyncChaosOptions {
  gateways: number
  seconds: number
  store: 'postgres' | 'sqlite'
  processes: number
  seed: number
  dist: string
  keep: boolean
}

const OPTIONS = {
  gateways: { type: 'string', default: '20' },
  seconds: { type: 'string', default: '180' },
  store: { type: 'string', default: 'postgres' },
  processes: { type: 'string' },
  seed: { type: 'string' },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): SyncChaosOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const { store } = values
  if (store !== 'postgres' && store !== 'sqlite') throw new UsageError(`--store ${store}: use postgres or sqlite`)
  const processes = count('processes', values.processes ?? (store === 'postgres' ? '2' : '1'))
  if (store === 'sqlite' && processes > 1) throw new UsageError('--processes: a SQLite database has one process')
  return {
    gateways: count('gateways', values.gateways),
    seconds: count('seconds', values.seconds),
    store,
    processes,
    seed: seedOf(values.seed),
    dist: distOf(values.dist),
    keep: values.keep,
  }
}
