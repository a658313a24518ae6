import { type CalendarDate, isoDate, monthsFrom } from '../../domain/calendar-date.ts'
import type { TurnoverSpan } from '../ports/rows/turnover.ts'

/** The fewest rows for a range of days: whole months where there are any, and the days around them. */
export function spansOf(from: CalendarDate, to: CalendarDate): TurnoverSpan[] {
  const firstMonth = from.date === 1 ? from : monthsFrom(from, 1)
  const lastMonth = monthsFrom(to, 0)
  const [begin, end] = [isoDate(from), isoDate(to)]
  const [months, rest] = [isoDate(firstMonth), isoDate(lastMonth)]
  if (months >= rest) return begin < end ? [{ unit: 'day', from: begin, to: end }] : []
  const spans: TurnoverSpan[] = [
    { unit: 'day', from: begin, to: months },
    { unit: 'month', from: months, to: rest },
    { unit: 'day', from: rest, to: end },
  ]
  return spans.filter((span) => span.from < span.to)
}
