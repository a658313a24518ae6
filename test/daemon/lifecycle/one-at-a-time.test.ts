import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { oneAtATime } from '../../../src/daemon/lifecycle/one-at-a-time.ts'

test('however many ask while work is under way, it runs once more, and after what is under way', async () => {
  let [begun, under, most] = [0, 0, 0]
  const work = oneAtATime(async () => {
    begun++
    most = Math.max(most, ++under)
    await setImmediate()
    under--
  })
  const first = work.run()
  const others = Array.from({ length: 10 }, () => work.run())
  expect([begun, work.isRunning(), work.isFollowed()]).toEqual([1, true, true])
  await first
  await Promise.all(others)
  expect([begun, most, work.isRunning(), work.isFollowed()]).toEqual([2, 1, false, false])
  await work.run()
  expect(begun).toBe(3)
})

test('it has ended when the run that follows has ended, too', async () => {
  let ended = 0
  const work = oneAtATime(async () => {
    await setImmediate()
    ended++
  })
  await work.ended()
  void work.run()
  void work.run()
  await work.ended()
  expect(ended).toBe(2)
})
