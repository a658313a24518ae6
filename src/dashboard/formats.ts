import { dateOfIso, startOfDay } from '../domain/calendar-date.ts'
import type { EpochMs } from '../domain/instant.ts'
import { type Cents, formatMoney } from '../domain/money.ts'
import { shownMoney } from '../domain/texts/shown-money.ts'
import { shownClock, shownDate, shownTime, timeInSentence, zagrebClock } from '../domain/zagreb.ts'
import type { Language } from '../fiscal/ports/model.ts'

const LOCALES: Record<Language, string> = { hr: 'hr-HR', en: 'en-GB' }
const JUST_NOW: Record<Language, string> = { hr: 'upravo sada', en: 'just now' }
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export type Formats = ReturnType<typeof formatsIn>

function formatsIn(language: Language, now: () => EpochMs) {
  const locale = LOCALES[language]
  const month = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' })
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: 'Europe/Zagreb', weekday: 'short' })
  const euros = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR', maximumFractionDigits: 0 })
  const change = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  })
  const count = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return {
    money: (amount: string) => shownMoney(amount, language),
    cents: (cents: Cents) => shownMoney(formatMoney(cents), language),
    /** Whole euros, as an axis has them. */
    euros: (amount: number) => euros.format(amount),
    count: (n: number) => count.format(n),
    /** A share of one, such as 0.987. */
    percent: (share: number) => percent.format(share),
    /** A share of one with its sign, such as +12 %. */
    change: (share: number) => change.format(share),
    date: (at: EpochMs) => shownDate(at, language),
    /** Of a day such as `2026-12-09`. */
    dateOf: (day: string) => shownDate(startOfDay(dateOfIso(day)), language),
    /** Such as `Studeni 2026.`, as headings have it; months count from 1. */
    month: (one: { year: number; month: number }) =>
      month.format(Date.UTC(one.year, one.month - 1)).replace(/^./u, (letter) => letter.toUpperCase()),
    /** Such as `pon 23. 11.`, or `Mon 23/11`: without the year. */
    day: (at: EpochMs) => `${weekday.format(at)} ${shownDate(at, language).slice(0, language === 'hr' ? -6 : -5)}`,
    time: (at: EpochMs) => shownTime(at, language),
    /** Date and time, as sentences have them. */
    inText: (at: EpochMs) => timeInSentence(at, language),
    clock: (at: EpochMs) => shownClock(at, language),
    /** Such as `3 hours ago`, or `in 2 days`. */
    ago(at: EpochMs) {
      const away = at - now()
      if (Math.abs(away) < 60_000) return JUST_NOW[language]
      const [unit, length] = UNITS.find(([, ms]) => Math.abs(away) >= ms) ?? UNITS[2]
      // A calendar's days: what was 47 hours ago was not yesterday.
      return relative.format(unit === 'day' ? dayOf(at) - dayOf(now()) : Math.trunc(away / length), unit)
    },
    /** Such as `2 days` or `350 ms`. */
    duration(ms: number) {
      if (ms < 1000) return `${Math.round(ms)} ms`
      const [unit, length] = UNITS.find(([, one]) => ms >= one) ?? (['second', 1000] as const)
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(ms / length))
    },
  }
}

const dayOf = (at: EpochMs) => Math.floor(zagrebClock(at).getTime() / UNITS[0][1])

/** Making one takes as long as a page: they are made once. */
export function createFormats(now: () => EpochMs): (language: Language) => Formats {
  const made = new Map<Language, Formats>()
  return (language) => {
    const formats = made.get(language) ?? formatsIn(language, now)
    made.set(language, formats)
    return formats
  }
}
