import { formatMoney } from '../../domain/money.ts'
import type { InvoiceTally } from '../../fiscal/office/invoice-list/list-invoices.ts'
import type { Formats } from '../formats.ts'
import type { Texts } from './texts.ts'

/** How many invoices a list has, and their sum: one sentence for real sales and one for test sales. */
export function sumsOf(tally: InvoiceTally, t: Texts, f: Formats): string[] {
  const parts = (['live', 'test'] as const).flatMap((mode) => {
    const found = tally[mode]
    return found === null || (found.count === 0 && found.isComplete) ? [] : [{ mode, ...found }]
  })
  return parts.map(({ mode, count, cents, isComplete, isCountOnly }) => {
    const kind = parts.length > 1 ? mode : null
    if (isCountOnly) return t.moreThan(count, f.count(count), kind)
    const say = isComplete ? t.sum : t.atLeast
    return say(count, f.count(count), f.money(formatMoney(cents)), kind)
  })
}
