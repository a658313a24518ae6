import { COMMON, COMMON_HELP, common, count, oneOf, parse } from './arguments.ts'

export const HELP = `npm run chaos -- [--kills 200] [--devices 8] [--seed N] [--disk] [--clock] [--sabotage answer-before-commit]

Kills the daemon at random moments while devices sell and the simulated tax authority misbehaves, and then compares what
the devices saw, what /v1 shows, what the database holds and what the authority received. Exit 0 when all agree.
  --kills        how often; 60 with --disk
  --devices      machines that sell at the same time, two at each premises
  --disk         the data directory is on a small tmpfs that fills up at random, which needs root
  --clock        moves the daemon's clock by days (Debian packages gcc and libc6-dev)
  --sabotage     runs a build with a deliberate fault: exit 0 only when the fault was caught
  --seconds-max  gives up, and fails, when the kills take longer; default 120, and 12 for each kill
${COMMON_HELP}`

export interface ChaosOptions {
  kills: number
  devices: number
  seed: number
  disk: boolean
  clock: boolean
  sabotage: 'answer-before-commit' | null
  secondsMax: number
  dist: string
  keep: boolean
}

const OPTIONS = {
  kills: { type: 'string' },
  devices: { type: 'string', default: '8' },
  disk: { type: 'boolean', default: false },
  clock: { type: 'boolean', default: false },
  sabotage: { type: 'string' },
  'seconds-max': { type: 'string' },
  ...COMMON,
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): ChaosOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const { disk, sabotage } = values
  const kills = count('kills', values.kills ?? (disk ? '60' : '200'))
  return {
    kills,
    devices: count('devices', values.devices),
    disk,
    clock: values.clock,
    sabotage: sabotage === undefined ? null : oneOf('sabotage', ['answer-before-commit'], sabotage),
    secondsMax: values['seconds-max'] === undefined ? 120 + 12 * kills : count('seconds-max', values['seconds-max']),
    ...common(values),
  }
}
