import { resolve } from 'node:path'
import { count, distOf, parse, UsageError } from '../chaos/arguments.ts'

export const HELP = `npm run bench:server -- [--processes 1,3] [--premises 1,50,500] [--delay-ms 0,4,10] [--clients 50] [--seconds 10]

Measures a central server of the built program on a private PostgreSQL (Debian package postgresql) behind a proxy that
adds a round trip, and in the same run what pgbench does with the statements of a sale through the same proxy.
Exit 1 when something wanted is not met, or a sale is answered with anything but 200.
  --processes     how many serve one database, up to 4; each number is measured
  --premises      at how many premises is sold
  --delay-ms      the round trip that the proxy adds, milliseconds
  --clients       how many sell at a time, each one sale after another
  --seconds       how long each point is measured
  --authority-ms  how long the tax authority takes for an answer; default 20
  --short         one point, of 3 seconds
  --json          where the figures go; default bench-server.json
  --dist          the built daemon; default dist
`

export interface ServerBenchOptions {
  processes: number[]
  premises: number[]
  delaysMs: number[]
  clients: number
  seconds: number
  authorityMs: number
  json: string
  dist: string
  keep: boolean
}

const OPTIONS = {
  processes: { type: 'string' },
  premises: { type: 'string' },
  'delay-ms': { type: 'string' },
  clients: { type: 'string', default: '50' },
  seconds: { type: 'string' },
  'authority-ms': { type: 'string', default: '20' },
  short: { type: 'boolean', default: false },
  json: { type: 'string', default: 'bench-server.json' },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const MOST_PROCESSES = 4

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): ServerBenchOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const { short } = values
  const usual = short
    ? { processes: '2', premises: '10', delays: '4' }
    : { processes: '1,3', premises: '1,50,500', delays: '0,4,10' }
  const processes = counts('processes', values.processes ?? usual.processes)
  if (processes.some((number) => number > MOST_PROCESSES)) {
    throw new UsageError(`--processes ${values.processes}: at most ${MOST_PROCESSES}`)
  }
  return {
    processes,
    premises: counts('premises', values.premises ?? usual.premises),
    delaysMs: (values['delay-ms'] ?? usual.delays).split(',').map(delayOf),
    clients: count('clients', values.clients),
    seconds: count('seconds', values.seconds ?? (short ? '3' : '10')),
    authorityMs: count('authority-ms', values['authority-ms']),
    json: resolve(values.json),
    dist: distOf(values.dist),
    keep: values.keep,
  }
}

const counts = (name: string, text: string) => text.split(',').map((number) => count(name, number))

const delayOf = (text: string) => (text === '0' ? 0 : count('delay-ms', text))
