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

/** Writes a moment as wall-clock time in Europe/Zagreb, summer time included. */
export function formatZagreb(at: EpochMs, pattern: ZagrebPattern): string {
  const part: Record<string, string> = {}
  for (const { type, value } of clock.formatToParts(at)) part[type] = value
  const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = part
  switch (pattern) {
    case 'dd.MM.yyyy HH:mm:ss':
      return `${day}.${month}.${year} ${hour}:${minute}:${second}`
    case 'dd.MM.yyyyTHH:mm:ss':
      return `${day}.${month}.${year}T${hour}:${minute}:${second}`
    case 'yyyyMMdd_HHmm':
      return `${year}${month}${day}_${hour}${minute}`
    case 'yyyy':
      return year
  }
}

/** The calendar year of a sale: receipt numbers start again at 1 with it (law, NN 89/2025 art. 9). */
export function zagrebYear(at: EpochMs): number {
  return Number(formatZagreb(at, 'yyyy'))
}
