import { type CalendarDate, readDate, startOfDay } from '../../domain/calendar-date.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { momentInZagreb } from '../../domain/zagreb.ts'

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const CLOCK = /^([01]?\d|2[0-3])[:.](\d\d)$/

/** What is wrong with a day and a time of day. */
export type WrongMoment = 'date' | 'clock' | 'clock_alone'

/**
 * The first moment of a day and time of day in Zagreb, or of the day; undefined when nothing was typed.
 * @param end the first moment behind the minute, or behind the day, instead
 */
export function readMoment(date: string, clock: string, end = false): EpochMs | undefined | WrongMoment {
  if (date === '') return clock === '' ? undefined : 'clock_alone'
  const day = readDate(date)
  if (day === undefined) return 'date'
  if (clock === '') return startOfDay(end ? { ...day, date: day.date + 1 } : day)
  const [, hours, minutes] = CLOCK.exec(clock) ?? []
  if (minutes === undefined || Number(minutes) > 59) return 'clock'
  return momentOf(day, Number(hours), Number(minutes), end) + (end ? MINUTE_MS : 0)
}

/** Of the hour that October has twice, the first one begins, and the second one ends. */
function momentOf({ year, month, date }: CalendarDate, hours: number, minutes: number, end: boolean): EpochMs {
  const shown = Date.UTC(year, month - 1, date, hours, minutes)
  return momentInZagreb(shown) ?? shown - (end ? 1 : 2) * HOUR_MS
}
