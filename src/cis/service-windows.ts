import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale/sale.ts'
import { zagrebClock } from '../domain/zagreb.ts'

/** Where the tax authority's own service is (docs/spec/cis.md, Endpoints). */
export const OFFICIAL_URLS: Record<Mode, string> = {
  test: 'https://cistest.apis-it.hr:8449/FiskalizacijaServiceTest',
  live: 'https://cis.porezna-uprava.hr:8449/FiskalizacijaService',
}

/** Whether an address is that of the tax authority's own service, not of a substitute. */
export const isOfficial = (mode: Mode, url: string): boolean => new URL(url).host === new URL(OFFICIAL_URLS[mode]).host

const [SUNDAY, SATURDAY] = [0, 6]

/** The test service is, in Zagreb on weekdays 16:00-17:00 and on Sundays 08:00-12:00 (docs/spec/cis.md, Endpoints). */
export function isClosed(mode: Mode, at: EpochMs): boolean {
  if (mode === 'live') return false
  const shown = zagrebClock(at)
  const [day, hour] = [shown.getUTCDay(), shown.getUTCHours()]
  if (day === SATURDAY) return false
  return day === SUNDAY ? hour >= 8 && hour < 12 : hour === 16
}

/** The same for the service at a URL: a substitute for the service is never closed. */
export const isClosedAt = (url: string, mode: Mode, at: EpochMs): boolean => isOfficial(mode, url) && isClosed(mode, at)
