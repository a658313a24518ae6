import { type Cents, formatMoney, parseMoney } from '../money.ts'
import type { TaxLine } from './sale.ts'

/** The legal VAT rates, as written in a sale. */
export const VAT_RATES = ['0.00', '5.00', '13.00', '25.00'] as const

export function isVatRate(rate: string): boolean {
  return (VAT_RATES as readonly string[]).includes(rate)
}

/** The highest consumption tax rate, in hundredths of a percent: 3.00 %. */
export const MAX_CONSUMPTION_TAX_RATE = 300n

/**
 * The VAT in a total that includes it: `base = total * 10000 / (10000 + rate * 100)`, rounded half away from zero so that
 * a refund is the exact negative of its sale, and `amount = total - base` (docs/spec/interface.md, VAT rules).
 */
export function splitVat(totalCents: Cents, rate: string): TaxLine {
  const rateHundredths = parseMoney(rate)
  if (rateHundredths === undefined) throw new RangeError(`not a rate: ${rate}`)
  const divisor = 10_000n + rateHundredths
  const magnitude = totalCents < 0n ? -totalCents : totalCents
  const baseMagnitude = (magnitude * 10_000n * 2n + divisor) / (divisor * 2n)
  const base = totalCents < 0n ? -baseMagnitude : baseMagnitude
  return { rate, base: formatMoney(base), amount: formatMoney(totalCents - base) }
}
