import { resolve } from 'node:path'
import { count, distOf, parse } from '../../chaos/arguments.ts'

export const HELP = `npm run bench:wear [-- --sales 500] [--before 3000] [--machines 1] [--against DIST] [--most 100]

What a sale writes: bytes and waits for the disk, which tables and indexes they belong to, and how long a card lives.
Run it with TMPDIR on the file system that counts. Exit 1 when a sale writes more than it may.
  --sales    how many are measured, one after another; default 500
  --before   how many are sold before, so that the indexes are as wide as those of a shop; default 3000
  --machines how many machines there are, each at premises of its own; the first one sells what is measured; default 1
  --against  a second built daemon, measured in the same way in the same run
  --most     KB that a sale may write; default 100
  --json     also writes the figures to this file
  --dist     the built daemon; default dist
`

export interface WearOptions {
  sales: number
  before: number
  machines: number
  against: string | undefined
  mostKb: number
  json: string | undefined
  dist: string
}

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): WearOptions | null {
  const { help, sales, before, machines, against, most, json, dist } = parse(args, {
    sales: { type: 'string', default: '500' },
    before: { type: 'string', default: '3000' },
    machines: { type: 'string', default: '1' },
    against: { type: 'string' },
    most: { type: 'string', default: '100' },
    json: { type: 'string' },
    dist: { type: 'string' },
    help: { type: 'boolean', default: false },
  })
  if (help) return null
  return {
    sales: count('sales', sales),
    before: count('before', before),
    machines: count('machines', machines),
    against: against === undefined ? undefined : distOf(against),
    mostKb: count('most', most),
    json: json === undefined ? undefined : resolve(json),
    dist: distOf(dist),
  }
}
