import type { ClosingSums } from '../../domain/sale/closing.ts'
import type { Texts } from './texts.ts'

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
