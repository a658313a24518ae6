import { expect, test } from 'vitest'
import { createNumberRun, written } from '../../../src/domain/sale/number-run.ts'

const reserve = (first: number, last: number, usedTo?: number) => ({
  first: BigInt(first),
  last: BigInt(last),
  usedTo: usedTo === undefined ? null : BigInt(usedTo),
})

function run(taken: (number | { supplied: number })[], reserved = [reserve(0, 0)].slice(1)) {
  const numbers = createNumberRun(reserved)
  const wrong = taken.flatMap((one) => {
    const supplied = typeof one !== 'number'
    return numbers.take(String(supplied ? one.supplied : one), supplied) ?? []
  })
  return { wrong, passedOver: numbers.passedOver().map(written), highest: Number(numbers.highest()) }
}

test('numbers that follow one another are right', () => {
  expect(run([1, 2, 3])).toEqual({ wrong: [], passedOver: [], highest: 3 })
  expect(run([])).toEqual({ wrong: [], passedOver: [], highest: 0 })
})

test('a number that fiskd left out, or took twice, is wrong', () => {
  expect(run([1, 4, 5]).wrong).toEqual(['2 to 3 should have come before'])
  expect(run([2]).wrong).toEqual(['1 should have come before'])
  expect(run([1, 2, 2, 3]).wrong).toEqual(['it was given out before'])
})

test('what a caller passes over is told apart from what is missing, until it comes', () => {
  expect(run([1, { supplied: 5 }, 6])).toEqual({ wrong: [], passedOver: ['2 to 4'], highest: 6 })
  expect(run([1, { supplied: 5 }, { supplied: 3 }, 6]).passedOver).toEqual(['2', '4'])
  expect(run([{ supplied: 3 }, { supplied: 1 }, { supplied: 2 }, 4]).passedOver).toEqual([])
})

test('reserved numbers are not missing, whoever jumps over them or into them', () => {
  const gap = [reserve(3, 10)]
  expect(run([1, 2, 11, 12], gap)).toEqual({ wrong: [], passedOver: [], highest: 12 })
  expect(run([1, 2], gap).highest).toBe(10)
  expect(run([1, 2, { supplied: 5 }, 11], gap)).toEqual({ wrong: [], passedOver: [], highest: 11 })
  expect(run([1, 2, { supplied: 14 }, 15], gap).passedOver).toEqual(['11 to 13'])
  expect(run([1, 2, 3], gap).wrong).toEqual(['it was reserved'])
  expect(run([1, 2, 11, 31], [...gap, reserve(12, 30)])).toMatchObject({ wrong: [] })
})

test('a supplied number among those known to have been given out is wrong, and beyond them it is not', () => {
  const wrong = (number: number) => run([1, 2, { supplied: number }], [reserve(3, 10, 5)]).wrong
  expect([2, 6, 10].flatMap(wrong)).toEqual([])
  expect([3, 5].map(wrong)).toEqual(Array(2).fill(['it was given out before a backup was restored']))
})

test('numbers have up to 20 digits', () => {
  const numbers = createNumberRun([])
  expect(numbers.take('99999999999999999998', true)).toBeNull()
  expect(numbers.take('99999999999999999999', false)).toBeNull()
  expect(numbers.highest()).toBe(99999999999999999999n)
})

test('a caller that counts in tens is remembered for a thousand gaps', () => {
  const numbers = createNumberRun([])
  for (let n = 10; n <= 20_000; n += 10) numbers.take(String(n), true)
  expect(numbers.passedOver()).toHaveLength(1000)
})

test('numbers that counting did not follow are passed over, and nothing is missing below them', () => {
  const numbers = createNumberRun([reserve(7, 9)], new Set([4n, 5n, 6n, 99999999999999999999n]))
  const taken = [
    ['1', false],
    ['99999999999999999999', true],
    ['2', false],
    ['3', false],
    ['10', false],
    ['5', false],
  ] as const
  expect(taken.map(([number, supplied]) => numbers.take(number, supplied))).toEqual(Array(6).fill(null))
  expect(numbers.highest()).toBe(10n)
  expect(numbers.passedOver()).toEqual([])
})

test('what a caller passes over leaves out numbers that counting did not follow, however wide the gap is', () => {
  const ahead = new Set([3n, 500n])
  const [narrow, wide] = [createNumberRun([], ahead), createNumberRun([], ahead)]
  narrow.take('4', true)
  wide.take('1000', true)
  expect(narrow.passedOver().map(written)).toEqual(['1 to 2'])
  expect(wide.passedOver().map(written)).toEqual(['1 to 2', '4 to 499', '501 to 999'])
})
