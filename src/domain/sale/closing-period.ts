import { type CalendarDate, croatianDate, dateAt, dateOfIso, isoDate, readDate, startOfDay } from '../calendar-date.ts'
import type { EpochMs } from '../instant.ts'
import { shownDate } from '../zagreb.ts'

export const CLOSING_UNITS = ['day', 'month'] as const

/** A day or a month in Zagreb. */
export interface ClosingPeriod {
  unit: (typeof CLOSING_UNITS)[number]
  /** Its first day, such as `2026-11-22`. */
  starts: string
}

export function periodAt(unit: ClosingPeriod['unit'], { year, month, date }: CalendarDate): ClosingPeriod {
  return { unit, starts: isoDate({ year, month, date: unit === 'day' ? date : 1 }) }
}

/** Reads `2026-11-22` or `22.11.2026.` as a day, and `2026-11` as a month; undefined for anything else. */
export function readPeriod(text: string): ClosingPeriod | undefined {
  const isMonth = /^\d{4}-\d\d$/.test(text)
  const day = readDate(isMonth ? `${text}-01` : text)
  return day && periodAt(isMonth ? 'month' : 'day', day)
}

/** As `readPeriod` reads it: `2026-11-22`, or `2026-11` for a month. */
export function periodName({ unit, starts }: ClosingPeriod): string {
  return unit === 'day' ? starts : starts.slice(0, 'yyyy-MM'.length)
}

/** As paper has it: `22.11.2026.`, or `11.2026.` for a month. */
export function periodText(period: ClosingPeriod): string {
  const day = croatianDate(dateAt(spanOf(period).from))
  return period.unit === 'day' ? day : day.slice('dd.'.length)
}

/** As pages and mails have it: `22. 11. 2026.` or `22/11/2026`, and `11/2026` for a month. */
export function shownPeriod(period: ClosingPeriod, language: 'hr' | 'en'): string {
  const [year, month] = period.starts.split('-')
  return period.unit === 'day' ? shownDate(spanOf(period).from, language) : `${month}/${year}`
}

/** The period that is so many days or months later. */
export function periodAfter({ unit, starts }: ClosingPeriod, count = 1): ClosingPeriod {
  const { year, month, date } = dateOfIso(starts)
  const moved = unit === 'day' ? { year, month, date: date + count } : { year, month: month + count, date }
  return periodAt(unit, dateAt(startOfDay(moved)))
}

/** From its first moment to before the first moment of the next one. */
export function spanOf(period: ClosingPeriod): { from: EpochMs; to: EpochMs } {
  const begin = ({ starts }: ClosingPeriod) => startOfDay(readDate(starts) as CalendarDate)
  return { from: begin(period), to: begin(periodAfter(period)) }
}

export function isOver(period: ClosingPeriod, now: EpochMs): boolean {
  return spanOf(period).to <= now
}
