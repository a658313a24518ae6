import { COMMON, COMMON_HELP, common, count, oneOf, parse } from '../chaos/arguments.ts'

export const HELP = `npm run soak -- [--days 7] [--sales 600] [--minutes 60] [--seed N] [--dst spring|autumn]

A week of two machines and their controller in an hour: sales by day, nights, outages of the tax authority, ends of paper,
the change of DST, a new certificate, a renewed TLS certificate, backups, a restart by the watchdog. All processes go by
one clock, which jumps ahead while nobody works. At the end memory, open files, handles and the growth of the database
have to be as on the first days, and what the machines saw, /v1, the database, the authority and the paper have to agree.
  --days     the change of DST is in the middle of them
  --sales    a day
  --minutes  real ones; the fewer, the longer the jumps of the clock, 60 s at most
  --dst      which change; default spring
${COMMON_HELP}`

export interface SoakOptions {
  days: number
  sales: number
  minutes: number
  seed: number
  dst: 'spring' | 'autumn'
  dist: string
  keep: boolean
}

const OPTIONS = {
  days: { type: 'string', default: '7' },
  sales: { type: 'string', default: '600' },
  minutes: { type: 'string', default: '60' },
  dst: { type: 'string', default: 'spring' },
  ...COMMON,
} as const

/** @returns null when only the help is wanted. @throws UsageError */
export function readOptions(args: string[]): SoakOptions | null {
  const values = parse(args, OPTIONS)
  if (values.help) return null
  const { days, sales, minutes } = values
  return {
    days: count('days', days),
    sales: count('sales', sales),
    minutes: count('minutes', minutes),
    dst: oneOf('dst', ['spring', 'autumn'], values.dst),
    ...common(values),
  }
}
