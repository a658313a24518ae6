import { resolve } from 'node:path'
import { COMMON, COMMON_HELP, common, count, oneOf, parse } from './arguments.ts'

export const HELP = `npm run chaos -- [--kills 200] [--devices 8] [--seed N] [--disk] [--clock] [--sabotage FAULT]

Kills the daemon at random moments while devices sell and the simulated tax authority misbehaves, and then compares what
the devices saw, what /v1 shows, what the database holds and what the authority received. At the end the database goes
back in time, in copies of the data directory (its log removed, emptied, without its header, cut; its file of before; a
copy of fisk backup), and no number may be given out again. Exit 0 when all agree.
  --kills        how often; 60 with --disk
  --devices      machines that sell at the same time, two at each premises
  --disk         the data directory is on a small file system that fills up at random; a tmpfs, which needs root
  --disk-dir     a folder on a small file system to use instead of a tmpfs; it will be filled
  --clock        libfaketime (Debian package faketime) moves the daemon's clock by days
  --sabotage     runs a build with a deliberate fault: exit 0 only when the fault was caught; answer-before-commit, or sell-on-old,
                 which compares nothing with the record of issued sales and does not know a copy of a backup
  --seconds-max  gives up, and fails, when the kills take longer; default 120, and 12 for each kill
${COMMON_HELP}`

/** What the builds with a fault do. */
export const FAULTS = {
  'answer-before-commit': 'answers before it commits',
  'sell-on-old': 'sells on a database that went back in time',
} as const

export type Fault = keyof typeof FAULTS

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
  disk: { type: 'boolean', default: false },
  'disk-dir': { type: 'string' },
  clock: { type: 'boolean', default: false },
  sabotage: { type: 'string' },
  'seconds-max': { type: 'string' },
  ...COMMON,
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): ChaosOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const diskDir = values['disk-dir'] === undefined ? null : resolve(values['disk-dir'])
  const disk = values.disk || diskDir !== null
  const kills = count('kills', values.kills ?? (disk ? '60' : '200'))
  const { sabotage } = values
  return {
    kills,
    devices: count('devices', values.devices),
    disk,
    diskDir,
    clock: values.clock,
    sabotage: sabotage === undefined ? null : oneOf('sabotage', Object.keys(FAULTS) as Fault[], sabotage),
    secondsMax: values['seconds-max'] === undefined ? 120 + 12 * kills : count('seconds-max', values['seconds-max']),
    ...common(values),
  }
}
