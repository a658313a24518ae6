import type { EpochMs } from './instant.ts'
import { formatZagreb } from './zagreb.ts'

/** A calendar day as days since 1970-01-01, without hours and time zone. */
type Day = number

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** The legal working days to deliver a sale after a broken connection. */
const WORKING_DAYS_TO_DELIVER = 2

/**
 * The legal deadline to deliver a sale: the end of the second working day after the day of the sale, both in
 * Europe/Zagreb. A later sale never has an earlier deadline.
 */
export function legalDeadlineOf(occurredAt: EpochMs): EpochMs {
  let day = zagrebDay(occurredAt)
  for (let left = WORKING_DAYS_TO_DELIVER; left > 0; ) {
    day++
    if (isWorkingDay(day)) left--
  }
  return startOf(day + 1)
}

/** Sales before this moment are past their legal deadline; later ones are not (see `legalDeadlineOf`). */
export function legalCutoffOf(now: EpochMs): EpochMs {
  let day = zagrebDay(now)
  for (let left = WORKING_DAYS_TO_DELIVER; left > 0; ) {
    day--
    if (isWorkingDay(day)) left--
  }
  return startOf(day)
}

/** Whether a day is a working day in Croatia, given as year, month (1 to 12) and day of the month. */
export function isWorkingDate(year: number, month: number, date: number): boolean {
  return isWorkingDay(dayOf(year, month, date))
}

/** Whether a day is a public holiday in Croatia, given as `isWorkingDate` takes it. */
export function isHolidayDate(year: number, month: number, date: number): boolean {
  return isHoliday(dayOf(year, month, date))
}

/**
 * Midnight in Zagreb at the start of a day, given as year, month (1 to 12) and day of the month. A day beyond the end
 * of a month or year continues in the next one: 32 December is 1 January.
 */
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
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)/.exec(formatZagreb(at, 'yyyyMMdd_HHmm')) ?? []
  return dayOf(Number(year), Number(month), Number(date))
}

/** Midnight in Zagreb: one hour before midnight UTC in winter, two in summer. The clocks never change at midnight. */
function startOf(day: Day): EpochMs {
  const inSummer = day * DAY_MS - 2 * HOUR_MS
  return zagrebDay(inSummer) === day ? inSummer : inSummer + HOUR_MS
}
