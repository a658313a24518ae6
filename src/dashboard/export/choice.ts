import { type CalendarDate, dateAt, isoDate, readDate, startOfDay } from '../../domain/calendar-date.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { ExportWanted } from '../../fiscal/office/exported.ts'
import { chosenId } from '../ids.ts'
import type { Texts } from './texts.ts'

/** The choice of what is in a file. */
export interface Choice {
  /** As the form shows it. */
  values: { from: string; to: string; company: string; premises: string; device: string; mode: Mode }
  first: CalendarDate
  last: CalendarDate
  wanted: ExportWanted
  /** By field; nothing is given away while there are any. */
  errors: Record<string, string>
}

/** @param mode when none was chosen */
export function readChoice(query: Record<string, string>, t: Texts, now: EpochMs, mode: Mode): Choice {
  const errors: Record<string, string> = {}
  const preset = presetsAt(now).thisMonth
  const day = (field: 'from' | 'to') => {
    const text = query[field] ?? ''
    const read = readDate(text)
    if (text !== '' && !read) errors[field] = t.errors.date
    return read ?? preset[field]
  }
  const [first, last] = [day('from'), day('to')]
  const [from, to] = [startOfDay(first), startOfDay({ ...last, date: last.date + 1 })]
  if (from >= to && !errors.to) errors.to = t.errors.order
  const premises = (query.premises ?? '').trim()
  if (premises !== '' && !isPremisesCode(premises)) errors.premises = t.errors.premises
  const { company = '', device = '' } = query
  const chosen = query.mode === 'live' || query.mode === 'test' ? query.mode : mode
  return {
    values: {
      from: errors.from ? (query.from ?? '') : isoDate(first),
      to: errors.to ? (query.to ?? '') : isoDate(last),
      company,
      device,
      premises,
      mode: chosen,
    },
    first,
    last,
    errors,
    wanted: {
      mode: chosen,
      from,
      to,
      companyId: chosenId(company),
      deviceId: chosenId(device),
      premisesCode: premises || undefined,
    },
  }
}

interface Span {
  from: CalendarDate
  to: CalendarDate
}

/** The periods that people ask for, as they lie today. */
export function presetsAt(now: EpochMs): Record<'today' | 'thisMonth' | 'lastMonth' | 'thisYear' | 'lastYear', Span> {
  const today = dateAt(now)
  const { year, month } = today
  const monthOf = (year: number, month: number): Span => ({
    from: dateAt(startOfDay({ year, month, date: 1 })),
    to: dateAt(startOfDay({ year, month: month + 1, date: 0 })),
  })
  const yearOf = (year: number): Span => ({ from: { year, month: 1, date: 1 }, to: { year, month: 12, date: 31 } })
  return {
    today: { from: today, to: today },
    thisMonth: monthOf(year, month),
    lastMonth: monthOf(year, month - 1),
    thisYear: yearOf(year),
    lastYear: yearOf(year - 1),
  }
}
