import { expect, test } from 'vitest'
import {
  type PaperRoll,
  receiptsLeft,
  UNKNOWN_ROLL,
  wasNearEnd,
  withPaper,
} from '../../../src/domain/printing/paper-roll.ts'

type Step = number | 'ok' | 'near_end' | 'out' | 'open ok' | 'open near_end' | 'open out'

/** What is known after metres of receipts of 100 mm were printed, and the paper was seen so. */
function after(...steps: Step[]): PaperRoll {
  let roll = UNKNOWN_ROLL
  for (const step of steps) {
    if (typeof step === 'number') roll = { ...roll, mm: roll.mm + step * 1000, receipts: roll.receipts + step * 10 }
    else roll = withPaper(roll, step.replace('open ', '') as 'ok' | 'near_end' | 'out', step.startsWith('open'))
  }
  return roll
}

/** From an unknown roll to its end, then a whole one of 60 m with 5 m after its near end. */
const LEARNT: Step[] = ['ok', 20, 'near_end', 5, 'out', 'open ok', 55, 'near_end', 5, 'out', 'open ok']

test('nothing is said before a roll has come to its end', () => {
  expect(receiptsLeft(after('ok', 30))).toBeNull()
  expect(receiptsLeft(after('ok', 30, 'near_end', 1))).toBeNull()
  // Where it began is not known, so its length is not learnt; its rest is.
  expect(after('ok', 20, 'near_end', 5, 'out')).toMatchObject({ rollMm: null, restMm: 5000 })
})

test('the length of a roll and of its rest are learnt, and the next ones are counted down', () => {
  expect(after(...LEARNT)).toMatchObject({ rollMm: 60_000, restMm: 5000, mm: 0, isWhole: true, receiptMm: 100 })
  expect(receiptsLeft(after(...LEARNT))).toBe(600)
  expect(receiptsLeft(after(...LEARNT, 10))).toBe(500)
  expect(receiptsLeft(after(...LEARNT, 55, 'near_end'))).toBe(50)
  expect(receiptsLeft(after(...LEARNT, 55, 'near_end', 4))).toBe(10)
  expect(receiptsLeft(after(...LEARNT, 55, 'near_end', 6))).toBeNull()
})

test('a roll that is changed before its end counts anew and teaches nothing', () => {
  const early = after(...LEARNT, 55, 'near_end', 1, 'open out', 'open ok')
  expect(early).toMatchObject({ mm: 0, isWhole: true, rollMm: 60_000, restMm: 5000 })
  expect(after(...LEARNT, 55, 'near_end', 1, 'open ok')).toMatchObject({ mm: 0, isWhole: true })
})

test('a roll that was taken out in the middle may be the same one: nothing is said of it', () => {
  const taken = after(...LEARNT, 30, 'open out', 'open ok')
  expect([taken.isWhole, receiptsLeft(taken)]).toEqual([false, null])
  expect(after(...LEARNT, 30, 'open out', 'open ok', 25, 'near_end', 5, 'out').rollMm).toBe(60_000)
})

test('a sensor that goes back and forth is no change of roll', () => {
  const fluttering = after(...LEARNT, 55, 'near_end', 1, 'ok', 'near_end', 1)
  expect(fluttering).toMatchObject({ mm: 57_000, nearEndMm: 55_000 })
  expect(receiptsLeft(fluttering)).toBe(30)
})

test('a sensor that goes back and forth while the machine is off is no new roll either', () => {
  const started = after(...LEARNT, 55, 'near_end', 1, 'open ok', 1, 'near_end', 3, 'out')
  expect(started).toMatchObject({ rollMm: 60_000, mm: 4000 })
})

test('a roll was near its end until it is changed, or too much has come out of it', () => {
  expect(wasNearEnd(after(...LEARNT, 55))).toBe(false)
  expect(wasNearEnd(after(...LEARNT, 55, 'near_end', 1, 'ok', 1))).toBe(true)
  expect(wasNearEnd(after(...LEARNT, 55, 'near_end', 1, 'open ok'))).toBe(false)
  expect(wasNearEnd(after(...LEARNT, 55, 'near_end', 1, 'ok', 30))).toBe(false)
})

test('a touch of the sensor teaches no length, and other rolls are learnt soon', () => {
  expect(after(...LEARNT, 1, 'out', 'open ok').rollMm).toBe(60_000)
  expect(after(...LEARNT, 35, 'near_end', 5, 'out').rollMm).toBe(50_000)
})
