import { expect, test } from 'vitest'
import {
  FEW_NUMBERS,
  highestWithinReach,
  isWithinReach,
  NEAR_THE_END,
  numbersLeft,
} from '../../../src/domain/sale/receipt-number.ts'

test.each([
  { number: '10000000', highest: undefined, isFollowed: true },
  { number: '10000001', highest: undefined, isFollowed: false },
  { number: '1000007', highest: '7', isFollowed: true },
  { number: '1000008', highest: '7', isFollowed: false },
  { number: '3', highest: '7', isFollowed: true },
  { number: '99999999999999999999', highest: '99999999999998999999', isFollowed: true },
])('counting follows $number above $highest: $isFollowed', ({ number, highest, isFollowed }) => {
  expect(isWithinReach(number, highest)).toBe(isFollowed)
})

test('a sequence stands at the highest number that can be counted to from the smallest one', () => {
  expect(highestWithinReach([])).toBeUndefined()
  expect(highestWithinReach(['3', '1', '2'])).toBe('3')
  expect(highestWithinReach(['99999999999999999999', '41', '7'])).toBe('41')
  expect(highestWithinReach(['10000000', '11000000', '12000001'])).toBe('11000000')
  expect(highestWithinReach(['10000001'])).toBeUndefined()
})

test('what is left of a sequence is counted up to 20 nines', () => {
  expect(numbersLeft('99999999999999999999')).toBe(0n)
  expect(numbersLeft('99999999999999999990')).toBe(9n)
  expect(numbersLeft(NEAR_THE_END)).toBe(FEW_NUMBERS - 1n)
})
