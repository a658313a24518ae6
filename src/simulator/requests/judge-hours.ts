import type { XmlElement } from 'libxml2-wasm'
import { hasCheckDigit } from '../oib.ts'
import { childElements, F73_NS, isNamed, textAt } from '../xml.ts'

/** What the portal has of one premises: the registered elements by their days since 1970. */
export interface PremisesHours {
  regular: Map<number, string>
  exceptions: Map<number, string>
}

const DAY_MS = 86_400_000
const MIDNIGHT = 24 * 60

export const all = (element: XmlElement, name: string): XmlElement[] =>
  childElements(element).filter((child) => isNamed(child, F73_NS, name))

/** `30.11.2026` as days since 1970. */
export function dayOf(text: string | null): number {
  const [date = 0, month = 0, year = 0] = (text ?? '').split('.').map(Number)
  return Date.UTC(year, month - 1, date) / DAY_MS
}

export function dayText(day: number): string {
  const [year, month, date] = new Date(day * DAY_MS).toISOString().slice(0, 10).split('-')
  return `${date}.${month}.${year}`
}

function twoMonthsAfter(day: number): number {
  const from = new Date(day * DAY_MS)
  const lastOfMonth = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 3, 0))
  const date = Math.min(from.getUTCDate(), lastOfMonth.getUTCDate())
  return Date.UTC(lastOfMonth.getUTCFullYear(), lastOfMonth.getUTCMonth(), date) / DAY_MS
}

function minutes(span: XmlElement, name: 'RadnoVrijemeOd' | 'RadnoVrijemeDo'): number {
  const [hour = 0, minute = 0] = (textAt(span, name) ?? '').split(':').map(Number)
  return hour * 60 + minute
}
const begin = (span: XmlElement) => minutes(span, 'RadnoVrijemeOd')
const end = (span: XmlElement) => minutes(span, 'RadnoVrijemeDo')

const broken = (rules: [code: string, holds: boolean][]) => rules.filter(([, holds]) => holds).map(([code]) => code)
const repeats = (days: number[]) => new Set(days).size < days.length

/** The codes of s103 to s124 for hours to be registered (CIS specification, 2.8). */
export function judgeRegistration(
  hours: XmlElement,
  operator: string,
  today: number,
  has: PremisesHours,
  text: (element: XmlElement) => string,
): string[] {
  const sets = all(hours, 'Redovno')
  const exceptions = all(hours, 'Iznimke')
  const froms = sets.map((one) => dayOf(textAt(one, 'DatumOd')))
  const days = exceptions.map((one) => dayOf(textAt(one, 'Datum')))
  const sorted = [...froms].sort((a, b) => a - b)
  const split = [...sets, ...exceptions].map((one) => all(one, 'Dvokratno')).filter(({ length }) => length > 0)
  const part = (spans: XmlElement[], wanted: string) => spans.filter((one) => textAt(one, 'DioDvokratnog') === wanted)
  const pairs = split.flatMap((spans) =>
    part(spans, '1').flatMap((first) =>
      part(spans, '2')
        .filter((second) => textAt(second, 'DanUTjednu') === textAt(first, 'DanUTjednu'))
        .map((second) => ({ first, second })),
    ),
  )
  const single = [...sets, ...exceptions].flatMap((one) => all(one, 'Jednokratno'))
  const every = [...single, ...split.flat(), ...sets.flatMap((one) => all(one, 'ParniNeparni'))]
  const spansOf = (day: number) =>
    exceptions
      .filter((_, i) => days[i] === day)
      .flatMap((one) => [...all(one, 'Jednokratno'), ...all(one, 'Dvokratno')])
  return broken([
    ['s103', froms.some((from) => from < today + 1 || from >= today + 45)],
    ['s104', sorted.some((from, i) => from - (sorted[i - 1] ?? Number.NEGATIVE_INFINITY) < 1)],
    ['s105', repeats(froms)],
    ['s106', split.some((spans) => !pairs.some(({ first }) => spans.includes(first)))],
    ['s107', sets.some((one, i) => has.regular.get(froms[i] ?? 0) === text(one))],
    ['s108', days.some((day) => day < today || day > twoMonthsAfter(today))],
    ['s109', repeats(days)],
    ['s112', every.some((span) => end(span) < begin(span) + 1)],
    ['s113', pairs.some(({ first, second }) => begin(second) < end(first) + 1)],
    ['s114', part(split.flat(), '1').some((span) => end(span) >= MIDNIGHT)],
    ['s115', single.some((span) => begin(span) >= MIDNIGHT)],
    ['s116', part(split.flat(), '2').some((span) => begin(span) > MIDNIGHT)],
    [
      's117',
      days.some((day) =>
        spansOf(day + 1).some((later) => spansOf(day).some((span) => begin(later) + MIDNIGHT < end(span))),
      ),
    ],
    ['s121', !hasCheckDigit(operator)],
    ['s122', exceptions.some((one, i) => has.exceptions.get(days[i] ?? 0) === text(one))],
    ['s123', sets.length + exceptions.length === 0],
    ['s124', sets.some((one) => textAt(one, 'DatumDo') !== null)],
  ])
}

export function judgeDeletion(hours: XmlElement, operator: string, today: number, has: PremisesHours): string[] {
  const froms = all(hours, 'Redovno').map((one) => dayOf(textAt(one, 'DatumOd')))
  const days = all(hours, 'Iznimke').map((one) => dayOf(textAt(one, 'Datum')))
  const kept = [...has.regular.keys()].filter((from) => !froms.includes(from))
  return broken([
    ['s105', repeats(froms)],
    ['s108', days.some((day) => day < today || day > twoMonthsAfter(today))],
    ['s109', repeats(days)],
    ['s111', froms.some((from) => !has.regular.has(from)) || days.some((day) => !has.exceptions.has(day))],
    ['s118', froms.some((from) => from <= today)],
    ['s119', froms.some((from) => kept.some((other) => other > from))],
    ['s120', days.some((day) => day < today)],
    ['s121', !hasCheckDigit(operator)],
    ['s123', froms.length + days.length === 0],
  ])
}
