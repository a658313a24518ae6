import type { EpochMs } from './instant.ts'

/**
 * The local time forms of the tax authority. They look alike and are not: the ZKI has a space, the message a `T`, the
 * QR code neither (CIS specification, ch. 12 and 2.1; spec/cis.md, QR code).
 */
export type ZagrebPattern = 'dd.MM.yyyy HH:mm:ss' | 'dd.MM.yyyyTHH:mm:ss' | 'yyyyMMdd_HHmm' | 'yyyy'

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Zagreb',
  calendar: 'iso8601',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

const HOUR_MS = 3_600_000

/** Clocks are put forward and back on the hour: what Zagreb is ahead of UTC holds for the whole of it. */
let latest = { hour: Number.NaN, aheadMs: 0 }

function aheadOfUtc(at: EpochMs): number {
  const hour = Math.floor(at / HOUR_MS)
  if (latest.hour !== hour) latest = { hour, aheadMs: askIntl(hour * HOUR_MS) - hour * HOUR_MS }
  return latest.aheadMs
}

/** What the wall clock shows, as if it stood in UTC. It takes longer than all that is done with it. */
function askIntl(at: EpochMs): number {
  const part: Record<string, number> = {}
  for (const { type, value } of clock.formatToParts(at)) part[type] = Number(value)
  const { year = 0, month = 1, day, hour, minute, second } = part
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

const padded = (value: number) => String(value).padStart(2, '0')

/** Writes a moment as wall-clock time in Europe/Zagreb, summer time included. */
export function formatZagreb(at: EpochMs, pattern: ZagrebPattern): string {
  const shown = new Date(at + aheadOfUtc(at))
  const year = String(shown.getUTCFullYear())
  if (pattern === 'yyyy') return year
  const month = padded(shown.getUTCMonth() + 1)
  const day = padded(shown.getUTCDate())
  const hour = padded(shown.getUTCHours())
  const minute = padded(shown.getUTCMinutes())
  if (pattern === 'yyyyMMdd_HHmm') return `${year}${month}${day}_${hour}${minute}`
  const between = pattern === 'dd.MM.yyyyTHH:mm:ss' ? 'T' : ' '
  return `${day}.${month}.${year}${between}${hour}:${minute}:${padded(shown.getUTCSeconds())}`
}

/** The calendar year of a sale: receipt numbers start again at 1 with it (law, NN 89/2025 art. 9). */
export function zagrebYear(at: EpochMs): number {
  return Number(formatZagreb(at, 'yyyy'))
}
