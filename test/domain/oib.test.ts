import { expect, test } from 'vitest'
import { isOib, oibCheckDigit } from '../../src/domain/oib.ts'

test.each(['02994650199', '18683136487', '85821130368', '69435151530', '00000000001'])('%s is an OIB', (oib) => {
  expect(isOib(oib)).toBe(true)
})

test.each([
  '02994650198',
  '12345678901',
  '0299465019',
  '029946501990',
  ' 02994650199',
  '0299465019a',
  2994650199,
  null,
])('%j is not an OIB', (value) => {
  expect(isOib(value)).toBe(false)
})

test('of the ten possible last digits exactly one is the check digit', () => {
  const digits = Array.from({ length: 10 }, (_, digit) => `0299465019${digit}`)
  expect(digits.filter(isOib)).toEqual([`0299465019${oibCheckDigit('0299465019')}`])
})
