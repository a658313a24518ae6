import { expect, test } from 'vitest'
import { isOib, oibCheckDigit, oibFault } from '../../src/domain/oib.ts'

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

test.each([
  ['02994650199', null],
  ['0299465019', 'these are 10: 1 is missing'],
  ['', 'these are 0: 11 are missing'],
  ['029946501990', 'these are 12: 1 too many'],
  ['0299465O199', '"O" at place 8 is no digit'],
  ['HR02994650199', '"H" at place 1 is no digit'],
  ['02994650190', 'after 0299465019 it would be 9, not 0'],
])('what is wrong with %j is said', (typed, said) => {
  if (said === null) expect(oibFault(typed)).toBeNull()
  else expect(oibFault(typed)).toContain(said)
})
