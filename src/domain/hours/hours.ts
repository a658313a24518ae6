/**
 * Working hours of a premises at the tax authority (CIS specification, 2.8; docs/spec/cis.md, Working hours). Dates are
 * days in Zagreb, `2026-11-30`; times `hh:mm`, from 24:00 on of the next day.
 */
export interface WorkingHours {
  regular: RegularHours[]
  exceptions: ExceptionHours[]
}

/** Hours that count from a day on, until the next regular ones. */
export interface RegularHours {
  from: string
  /** The authority writes it where other hours follow; who registers hours leaves it out. */
  until?: string
  note?: string
  kind: HoursKind
  /** Empty for hours by arrangement. */
  spans: RegularSpan[]
}

export type HoursKind = 'by_arrangement' | 'single' | 'split' | 'odd_even'

export interface Span {
  from: string
  to: string
}

export interface RegularSpan extends Span {
  /** 1 to 7 from Monday; 8 are holidays. */
  day: number
  /** Of split hours. */
  part?: 1 | 2
  /** Whether it counts on odd or on even days; of such hours. */
  parity?: 'odd' | 'even'
}

/** The hours of one day: one span, or two of split hours. */
export interface ExceptionHours {
  date: string
  spans: Span[]
}

/** Hours to be deleted, by the days from which they count, and by the days of exceptions. */
export interface HoursDates {
  regular: string[]
  exceptions: string[]
}

const TIME = /^([0-3]\d|4[0-7]):([0-5]\d)$/

/** Minutes after midnight at which the day begins; undefined for a text that is no time. */
export function minutesOf(time: string): number | undefined {
  const [, hour, minute] = TIME.exec(time) ?? []
  return hour === undefined ? undefined : Number(hour) * 60 + Number(minute)
}
