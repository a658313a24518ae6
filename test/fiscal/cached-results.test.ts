import { setImmediate } from 'node:timers/promises'
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

test('what is older but usable is given at once while the next is worked out, and a failure of it is tried again', async () => {
  let [now, done, fails] = [1_000_000, 0, false]
  const remembered = cachingFor<number>({ now: () => now }, 10_000, 30_000)
  const ask = async () => {
    const result = await remembered('one', async () => (fails ? Promise.reject(new Error('no')) : ++done))
    await setImmediate()
    return result
  }
  expect(await ask()).toBe(1)
  now += 10_000
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1])
  expect(await ask()).toBe(2)
  fails = true
  now += 10_000
  expect(await ask()).toBe(2)
  fails = false
  expect(await ask()).toBe(2)
  expect(await ask()).toBe(3)
  now += 30_000
  expect(await ask()).toBe(4)
})
