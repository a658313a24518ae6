import { expect, test } from 'vitest'
import { parseMoney } from '../../../src/domain/money.ts'
import { splitVat } from '../../../src/domain/sale/vat.ts'

test.each([
  ['1.25', '25.00', '1.00', '0.25'],
  ['4.50', '25.00', '3.60', '0.90'],
  ['0.01', '25.00', '0.01', '0.00'],
  ['0.03', '25.00', '0.02', '0.01'],
  ['1.00', '13.00', '0.88', '0.12'],
  ['1.00', '5.00', '0.95', '0.05'],
  ['1.00', '0.00', '1.00', '0.00'],
  ['0.21', '5.00', '0.20', '0.01'],
  ['0.00', '25.00', '0.00', '0.00'],
  ['-4.50', '25.00', '-3.60', '-0.90'],
  ['-0.03', '25.00', '-0.02', '-0.01'],
  ['9999999999999.99', '25.00', '7999999999999.99', '2000000000000.00'],
])('%s including %s %% is %s and %s', (total, rate, base, amount) => {
  expect(splitVat(parseMoney(total) ?? 0n, rate)).toEqual({ rate, base, amount })
})

test('a base that ends in half a cent is rounded away from zero, for a refund as for a sale', () => {
  expect(splitVat(21n, '100.00')).toEqual({ rate: '100.00', base: '0.11', amount: '0.10' })
  expect(splitVat(-21n, '100.00')).toEqual({ rate: '100.00', base: '-0.11', amount: '-0.10' })
})

test('base and amount always add up to the total, and a refund mirrors its sale', () => {
  for (let cents = 0n; cents < 2000n; cents++) {
    for (const rate of ['0.00', '5.00', '13.00', '25.00']) {
      const sale = splitVat(cents, rate)
      const refund = splitVat(-cents, rate)
      const [base, amount] = [parseMoney(sale.base) ?? 0n, parseMoney(sale.amount) ?? 0n]
      expect(base + amount).toBe(cents)
      expect([parseMoney(refund.base), parseMoney(refund.amount)]).toEqual([-base, -amount])
    }
  }
})
