import { DAY_MS, type EpochMs, HOUR_MS } from './instant.ts'

/**
 * The local time formats of the tax authority. They are similar but differ: the ZKI has a space, the message a `T`, the
 * QR code neither (CIS specification, ch. 12 and 2.1; docs/spec/cis.md, QR code).
 */
export type ZagrebPattern = 'dd.MM.yyyy HH:mm:ss' | 'dd.MM.yyyyTHH:mm:ss' | 'yyyyMMdd_HHmm' | 'yyyy'

const [MARCH, OCTOBER] = [2, 9]

/**
 * Central European Time, an hour more in summer: from the last Sunday of March to the last one of October, changed at
 * 01:00 UTC (directive 2000/84/EC; in Croatia since 1996). The rule is implemented here because `Intl` loads megabytes
 * of tables for it.
 */
function aheadOfUtc(at: EpochMs): number {
  // Signed data contains this time, so it must be valid.
  if (!Number.isFinite(at)) throw new RangeError('not a moment')
  const isKnown = at >= lastYear.begins && at < lastYear.ends
  if (!isKnown) lastYear = yearOf(new Date(at).getUTCFullYear())
  const isSummer = at >= lastYear.summerBegins && at < lastYear.summerEnds
  return (isSummer ? 2 : 1) * HOUR_MS
}

/** The year that was asked for last: a sale asks for the same one a dozen times. */
let lastYear = yearOf(1970)

/** A year in UTC, and its summer time. */
function yearOf(year: number) {
  return {
    begins: Date.UTC(year, 0),
    ends: Date.UTC(year + 1, 0),
    summerBegins: changeIn(year, MARCH),
    summerEnds: changeIn(year, OCTOBER),
  }
}

function changeIn(year: number, month: number): EpochMs {
  const lastDay = new Date(Date.UTC(year, month + 1, 0, 1))
  return lastDay.getTime() - lastDay.getUTCDay() * DAY_MS
}

/** The local time in Zagreb as the UTC fields of a Date. @throws RangeError when `at` is not a finite number */
export function zagrebClock(at: EpochMs): Date {
  return new Date(at + aheadOfUtc(at))
}

/** The numbers of months, days, hours, minutes and seconds. */
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'))

const padded = (value: number) => TWO_DIGITS[value] ?? String(value)

/** @param shown as if it were UTC. @returns null for the hour that October repeats and the hour that March skips */
export function momentInZagreb(shown: number): EpochMs | null {
  const [inWinter, inSummer] = [shown - HOUR_MS, shown - 2 * HOUR_MS]
  const isWinter = aheadOfUtc(inWinter) === HOUR_MS
  const isSummer = aheadOfUtc(inSummer) === 2 * HOUR_MS
  if (isWinter === isSummer) return null
  return isWinter ? inWinter : inSummer
}

export function formatZagreb(at: EpochMs, pattern: ZagrebPattern): string {
  const second = Math.floor(at / 1000)
  if (second !== lastSecond?.second) lastSecond = { second, ...shownAt(at) }
  return lastSecond[pattern]
}

/** The second that was asked for last: a sale is made, sent and answered in the same one, or the next. */
let lastSecond: (Record<ZagrebPattern, string> & { second: number }) | undefined

function shownAt(at: EpochMs): Record<ZagrebPattern, string> {
  const shown = zagrebClock(at)
  const year = String(shown.getUTCFullYear())
  const month = padded(shown.getUTCMonth() + 1)
  const day = padded(shown.getUTCDate())
  const hour = padded(shown.getUTCHours())
  const minute = padded(shown.getUTCMinutes())
  const date = `${day}.${month}.${year}`
  const time = `${hour}:${minute}:${padded(shown.getUTCSeconds())}`
  return {
    'dd.MM.yyyy HH:mm:ss': `${date} ${time}`,
    'dd.MM.yyyyTHH:mm:ss': `${date}T${time}`,
    yyyyMMdd_HHmm: `${year}${month}${day}_${hour}${minute}`,
    yyyy: year,
  }
}

/** The calendar year of a sale; receipt numbers start at 1 in every year (law, NN 89/2025 art. 9). */
export function zagrebYear(at: EpochMs): number {
  return zagrebClock(at).getUTCFullYear()
}

/** Date and time in Zagreb as tables have them: `9. 12. 2026. 8:34`, or `09/12/2026, 08:34`. */
export function shownTime(at: EpochMs, language: 'hr' | 'en'): string {
  return `${shownDate(at, language)}${language === 'hr' ? '' : ','} ${shownClock(at, language)}`
}

/** As sentences have them: `9. 12. 2026. u 8:34`, or `09/12/2026, 08:34`. */
export function timeInSentence(at: EpochMs, language: 'hr' | 'en'): string {
  return `${shownDate(at, language)}${language === 'hr' ? ' u' : ','} ${shownClock(at, language)}`
}

/** The day alone: `9. 12. 2026.`, or `09/12/2026`. */
export function shownDate(at: EpochMs, language: 'hr' | 'en'): string {
  const [day, month, year] = formatZagreb(at, 'dd.MM.yyyy HH:mm:ss').slice(0, 'dd.MM.yyyy'.length).split('.')
  return language === 'hr' ? `${Number(day)}. ${Number(month)}. ${year}.` : `${day}/${month}/${year}`
}

/** The time alone: `8:34`, or `08:34`. */
export function shownClock(at: EpochMs, language: 'hr' | 'en'): string {
  const clock = formatZagreb(at, 'dd.MM.yyyy HH:mm:ss').slice('dd.MM.yyyy '.length, -':ss'.length)
  return language === 'hr' ? clock.replace(/^0/, '') : clock
}
