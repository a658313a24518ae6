import type { SyncRows } from '../../src/fiscal/ports/outbox.ts'
import { SYNC_BOUNDS } from '../../src/sync/wire/bounds.ts'
import { encodeRecord } from '../../src/sync/wire/records.ts'
import { OIBS } from './oibs.ts'
import { type Fleet, record } from './sync-rows.ts'

type Sale = SyncRows['invoice']
const [LEAST, MOST] = ['-999999999999999.99', '999999999999999.99']
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

/** A sale of a gateway with as many lines and characters as it may have; of letters of four bytes, a record may have no more. */
export function largestSale(
  { invoice }: Fleet,
  number: number,
  changes: Partial<Sale> = {},
  letter = '\u{20000}',
): Sale {
  const named = (length: number) => letter.repeat(length)
  const line = { rate: '25.00', base: LEAST, amount: LEAST }
  const sale = invoice(number, changes)
  const whole = (rest: number): Sale => ({
    ...sale,
    document: {
      ...sale.document,
      ...{ vat: times(100, line), consumptionTax: times(100, line), specialPurpose: named(1000) },
      otherTaxes: times(100, { name: named(100), ...line }),
      fees: times(100, { name: named(100), amount: LEAST }),
    },
    receipt: {
      ...{ header: times(20, named(200)), footer: times(20, named(200)), language: 'hr', paper: 'full' },
      // What is left, as far as these lines may take it.
      ...{ issuerName: 'x', issuerAddress: times(20, 'x'.repeat(Math.min(2000, rest / 20))), premisesAddress: null },
      machine: 'x'.repeat(rest % 20),
      items: times(100, { name: named(200), quantity: '-999999999.999', unitPrice: LEAST, amount: LEAST }),
    },
  })
  const { row } = encodeRecord(record('invoice', whole(0)))
  return whole(SYNC_BOUNDS.row.most - Buffer.byteLength(JSON.stringify(row)))
}

/** All that `/v1` takes for a sale at once, in names of this one character. */
export function largestRequest(character: string) {
  const named = (length: number) => character.repeat(length)
  const taxes = (rate: string) => times(100, { rate, base: LEAST, amount: LEAST })
  // The least and the most amount in turn, for the items have to add up to the total.
  const item = { name: named(200), quantity: '-999999999.999', unit_price: LEAST }
  return {
    ...{ sale_type: 'attended', register_mark: '9'.repeat(20), operator_oib: OIBS[1], payment_method: 'O' },
    ...{ total: '0.00', vat: taxes('25.00'), consumption_tax: taxes('3.00') },
    ...{ vat_exempt_amount: LEAST, margin_amount: LEAST, non_taxable_amount: LEAST },
    other_taxes: taxes('999.99').map((line) => ({ name: named(100), ...line })),
    fees: times(100, { name: named(100), amount: LEAST }),
    items: times(50, [
      { ...item, amount: LEAST },
      { ...item, amount: MOST },
    ]).flat(),
    ...{ special_purpose: named(1000), paragon_number: named(100), sequence_mark: 'N', recipient_oib: OIBS[2] },
  }
}

/** Each grows the most: in UTF-8, as JSON, in XML, when it is packed, on paper. */
export const CHARACTERS = ['\u{1F600}', '"', '&', '\n', '\u{20000}', 'x']
