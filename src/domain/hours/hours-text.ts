import { isoDate, readDate } from '../calendar-date.ts'
import { invalidRequest, type Reason } from '../errors.ts'
import { REASON_TEXTS } from '../texts/reason-texts.ts'
import {
  type HoursDates,
  type HoursKind,
  minutesOf,
  type RegularHours,
  type RegularSpan,
  type Span,
  type WorkingHours,
} from './hours.ts'

/** How many the schema allows in one message. */
const MOST_HOURS = { regular: 3, exceptions: 10 } as const

const HOLIDAYS = 8

/** Working hours as people state them: days as `readDate` reads them, hours such as `mon-fri 08:00-12:00 16:00-20:00`. */
export interface StatedHours {
  regular: { from: string; hours: string; note?: string }[]
  exceptions: { date: string; hours: string }[]
}

const DAY_WORDS: Record<'en' | 'hr', readonly string[]> = {
  en: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'holidays'],
  hr: ['pon', 'uto', 'sri', 'čet', 'pet', 'sub', 'ned', 'praznici'],
}
const OTHER_DAY_WORDS = { holiday: HOLIDAYS, praznik: HOLIDAYS, cet: 4 }
const DAILY = { en: 'daily', hr: 'svakodnevno' }
const PARITIES = { odd: { en: 'odd', hr: 'neparni' }, even: { en: 'even', hr: 'parni' } }
const BY_ARRANGEMENT = { en: 'by arrangement', hr: 'po dogovoru' }

const unreadable = (param: string, reason: Reason) => invalidRequest(param, REASON_TEXTS.en[reason], reason)

/** @throws FiskError `invalid_request` for the first thing that cannot be read */
export function readHours({ regular, exceptions }: StatedHours): WorkingHours {
  if (regular.length > MOST_HOURS.regular) throw unreadable('regular', 'hours_too_many')
  if (exceptions.length > MOST_HOURS.exceptions) throw unreadable('exceptions', 'hours_too_many')
  return {
    regular: regular.map(({ from, hours, note }, index) => {
      const week = readWeek(hours)
      if (!week) throw unreadable(`regular[${index}].hours`, 'hours_unreadable')
      if (note !== undefined && !/^[^\p{Cc}]{1,200}$/u.test(note))
        throw unreadable(`regular[${index}].note`, 'hours_note')
      return { from: readDay(from, `regular[${index}].from`), ...(note !== undefined && { note }), ...week }
    }),
    exceptions: exceptions.map(({ date, hours }, index) => {
      const spans = spansOf(hours.trim().split(/\s+/))
      if (!spans) throw unreadable(`exceptions[${index}].hours`, 'hours_of_day_unreadable')
      return { date: readDay(date, `exceptions[${index}].date`), spans }
    }),
  }
}

/** The days of hours to be deleted. @throws FiskError as `readHours` */
export function readDates({ regular, exceptions }: HoursDates): HoursDates {
  return {
    regular: regular.map((day, index) => readDay(day, `regular[${index}]`)),
    exceptions: exceptions.map((day, index) => readDay(day, `exceptions[${index}]`)),
  }
}

function readDay(text: string, param: string): string {
  const day = readDate(text)
  if (!day) throw unreadable(param, 'hours_day')
  return isoDate(day)
}

/** Days with their hours, such as `2026-12-24 08:00-12:00`; what has no hours is refused when they are read. */
export function exceptionsIn(texts: readonly string[]): StatedHours['exceptions'] {
  const given = texts.map((text) => text.trim()).filter((text) => text !== '')
  return given.map((text) => {
    const [, date = text, hours = ''] = /^(.*?)\s+(\d\d:\d\d.*)$/.exec(text) ?? []
    return { date, hours }
  })
}

function readWeek(text: string): Pick<RegularHours, 'kind' | 'spans'> | undefined {
  const plain = text.toLowerCase().replace(/\s+/g, ' ').trim()
  if (Object.values(BY_ARRANGEMENT).includes(plain)) return { kind: 'by_arrangement', spans: [] }
  const rules = plain.split(';').flatMap((rule) => (rule.trim() === '' ? [] : [readRule(rule.trim())]))
  const read = rules.filter((rule) => rule !== undefined)
  if (read.length === 0 || read.length < rules.length) return undefined
  const kind: HoursKind = read.some(({ parity }) => parity)
    ? 'odd_even'
    : read.some(({ spans }) => spans[1])
      ? 'split'
      : 'single'
  if (kind === 'odd_even' && !read.every(({ parity, spans }) => parity && !spans[1])) return undefined
  const spans = read.flatMap(({ days, parity, spans }) =>
    days.flatMap((day) =>
      spans.map(
        (span, index): RegularSpan => ({
          day,
          ...(kind === 'split' && { part: index === 0 ? (1 as const) : (2 as const) }),
          ...(parity && { parity }),
          ...span,
        }),
      ),
    ),
  )
  const keys = spans.map(({ day, part, parity }) => `${day} ${part} ${parity}`)
  if (new Set(keys).size < keys.length) return undefined
  return { kind, spans: spans.sort((one, other) => one.day - other.day) }
}

