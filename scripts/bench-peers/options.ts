import { resolve } from 'node:path'
import { count, distOf, parse } from '../chaos/arguments.ts'

export const HELP = `npm run bench:peers [-- --sales 100] [--rounds 5] [--short] [--json bench-peers.json]

Sells the same sale to the same authority in the ways that others would, written from their documents, and with fiskd,
and prints processor time per sale side by side. Every way's message is judged first by the authority's schema and by
xmlsec1, and six forged answers are tried on each. Exit 1 when a message is refused.
  --sales   in each round of each way
  --rounds  of all ways in turn; the median counts
  --warm    sales of each way before that
  --short   less of everything
  --json    where the figures go; default bench-peers.json
  --dist    the built daemon; default dist
`

export interface PeersOptions {
  sales: number
  rounds: number
  warm: number
  json: string
  dist: string
}

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): PeersOptions | null {
  const { help, short, ...given } = parse(args, {
    sales: { type: 'string' },
    rounds: { type: 'string' },
    warm: { type: 'string' },
    short: { type: 'boolean', default: false },
    json: { type: 'string', default: 'bench-peers.json' },
    dist: { type: 'string' },
    help: { type: 'boolean', default: false },
  })
  if (help) return null
  return {
    sales: count('sales', given.sales ?? (short ? '40' : '100')),
    rounds: count('rounds', given.rounds ?? (short ? '3' : '5')),
    warm: count('warm', given.warm ?? (short ? '60' : '1000')),
    json: resolve(given.json),
    dist: distOf(given.dist),
  }
}
