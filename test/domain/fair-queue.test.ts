import { expect, test } from 'vitest'
import { createFairQueue } from '../../src/domain/fair-queue.ts'

class Full extends Error {}

/** A queue whose work ends when the test says so, and that writes down what began. */
function stage(limits: { mostOfOneKey?: number; most?: number } = {}) {
  const queue = createFairQueue({ mostOfOneKey: 10, most: 20, ...limits, full: () => new Full() })
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (key: string, name = key, signal?: AbortSignal) => {
    const result = queue.run(
      key,
      () => {
        begun.push(name)
        return new Promise<string>((end) => ends.push(() => end(name)))
      },
      signal,
    )
    result.catch(() => {})
    return result
  }
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    ...{ queue, begun, run, settle },
    async endOne() {
      ends.shift()?.()
      await settle()
    },
  }
}

test('one call runs at a time, and keys take turns however many calls one of them has', async () => {
  const { begun, run, endOne, settle } = stage()
  for (const name of ['a1', 'a2', 'a3', 'a4']) run('a', name)
  for (const name of ['b1', 'b2']) run('b', name)
  run('c', 'c1')
  await settle()
  expect(begun).toEqual(['a1'])
  for (let turn = 0; turn < 6; turn++) await endOne()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('a call that is given up before its turn never runs, and leaves its place to others', async () => {
  const { begun, run, endOne, settle } = stage({ mostOfOneKey: 1 })
  const leaving = new AbortController()
  run('a', 'a1')
  const left = run('b', 'b1', leaving.signal)
  await expect(run('b', 'b2')).rejects.toThrow(Full)
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await expect(run('c', 'c1', AbortSignal.abort(new Error('gone before')))).rejects.toThrow('gone before')
  run('b', 'b3')
  await endOne()
  await settle()
  expect(begun).toEqual(['a1', 'b3'])
})

test('a full queue takes a newcomer in place of the latest of the key that waits most often', async () => {
  const { begun, run, endOne } = stage({ mostOfOneKey: 3, most: 4 })
  run('a', 'a1')
  run('a', 'a2')
  run('a', 'a3')
  const latest = run('a', 'a4')
  await expect(run('a', 'a5')).rejects.toThrow(Full)
  run('b', 'b1')
  run('c', 'c1')
  await expect(latest).rejects.toThrow(Full)
  // Nobody waits twice as often as the newcomer would now.
  run('d', 'd1')
  await expect(run('d', 'd2')).rejects.toThrow(Full)
  for (let turn = 0; turn < 5; turn++) await endOne()
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'd1'])
})

test('what a call throws is its own, and the next one runs', async () => {
  const { queue } = stage()
  const failing = queue.run('a', () => Promise.reject(new Error('failed')))
  const next = queue.run('a', async () => 'done')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
  expect(await queue.run('a', async () => 'again')).toBe('again')
})
