import { expect, test } from 'vitest'
import { centsOf, formatMoney, moneyFault, parseMoney } from '../../src/domain/money.ts'

test.each([
  ['4.50', 450n],
  ['0.00', 0n],
  ['0.01', 1n],
  ['-105.50', -10550n],
  ['-0.01', -1n],
  ['999999999999999.99', 99999999999999999n],
])('%s is read to the cent and written back the same', (text, cents) => {
  expect(parseMoney(text)).toBe(cents)
  expect(formatMoney(cents)).toBe(text)
})

test.each([
  4.5,
  null,
  undefined,
  '',
  '4',
  '4.5',
  '4.500',
  '4,50',
  '+4.50',
  '04.50',
  '.50',
  '-.50',
  '-0.00',
  '4.50 ',
  ' 4.50',
  '4.50\n',
  '1e2.00',
  '1_000.00',
  '٤.٥٠',
  '1000000000000000.00',
  'NaN',
])('%j is not money', (value) => {
  expect(parseMoney(value)).toBeUndefined()
})

test('a stored amount that is damaged is told, and is not taken for nothing', () => {
  expect(centsOf('-105.50')).toBe(-10_550n)
  for (const damaged of ['', '4.5', '4,50', '-0.00']) expect(() => centsOf(damaged)).toThrow('is no amount')
})

test.each([
  ['+4.50', 'plus sign'],
  ['4,50', 'a dot'],
  ['1,234.50', 'nothing between thousands'],
  ['4.50 EUR', 'digits and a dot only'],
  ['1e3', 'digits and a dot only'],
  ['04.50', 'leading zeros'],
  ['4.5', 'two decimals'],
  ['4', 'two decimals'],
  ['4.500', 'two decimals'],
  ['-0.00', '0.00'],
  [`${'9'.repeat(16)}.00`, 'at most 15 digits'],
  ['.50', 'like this one'],
])('what is wrong with the amount %s is said', (text, said) => {
  expect(parseMoney(text)).toBeUndefined()
  expect(moneyFault(text)).toContain(said)
})
