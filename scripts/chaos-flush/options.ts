import { count, distOf, parse, sabotageOf, seedOf } from '../chaos/arguments.ts'
import type { Sabotage } from '../chaos/sabotage.ts'
import { oneOf } from '../chaos-power/options.ts'
import { BOARDS, type Board } from '../machine/quick-guest.ts'

export const HELP = `npm run chaos:flush -- [--sales 200] [--torn 200] [--seed N] [--sabotage answer-before-commit|synchronous-normal]

Records every write and flush of an emulated machine's card while devices sell. For each flush the card is made as it was
then, mounted, and judged: file system clean, database undamaged, journals sealed, every answer there that was given before.
Then the same for torn cards: of the writes between two flushes only some survive, and of those only some sectors. Exit 0 when
all hold. Needs root to mount, QEMU (Debian package qemu-system-x86) and debootstrap.
  --sales     answers with 200 to wait for
  --marks     judges so many flushes, chosen by the seed; default all
  --torn      torn cards, chosen by the seed
  --devices   machines that sell at the same time, two at each premises
  --arch      amd64 or arm64, emulated, or uml, which is quicker; default amd64
  --mount     an option of the card's mount, such as commit=60
  --seed      repeats the choices of an earlier run; the machine keeps its own timing
  --sabotage  runs a build with a deliberate fault: exit 0 only when the fault was caught
  --short     40 sales, 60 flushes, 20 torn cards
  --dist      the built daemon; default dist
  --keep      leaves the cards and the console's log for a post-mortem
`

export interface FlushOptions {
  sales: number
  /** Infinite for all. */
  marks: number
  torn: number
  devices: number
  arch: Board
  mount: string
  seed: number
  sabotage: Sabotage | null
  dist: string
  keep: boolean
}

const OPTIONS = {
  sales: { type: 'string' },
  marks: { type: 'string' },
  torn: { type: 'string' },
  devices: { type: 'string', default: '4' },
  arch: { type: 'string', default: 'amd64' },
  mount: { type: 'string', default: '' },
  seed: { type: 'string' },
  sabotage: { type: 'string' },
  short: { type: 'boolean', default: false },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): FlushOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const { short } = values
  return {
    sales: count('sales', values.sales ?? (short ? '40' : '200')),
    marks: values.marks === undefined ? (short ? 60 : Number.POSITIVE_INFINITY) : count('marks', values.marks),
    torn: count('torn', values.torn ?? (short ? '20' : '200')),
    devices: count('devices', values.devices),
    arch: oneOf('arch', BOARDS, values.arch),
    mount: values.mount,
    seed: seedOf(values.seed),
    sabotage: sabotageOf(values.sabotage),
    dist: distOf(values.dist),
    keep: values.keep,
  }
}
