import { dateAt, dateOfIso, isoDate, normalDate } from '../calendar-date.ts'
import { FiskError } from '../errors.ts'
import type { EpochMs } from '../instant.ts'
import { isOib } from '../oib.ts'
import {
  type ExceptionHours,
  type HoursDates,
  minutesOf,
  type RegularHours,
  type RegularSpan,
  type Span,
  type WorkingHours,
} from './hours.ts'
import { readDates, readHours, type StatedHours } from './hours-text.ts'
import { HOURS_CODES, type HoursCode } from './hours-texts.ts'

/** What the authority would refuse, by its code, and the member of the hours that is at fault. */
export interface HoursFault {
  code: HoursCode
  param: string
}

/** What the authority looks at beside the hours. */
export interface HoursFacts {
  /** The day in Zagreb, `2026-11-30`. */
  today: string
  operatorOib: string
}

/** Regular hours begin tomorrow at the earliest, and so many days from today at the latest. */
const MOST_DAYS_AHEAD = 44
const MOST_MONTHS_AHEAD = 2

const DAY = 24 * 60
const LAST_MINUTE = DAY - 1

/** What people want of the hours of a premises, as they state it, and as the authority is asked. */
export type WantedHours = { set: StatedHours } | { remove: HoursDates }
export type AskedHours = { set: WorkingHours } | { remove: HoursDates }

/** @throws FiskError `invalid_request` for what cannot be read, or what the authority would refuse */
export function readWantedHours(wanted: WantedHours, operatorOib: string, now: EpochMs): AskedHours {
  const facts = { today: isoDate(dateAt(now)), operatorOib }
  const asked: AskedHours = 'set' in wanted ? { set: readHours(wanted.set) } : { remove: readDates(wanted.remove) }
  const [first] = 'set' in asked ? registrationFaults(asked.set, facts) : deletionFaults(asked.remove, facts)
  if (!first) return asked
  const { code, param } = first
  const message = `${code}: ${HOURS_CODES[code].en}`
  throw new FiskError('invalid_request', message, { param, reason: 'hours_refused', about: code })
}

/** A code, the member at fault, and whether it holds. */
type Rule = [code: HoursCode, param: string, holds: boolean]

/** In the order of the codes. */
function told(rules: Rule[]): HoursFault[] {
  const faults = rules.filter(([, , holds]) => holds).map(([code, param]) => ({ code, param }))
  return faults.sort((one, other) => one.code.localeCompare(other.code))
}

/** What can be told before hours are registered (docs/spec/cis.md, Working hours). */
export function registrationFaults({ regular, exceptions }: WorkingHours, facts: HoursFacts): HoursFault[] {
  const froms = regular.map(({ from }) => from)
  const latest = shifted(facts.today, MOST_DAYS_AHEAD)
  return told([
    ...regular.flatMap((one, index): Rule[] => {
      const name = `regular[${index}]`
      return [
        ['s103', `${name}.from`, one.from <= facts.today || one.from > latest],
        // Two that begin on one day are not a day apart either.
        ['s104', `${name}.from`, isRepeated(froms, index)],
        ['s105', `${name}.from`, isRepeated(froms, index)],
        ['s124', `${name}.until`, one.until !== undefined],
        ...weekRules(one, `${name}.spans`),
      ]
    }),
    ...exceptionDays(
      exceptions.map(({ date }) => date),
      facts.today,
    ),
    ...exceptions.flatMap((one, index): Rule[] => {
      const [first, second] = one.spans
      const parts = second === undefined ? (['single'] as const) : ([1, 2] as const)
      const name = `exceptions[${index}]`
      return [
        ...one.spans.flatMap((span, at) => spanRules(span, `${name}.spans[${at}]`, parts[at])),
        pairRule(first, second, `${name}.spans`),
        ['s117', name, exceptions.some((before) => shifted(before.date, 1) === one.date && reachesInto(before, one))],
      ]
    }),
    ...common(regular.length + exceptions.length, facts.operatorOib),
  ])
}

/** The same for hours to be deleted. */
export function deletionFaults({ regular, exceptions }: HoursDates, { today, operatorOib }: HoursFacts): HoursFault[] {
  return told([
    ...regular.map((_, index): Rule => ['s105', `regular[${index}]`, isRepeated(regular, index)]),
    ...exceptionDays(exceptions, today),
    ...common(regular.length + exceptions.length, operatorOib),
  ])
}

function weekRules({ kind, spans }: RegularHours, name: string): Rule[] {
  const partOf = ({ part }: RegularSpan) => (kind === 'single' ? kind : kind === 'split' ? part : undefined)
  const rules = spans.flatMap((span, index) => spanRules(span, `${name}[${index}]`, partOf(span)))
  if (kind !== 'split') return rules
  const days = [...new Set(spans.map(({ day }) => day))]
  const pairs = days.map((wanted) => [1, 2].map((part) => spans.find((one) => one.day === wanted && one.part === part)))
  const hasBoth = pairs.some(([first, second]) => first && second)
  return [...rules, ['s106', name, !hasBoth], ...pairs.map(([first, second]) => pairRule(first, second, name))]
}

function spanRules(span: Span, name: string, part: 'single' | 1 | 2 | undefined): Rule[] {
  const [from, to] = [minutes(span.from), minutes(span.to)]
  return [
    ['s112', `${name}.to`, to <= from],
    ['s114', `${name}.to`, part === 1 && to > LAST_MINUTE],
    ['s115', `${name}.from`, part === 'single' && from > LAST_MINUTE],
    ['s116', `${name}.from`, part === 2 && from > DAY],
  ]
}

const pairRule = (first: Span | undefined, second: Span | undefined, param: string): Rule => [
  's113',
  param,
  first !== undefined && second !== undefined && minutes(second.from) <= minutes(first.to),
]

function exceptionDays(dates: readonly string[], today: string): Rule[] {
  const latest = monthsLater(today)
  return dates.flatMap((date, index): Rule[] => [
    ['s108', `exceptions[${index}]`, date < today || date > latest],
    ['s109', `exceptions[${index}]`, isRepeated(dates, index)],
  ])
}

const isRepeated = (dates: readonly string[], index: number) => dates.indexOf(dates[index] ?? '') < index

/** Hours that end after midnight reach into the next day. */
function reachesInto(before: ExceptionHours, next: ExceptionHours): boolean {
  const ended = Math.max(...before.spans.map(({ to }) => minutes(to))) - DAY
  return Math.min(...next.spans.map(({ from }) => minutes(from))) < ended
}

const common = (many: number, operatorOib: string): Rule[] => [
  ['s121', 'operator_oib', !isOib(operatorOib)],
  ['s123', 'hours', many === 0],
]

/** A text that is no time is refused before: its shape is not the schema's. */
const minutes = (time: string) => minutesOf(time) ?? Number.NaN

function shifted(day: string, days: number): string {
  const { year, month, date } = dateOfIso(day)
  return isoDate(normalDate({ year, month, date: date + days }))
}

/** The same day of the month, or the last of a shorter one. */
function monthsLater(day: string): string {
  const { year, month, date } = dateOfIso(day)
  const same = normalDate({ year, month: month + MOST_MONTHS_AHEAD, date })
  const last = normalDate({ year, month: month + MOST_MONTHS_AHEAD + 1, date: 0 })
  return isoDate(same.month === last.month ? same : last)
}
