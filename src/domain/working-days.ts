import { DAY_MS, type EpochMs, HOUR_MS } from './instant.ts'
import { zagrebClock } from './zagreb.ts'

/** A calendar day as days since 1970-01-01, without hours and time zone. */
type Day = number

/** The legal working days to deliver a sale after a broken connection. */
const WORKING_DAYS_TO_DELIVER = 2
/** Where equipment has to be replaced, or the provider is at fault. */
export const EXTENDED_WORKING_DAYS = 5
export type LegalDays = typeof WORKING_DAYS_TO_DELIVER | typeof EXTENDED_WORKING_DAYS

/**
 * The end of the last working day after the day of a break or a sale, in Zagreb; the second one, unless the deadline is
 * extended. A later moment never has an earlier deadline.
 */
export function legalDeadlineOf(from: EpochMs, workingDays: LegalDays = WORKING_DAYS_TO_DELIVER): EpochMs {
  return startOf(workingDaysFrom(zagrebDay(from), 1, workingDays) + 1)
}

/** What was before this moment is past its legal deadline; what was later is not (see `legalDeadlineOf`). */
export function legalCutoffOf(now: EpochMs): EpochMs {
  return startOf(workingDaysFrom(zagrebDay(now), -1, WORKING_DAYS_TO_DELIVER))
}

/** Midnight in Zagreb before a moment. */
export const startOfDayOf = (at: EpochMs): EpochMs => startOf(zagrebDay(at))

function workingDaysFrom(day: Day, step: 1 | -1, workingDays: number): Day {
  let reached = day
  for (let left = workingDays; left > 0; ) {
    reached += step
    if (isWorkingDay(reached)) left--
  }
  return reached
}

/** In Croatia; months from 1 to 12. */
export function isWorkingDate(year: number, month: number, date: number): boolean {
  return isWorkingDay(dayOf(year, month, date))
}

/** Public holidays in Croatia; months from 1 to 12. */
export function isHolidayDate(year: number, month: number, date: number): boolean {
  return isHoliday(dayOf(year, month, date))
}

/** Midnight in Zagreb; months from 1 to 12. A day beyond the end of a month is one of the next. */
export function startOfDate(year: number, month: number, date: number): EpochMs {
  return startOf(dayOf(year, month, date))
}

function isWorkingDay(day: Day): boolean {
  const weekday = new Date(day * DAY_MS).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isHoliday(day)
}

/** Month and day of the fixed holidays (law on holidays, NN 110/2019). */
const FIXED_HOLIDAYS = new Set(['1-1', '1-6', '5-1', '5-30', '6-22', '8-5', '8-15', '11-1', '11-18', '12-25', '12-26'])

/** Easter Sunday, Easter Monday and Corpus Christi, as days after Easter Sunday. */
const AFTER_EASTER = [0, 1, 60]

function isHoliday(day: Day): boolean {
  const date = new Date(day * DAY_MS)
  if (FIXED_HOLIDAYS.has(`${date.getUTCMonth() + 1}-${date.getUTCDate()}`)) return true
  return AFTER_EASTER.includes(day - easterSunday(date.getUTCFullYear()))
}

/** The Gregorian computus in the form of Meeus, Jones and Butcher. */
function easterSunday(year: number): Day {
  const century = Math.floor(year / 100)
  const golden = year % 19
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30
  const yearOfCentury = year % 100
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const correction = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  const fromMarch = epact + toSunday - 7 * correction + 114
  return dayOf(year, Math.floor(fromMarch / 31), (fromMarch % 31) + 1)
}

function dayOf(year: number, month: number, date: number): Day {
  return Date.UTC(year, month - 1, date) / DAY_MS
}

function zagrebDay(at: EpochMs): Day {
  return Math.floor(zagrebClock(at).getTime() / DAY_MS)
}

/** Midnight in Zagreb: one hour before midnight UTC in winter, two in summer. The clocks never change at midnight. */
function startOf(day: Day): EpochMs {
  const inSummer = day * DAY_MS - 2 * HOUR_MS
  return zagrebDay(inSummer) === day ? inSummer : inSummer + HOUR_MS
}
