import type { EpochMs } from '../domain/instant.ts'
import { zagrebClock } from '../domain/zagreb.ts'
import type { Language } from '../fiscal/ports/model.ts'

const LOCALES: Record<Language, string> = { hr: 'hr-HR', en: 'en-GB' }
const JUST_NOW: Record<Language, string> = { hr: 'upravo sada', en: 'just now' }
const ZAGREB = 'Europe/Zagreb'
const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** How figures and moments are written on the pages. */
export interface Formats {
  /** `"1234.50"` as `1.234,50 €`. */
  money(amount: string): string
  /** Whole euros, as an axis has them. */
  euros(amount: number): string
  count(n: number): string
  /** A share of one, such as 0.987. */
  percent(share: number): string
  /** A share of one with its sign, such as +12 %. */
  change(share: number): string
  date(at: EpochMs): string
  /** Such as `studeni 2026.`; months count from 1. */
  month(month: { year: number; month: number }): string
  /** Date and time. */
  time(at: EpochMs): string
  /** Hours and minutes. */
  clock(at: EpochMs): string
  /** Such as `3 hours ago`, or `in 2 days`. */
  ago(at: EpochMs): string
  /** Such as `2 days` or `350 ms`. */
  duration(ms: number): string
}

function formatsIn(language: Language, now: () => EpochMs): Formats {
  const locale = LOCALES[language]
  const zone = { timeZone: ZAGREB } as const
  const digits = { day: '2-digit', month: '2-digit', year: 'numeric' } as const
  const hours = { hour: '2-digit', minute: '2-digit', hour12: false } as const
  const date = new Intl.DateTimeFormat(locale, { ...zone, ...digits })
  const time = new Intl.DateTimeFormat(locale, { ...zone, ...digits, ...hours })
  const clock = new Intl.DateTimeFormat(locale, { ...zone, ...hours })
  const month = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', month: 'long', year: 'numeric' })
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
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
    // As text: an amount of money is no floating-point number.
    money: (amount) => money.format(amount as unknown as number),
    euros: (amount) => euros.format(amount),
    count: (n) => count.format(n),
    percent: (share) => percent.format(share),
    change: (share) => change.format(share),
    date: (at) => date.format(at),
    month: (one) => month.format(Date.UTC(one.year, one.month - 1)),
    time: (at) => time.format(at),
    clock: (at) => clock.format(at),
    ago(at) {
      const away = at - now()
      if (Math.abs(away) < 60_000) return JUST_NOW[language]
      const [unit, length] = UNITS.find(([, ms]) => Math.abs(away) >= ms) ?? UNITS[2]
      // A calendar's days: what was 47 hours ago was not yesterday.
      return relative.format(unit === 'day' ? dayOf(at) - dayOf(now()) : Math.trunc(away / length), unit)
    },
    duration(ms) {
      if (ms < 1000) return `${Math.round(ms)} ms`
      const [unit, length] = UNITS.find(([, one]) => ms >= one) ?? (['second', 1000] as const)
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.floor(ms / length))
    },
  }
}

/** The number of a day in Zagreb. */
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
