import { invalidRequest } from '../errors.ts'
import { type Cents, centsOf, formatMoney } from '../money.ts'
import type { ReceiptItem } from './receipt.ts'

/**
 * Lines must not contradict the total (docs/spec/interface.md, POST /v1/invoices); fees, a part of it, may be among the
 * items or apart. @throws FiskError `invalid_request`, `items`
 */
export function checkItemSums(
  items: readonly Pick<ReceiptItem, 'amount'>[],
  totalCents: Cents,
  fees: readonly { amount: string }[],
): void {
  if (items.length === 0) return
  const sum = sumOf(items)
  const ofFees = sumOf(fees)
  if (sum === totalCents || sum + ofFees === totalCents) return
  const withFees = ofFees === 0n ? '' : ` (${formatMoney(sum + ofFees)} with the fees)`
  throw invalidRequest(
    'items',
    `the amounts of the items add up to ${formatMoney(sum)}${withFees}, and total is ${formatMoney(totalCents)}: ` +
      'a discount belongs into the amount of an item, or into an item of its own with a negative amount',
  )
}

function sumOf(lines: readonly { amount: string }[]): Cents {
  return lines.reduce((sum, { amount }) => sum + centsOf(amount), 0n)
}

/** How many amounts are not quantity times unit price, rounded either way to the cent: such as of a discount. */
export function countDiffering(items: readonly { quantity: string; unit_price: string; amount: string }[]): number {
  return items.filter(({ quantity, unit_price, amount }) => {
    const exact = thousandthsOf(quantity) * centsOf(unit_price)
    const difference = exact - centsOf(amount) * 1000n
    return difference <= -1000n || difference >= 1000n
  }).length
}

/** `-0.25` is -250: a quantity has three decimals at most. */
function thousandthsOf(quantity: string): bigint {
  const [whole = '0', decimals = ''] = quantity.split('.')
  return BigInt(whole + decimals.padEnd(3, '0'))
}
