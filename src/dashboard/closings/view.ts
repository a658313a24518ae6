import { croatianDate, dateAt } from '../../domain/calendar-date.ts'
import type { ClosingSums } from '../../domain/sale/closing.ts'
import { type ClosingPeriod, spanOf } from '../../domain/sale/closing-period.ts'
import type { Texts } from './texts.ts'

/** `22.11.2026.`, or `11.2026.` for a month. */
export function periodText(period: ClosingPeriod): string {
  const day = croatianDate(dateAt(spanOf(period).from))
  return period.unit === 'day' ? day : day.slice('dd.'.length)
}

/** Sums in words: amounts stay as they are written, for the page to format. */
export function sumsView(sums: Omit<ClosingSums, 'ranges' | 'fingerprint'>, t: Texts) {
  const paid = (method: string) => sums.payments.find((one) => one.method === method)?.total ?? null
  return {
    sums,
    payments: sums.payments.map((one) => ({ ...one, text: t.payments[one.method] })),
    cash: paid('G'),
    card: paid('K'),
    parts: sums.parts.map((part) => ({
      ...part,
      text: [t.parts[part.kind], part.rate && `${part.rate.replace(/\.00$/, '').replace('.', ',')} %`, part.name]
        .filter(Boolean)
        .join(' '),
    })),
  }
}
