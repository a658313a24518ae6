import { resolve } from 'node:path'
import { count, distOf, parse, seedOf, UsageError } from './arguments.ts'

export const HELP = `npm run chaos -- [--kills 200] [--devices 8] [--seed N] [--disk] [--clock] [--sabotage FAULT]

Kills the daemon at random moments while devices sell and the simulated tax authority misbehaves, and then compares what
the devices saw, what /v1 shows, what the database holds and what the authority received. At the end the database goes
back in time, in copies of the data directory (its log removed, emptied, without its header, cut; its file of before; a
copy of fisk backup), and no number may be given out again. Exit 0 when all agree.
  --kills        how often; 60 with --disk
  --devices      machines that sell at the same time, two at each premises
  --seed         repeats the choices of an earlier run; processes and networks keep their own timing
  --disk         the data directory is on a small file system that fills up at random; a tmpfs, which needs root
  --disk-dir     a folder on a small file system to use instead of a tmpfs; it will be filled
  --clock        libfaketime (Debian package faketime) moves the daemon's clock by days
  --sabotage     runs a build with a deliberate fault: exit 0 only when the fault was caught; answer-before-commit, or sell-on-old,
                 which compares nothing with the record of issued sales and does not know a copy of a backup
  --seconds-max  gives up, and fails, when the kills take longer; default 120, and 12 for each kill
  --dist         the built daemon; default dist
  --keep         leaves the data directory and the daemon's log for a post-mortem
`

/** What the builds with a fault do. */
export const FAULTS = {
  'answer-before-commit': 'answers before it commits',
  'sell-on-old': 'sells on a database that went back in time',
} as const

export type Fault = keyof typeof FAULTS

const isFault = (name: string): name is Fault => Object.hasOwn(FAULTS, name)

export interface ChaosOptions {
  kills: number
  devices: number
  seed: number
  disk: boolean
  /** Instead of a tmpfs of our own. */
  diskDir: string | null
  clock: boolean
  sabotage: Fault | null
  secondsMax: number
  dist: string
  keep: boolean
}

const OPTIONS = {
  kills: { type: 'string' },
  devices: { type: 'string', default: '8' },
  seed: { type: 'string' },
  disk: { type: 'boolean', default: false },
  'disk-dir': { type: 'string' },
  clock: { type: 'boolean', default: false },
  sabotage: { type: 'string' },
  'seconds-max': { type: 'string' },
  dist: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): ChaosOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const diskDir = values['disk-dir'] === undefined ? null : resolve(values['disk-dir'])
  const disk = values.disk || diskDir !== null
  const kills = count('kills', values.kills ?? (disk ? '60' : '200'))
  const { sabotage } = values
  if (sabotage !== undefined && !isFault(sabotage)) {
    throw new UsageError(`--sabotage ${sabotage}: the faults there are: ${Object.keys(FAULTS).join(', ')}`)
  }
  return {
    kills,
    devices: count('devices', values.devices),
    seed: seedOf(values.seed),
    disk,
    diskDir,
    clock: values.clock,
    sabotage: sabotage ?? null,
    secondsMax: values['seconds-max'] === undefined ? 120 + 12 * kills : count('seconds-max', values['seconds-max']),
    dist: distOf(values.dist),
    keep: values.keep,
  }
}