interface Rule {
  days: number[]
  parity: 'odd' | 'even' | undefined
  spans: Span[]
}

function readRule(text: string): Rule | undefined {
  const [dayList = '', ...words] = text.replace(/\s*([,-])\s*/g, '$1').split(' ')
  const days = Object.values(DAILY).includes(dayList) ? [1, 2, 3, 4, 5, 6, 7, HOLIDAYS] : daysOf(dayList)
  const parity = (['odd', 'even'] as const).find((one) => Object.values(PARITIES[one]).includes(words[0] ?? ''))
  const spans = spansOf(parity ? words.slice(1) : words)
  return days && spans ? { days, parity, spans } : undefined
}

function daysOf(list: string): number[] | undefined {
  const days = list.split(',').map((item) => {
    const [first = 0, last = first, ...more] = item.split('-').map(dayOf)
    return first > 0 && last >= first && more.length === 0
      ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
      : []
  })
  return days.every(({ length }) => length > 0) ? days.flat() : undefined
}

function dayOf(word: string): number {
  const at = Math.max(DAY_WORDS.en.indexOf(word), DAY_WORDS.hr.indexOf(word))
  return at >= 0 ? at + 1 : (OTHER_DAY_WORDS[word as keyof typeof OTHER_DAY_WORDS] ?? 0)
}

/** One or two; undefined for anything else. */
function spansOf(words: readonly string[]): Span[] | undefined {
  const spans = words.map((word) => {
    const [from = '', to = '', ...more] = word.split('-')
    return more.length === 0 && minutesOf(from) !== undefined && minutesOf(to) !== undefined ? { from, to } : undefined
  })
  const read = spans.filter((span) => span !== undefined)
  return read.length === spans.length && (read.length === 1 || read.length === 2) ? read : undefined
}

const spanText = ({ from, to }: Span) => `${from}-${to}`

/** As `readHours` reads it; days with the same hours together. */
export function weekText({ kind, spans }: Pick<RegularHours, 'kind' | 'spans'>, language: 'en' | 'hr'): string {
  if (kind === 'by_arrangement') return BY_ARRANGEMENT[language]
  const byHours = new Map<string, number[]>()
  for (const parity of [undefined, 'odd', 'even'] as const) {
    for (let day = 1; day <= HOLIDAYS; day++) {
      const ofDay = spans.filter((span) => span.day === day && span.parity === parity)
      if (ofDay.length === 0) continue
      const text = [...(parity ? [PARITIES[parity][language]] : []), ...ofDay.map(spanText)].join(' ')
      byHours.set(text, [...(byHours.get(text) ?? []), day])
    }
  }
  return [...byHours].map(([text, days]) => `${daysText(days, language)} ${text}`).join('; ')
}

function daysText(days: readonly number[], language: 'en' | 'hr'): string {
  if (days.length === HOLIDAYS) return DAILY[language]
  const runs: [number, number][] = []
  for (const day of days) {
    const run = runs.at(-1)
    // Holidays are not the day after Sunday.
    if (run && run[1] === day - 1 && day < HOLIDAYS) run[1] = day
    else runs.push([day, day])
  }
  const word = (day: number) => DAY_WORDS[language][day - 1]
  return runs.map(([first, last]) => (first === last ? word(first) : `${word(first)}-${word(last)}`)).join(',')
}

/** For people, a line for each regular hours and exception. */
export function hoursLines({ regular, exceptions }: ReturnType<typeof statedHours>): string[] {
  return [
    ...regular.map(({ from, until, hours, note }) =>
      [`${from}${until === undefined ? '' : ` – ${until}`}: ${hours}`, ...(note === undefined ? [] : [note])].join(
        ', ',
      ),
    ),
    ...exceptions.map(({ date, hours }) => `${date}: ${hours}`),
  ]
}

/** The hours that the authority has, as people state them. */
export function statedHours(
  { regular, exceptions }: WorkingHours,
  language: 'en' | 'hr' = 'en',
): Pick<StatedHours, 'exceptions'> & { regular: (StatedHours['regular'][number] & { until?: string })[] } {
  return {
    regular: regular.map(({ from, until, note, ...week }) => ({
      from,
      ...(until !== undefined && { until }),
      hours: weekText(week, language),
      ...(note !== undefined && { note }),
    })),
    exceptions: exceptions.map(({ date, spans }) => ({ date, hours: spans.map(spanText).join(' ') })),
  }
}
