import { expect, test } from 'vitest'
import { cachingFor } from '../../src/fiscal/cached-results.ts'

function counting() {
  let [now, done] = [1_000_000, 0]
  const remembered = cachingFor<number>({ now: () => now }, 10_000)
  return {
    ask: (key = 'one') => remembered(key, async () => ++done),
    fail: () => remembered('one', () => Promise.reject(new Error('no'))),
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('the same is done once within its time, for all who ask, and anew after it', async () => {
  const { ask, pass } = counting()
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  pass(9_999)
  expect(await ask()).toBe(1)
  expect(await ask('another')).toBe(2)
  pass(1)
  expect(await ask()).toBe(3)
})

test('what failed is tried again, and a clock that was set back makes nothing last longer', async () => {
  const { ask, fail, pass } = counting()
  await expect(fail()).rejects.toThrow('no')
  expect(await ask()).toBe(1)
  pass(-60_000)
  expect(await ask()).toBe(2)
})
