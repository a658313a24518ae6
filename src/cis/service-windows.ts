import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import { isOfficial } from './addresses.ts'

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Zagreb',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  weekday: 'short',
  hour: '2-digit',
})

/**
 * Whether the tax authority's service is closed by its own timetable: the test service is, on weekdays 16:00-17:00 and on
 * Sundays 08:00-12:00 in Europe/Zagreb (spec/cis.md, Endpoints).
 */
export function isClosed(mode: Mode, at: EpochMs): boolean {
  if (mode === 'live') return false
  const part: Record<string, string> = {}
  for (const { type, value } of clock.formatToParts(at)) part[type] = value
  const hour = Number(part.hour)
  if (part.weekday === 'Sat') return false
  return part.weekday === 'Sun' ? hour >= 8 && hour < 12 : hour === 16
}

/** The same of whatever is at an address: a stand-in for the service keeps no hours. */
export function isClosedAt(url: string, mode: Mode, at: EpochMs): boolean {
  return isOfficial(mode, url) && isClosed(mode, at)
}
