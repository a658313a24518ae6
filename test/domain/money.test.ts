import { expect, test } from 'vitest'
import { centsOf, formatMoney, parseMoney } from '../../src/domain/money.ts'

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
