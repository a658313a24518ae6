import { DAY_MS, type EpochMs, HOUR_MS } from './instant.ts'
import { startOfDate } from './working-days.ts'
import { zagrebClock } from './zagreb.ts'

/** A calendar day in Zagreb; months count from 1. */
export interface CalendarDate {
  year: number
  month: number
  date: number
}

export function dateAt(at: EpochMs): CalendarDate {
  const wall = zagrebClock(at)
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, date: wall.getUTCDate() }
}

/**
 * The first moment of a day at which clocks in Zagreb show this time or a later one.
 * @param wall a time as `zagrebClock` has it; its day does not count
 */
export function momentOn(day: CalendarDate, wall: Date): EpochMs {
  const [from, sinceMidnight] = [startOfDay(day), wall.getTime() % DAY_MS]
  const wanted = Date.UTC(day.year, day.month - 1, day.date) + sinceMidnight
  // Where an hour is left out or comes twice, it is an hour sooner or later than on other days.
  const moments = [-HOUR_MS, 0, HOUR_MS].map((shift) => from + sinceMidnight + shift)
  const shows = (at: EpochMs) => zagrebClock(at).getTime()
  return moments.find((at) => shows(at) === wanted) ?? Math.floor((from + sinceMidnight) / HOUR_MS) * HOUR_MS
}

/** A day beyond the end of a month or year is one of the next: 32 December is 1 January, month 0 is December. */
export function normalDate({ year, month, date }: CalendarDate): CalendarDate {
  const day = new Date(Date.UTC(year, month - 1, date))
  return { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1, date: day.getUTCDate() }
}

export const daysFrom = (day: CalendarDate, days: number) => normalDate({ ...day, date: day.date + days })

/** The first day of the month that is so many later. */
export const monthsFrom = ({ year, month }: CalendarDate, months: number) =>
  normalDate({ year, month: month + months, date: 1 })

export function startOfDay({ year, month, date }: CalendarDate): EpochMs {
  return startOfDate(year, month, date)
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)$/
const DAY_FIRST = /^(\d{1,2})(?:\.\s?|\/)(\d{1,2})(?:\.\s?|\/)(\d{4})\.?$/

/** Reads `2026-11-22`, or as pages write it `22. 11. 2026.` and `22/11/2026`, for the years 2000 to 2999. */
export function readDate(text: string): CalendarDate | undefined {
  const [, isoYear, isoMonth, isoDate] = ISO.exec(text.trim()) ?? []
  const [, date = isoDate, month = isoMonth, year = isoYear] = DAY_FIRST.exec(text.trim()) ?? []
  const read = { year: Number(year), month: Number(month), date: Number(date) }
  const real = new Date(Date.UTC(read.year, read.month - 1, read.date))
  const isReal = real.getUTCMonth() + 1 === read.month && real.getUTCDate() === read.date
  return isReal && read.year >= 2000 && read.year < 3000 ? read : undefined
}

const twoDigits = (n: number) => String(n).padStart(2, '0')

/** `2026-11-22` */
export function isoDate({ year, month, date }: CalendarDate): string {
  return `${year}-${twoDigits(month)}-${twoDigits(date)}`
}

export function dateOfIso(day: string): CalendarDate {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return { year, month, date }
}

/** `22.11.2026.` */
export function croatianDate({ year, month, date }: CalendarDate): string {
  return `${twoDigits(date)}.${twoDigits(month)}.${year}.`
}

/** `14:05:09`, the local time in Zagreb. */
export function clockTime(at: EpochMs): string {
  return zagrebClock(at).toISOString().slice(11, 19)
}
