import { count, distOf, parse, sabotageOf, seedOf, UsageError } from '../chaos/arguments.ts'
import type { Sabotage } from '../chaos/sabotage.ts'
import { FILE_SYSTEMS, type FileSystem } from '../machine/card.ts'
import { BOARDS, type Board } from '../machine/quick-guest.ts'

/** When the current goes. */
const MOMENTS = ['random', 'commit', 'checkpoint', 'backup', 'upgrade', 'log', 'starting'] as const
export type Moment = (typeof MOMENTS)[number]

export const HELP = `npm run chaos:power -- [--cuts 300] [--arch amd64|arm64|uml] [--fs ext4|f2fs] [--mount commit=60] [--at MOMENT] [--seed N]

Switches an emulated machine off, again and again, while devices sell and print and the simulated tax authority misbehaves.
What its card had not flushed is lost, lost in part, or torn, by the seed. Then what the devices were told, /v1, the database,
the authority's ledger and the receipts on paper must agree. Exit 0 when all do. Needs root, QEMU (Debian packages
qemu-system-x86, qemu-system-arm) and debootstrap; for --fs f2fs also f2fs-tools.
  --cuts      how often
  --arch      the processor that is emulated, default amd64; uml is User-mode Linux, whose programs the host's own runs: twenty
              times as quick, and as much of a kernel, its file systems and its card
  --fs        file system of the card; default ext4
  --mount     an option of its mount, such as commit=60
  --at        the moment of every cut: ${MOMENTS.join(', ')}; default all of them by turns
  --devices   machines that sell at the same time, two at each premises
  --seed      repeats the choices of an earlier run; the machine keeps its own timing
  --sabotage  runs a build with a deliberate fault (answer-before-commit, synchronous-normal): exit 0 only when it was caught
  --short     4 cuts
  --minutes-max  gives up, and fails, when the cuts take longer; default 5, and 2 for each cut
  --dist      the built daemon; default dist
  --keep      leaves the card and the console's log for a post-mortem
`

export interface PowerOptions {
  cuts: number
  arch: Board
  fs: FileSystem
  mount: string
  /** Null for all by turns. */
  at: Moment | null
  devices: number
  seed: number
  sabotage: Sabotage | null
  minutesMax: number
  dist: string
  keep: boolean
}

const OPTIONS = {
  cuts: { type: 'string' },
  arch: { type: 'string', default: 'amd64' },
  fs: { type: 'string', default: 'ext4' },
  mount: { type: 'string', default: '' },
  at: { type: 'string' },
  devices: { type: 'string', default: '4' },
  seed: { type: 'string' },
  sabotage: { type: 'string' },
  'minutes-max': { type: 'string' },
  short: { type: 'boolean', default: false },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): PowerOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const cuts = count('cuts', values.cuts ?? (values.short ? '4' : '300'))
  return {
    cuts,
    arch: oneOf('arch', BOARDS, values.arch),
    fs: oneOf('fs', FILE_SYSTEMS, values.fs),
    mount: values.mount,
    at: values.at === undefined ? null : oneOf('at', MOMENTS, values.at),
    devices: count('devices', values.devices),
    seed: seedOf(values.seed),
    sabotage: sabotageOf(values.sabotage),
    minutesMax: values['minutes-max'] === undefined ? 5 + 2 * cuts : count('minutes-max', values['minutes-max']),
    dist: distOf(values.dist),
    keep: values.keep,
  }
}

/** @throws UsageError */
export function oneOf<const T extends string>(name: string, choices: readonly T[], text: string): T {
  const choice = choices.find((one) => one === text)
  if (choice === undefined) throw new UsageError(`--${name} ${text}: one of ${choices.join(', ')}`)
  return choice
}
