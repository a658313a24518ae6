import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMoney } from '../../../src/domain/money.ts'
import type { FiscalDocument } from '../../../src/domain/sale/sale.ts'
import { partsOf, TurnoverSum } from '../../../src/domain/sale/turnover.ts'

const BARE: FiscalDocument = {
  ...{ companyOib: '02994650199', vatRegistered: true, occurredAt: 0, sequenceMark: 'P', number: '1' },
  ...{ premisesCode: 'POSL1', registerMark: '1', vat: [], consumptionTax: [], otherTaxes: [], fees: [] },
  ...{ vatExemptAmount: null, marginAmount: null, nonTaxableAmount: null, total: '0.00', paymentMethod: 'G' },
  ...{ operatorOib: '02994650199', zki: '', paragonNumber: null, specialPurpose: null, recipientOib: null },
}

const money = fc.bigInt({ min: -99_999n, max: 99_999n }).map(formatMoney)
const taxes = fc.array(fc.record({ rate: fc.constantFrom('25.00', '5.00'), base: money, amount: money }), {
  maxLength: 3,
})
const documents = fc.record({
  ...{ total: money, vat: taxes, consumptionTax: taxes, vatRegistered: fc.boolean() },
  otherTaxes: fc.array(
    fc.record({ name: fc.constant('Porez'), rate: fc.constant('1.00'), base: money, amount: money }),
  ),
  fees: fc.array(fc.record({ name: fc.constantFrom('Povratna naknada', 'Ambalaža'), amount: money })),
  vatExemptAmount: fc.option(money),
  marginAmount: fc.option(money),
  nonTaxableAmount: fc.option(money),
  paymentMethod: fc.constantFrom('G' as const, 'K' as const),
})

test('whatever an invoice says, its parts add up to its total, and all parts to all totals', () => {
  fc.assert(
    fc.property(fc.array(documents, { maxLength: 8 }), (sold) => {
      const sum = new TurnoverSum()
      for (const changes of sold) {
        const document = { ...BARE, ...changes }
        const added = partsOf(document).reduce((total, { amount }) => total + amount, 0n)
        expect(formatMoney(added)).toBe(document.total)
        sum.add('company', document, true)
      }
      const { totals, parts } = sum.sums()
      const all = totals.reduce((added, { total }) => added + total, 0n)
      expect(parts.reduce((added, { amount }) => added + amount, 0n)).toBe(all)
      expect(totals.reduce((count, { invoices }) => count + invoices, 0)).toBe(sold.length)
    }),
  )
})

test('an issuer outside of VAT has turnover outside of VAT, and what nothing explains is told apart', () => {
  const kinds = (changes: Partial<FiscalDocument>) =>
    partsOf({ ...BARE, total: '5.00', ...changes }).map(({ kind }) => kind)
  expect(kinds({ vatRegistered: false })).toEqual(['outside_vat'])
  expect(kinds({ vat: [{ rate: '25.00', base: '4.00', amount: '1.00' }] })).toEqual(['vat'])
  expect(
    kinds({ vat: [{ rate: '25.00', base: '3.60', amount: '0.90' }], fees: [{ name: 'x', amount: '0.50' }] }),
  ).toEqual(['vat', 'fee'])
  expect(kinds({ vat: [{ rate: '25.00', base: '3.60', amount: '0.90' }] })).toEqual(['vat', 'rest'])
})
