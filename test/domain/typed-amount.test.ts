import { expect, test } from 'vitest'
import { readTypedAmount } from '../../src/domain/sale/typed-amount.ts'

test.each([
  ['12', 1200n],
  ['12,5', 1250n],
  ['12.50 €', 1250n],
  ['-2,50', -250n],
  ['1.234,50', 123_450n],
  ['1,234.50', 123_450n],
  ['1.234', 123_400n],
  ['1.234.567,89', 123_456_789n],
  ['999999999999999.99', 99_999_999_999_999_999n],
])('the amount %s is read as people mean it', (text, cents) => {
  expect(readTypedAmount(text)).toBe(cents)
})

test.each(['', 'abc', '1,2,3', '12,345,6', '1.2345', '9'.repeat(16), '--1', '1e5'])('%j is no amount', (text) => {
  expect(readTypedAmount(text)).toBeUndefined()
})
