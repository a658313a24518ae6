import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createCommandBell } from '../../../src/sync/server/command-bell.ts'

const never = () => new AbortController().signal

function bellOf(awaited: () => Promise<string[]> = async () => [], everyMs = 20) {
  let looks = 0
  const bell = createCommandBell(() => {
    looks++
    return awaited()
  }, everyMs)
  onTestFinished(() => bell.close())
  return { bell, looks: () => looks }
}

test('a gateway that waits is called at once by this process, and nobody else with it', async () => {
  const { bell, looks } = bellOf(undefined, 60_000)
  const [one, other] = [bell.wait('one', 5000, never()), bell.wait('other', 30, never())]
  const started = performance.now()
  bell.ring('one')
  expect(await one).toBe(true)
  // Nobody has looked: the first look would be in a minute.
  expect(looks()).toBe(0)
  await other
  expect(performance.now() - started).toBeGreaterThan(20)
})

test('what another process has added is found, by one look for all that wait', async () => {
  let found: string[] = []
  const { bell, looks } = bellOf(async () => found)
  const waiting = Array.from({ length: 500 }, (_, number) => bell.wait(`gateway ${number}`, 5000, never()))
  await delay(50)
  found = Array.from({ length: 500 }, (_, number) => `gateway ${number}`)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]))
  expect(looks()).toBeLessThan(20)
})

test('nobody looks while nobody waits', async () => {
  const { bell, looks } = bellOf()
  await bell.wait('one', 30, never())
  await delay(60)
  const before = looks()
  await delay(100)
  expect(looks()).toBe(before)
})

test('a wait ends with who asked, and all of them when the process stops', async () => {
  const { bell } = bellOf()
  const gone = new AbortController()
  const wait = bell.wait('one', 60_000, gone.signal)
  gone.abort()
  expect(await wait).toBe(false)
  const last = bell.wait('one', 60_000, never())
  bell.close()
  expect(await last).toBe(false)
  expect(await bell.wait('one', 60_000, never())).toBe(false)
})

test('a database that fails for a while is asked again', async () => {
  let fails = true
  const { bell } = bellOf(async () => {
    if (fails) throw new Error('gone')
    return ['one']
  })
  const wait = bell.wait('one', 5000, never())
  await delay(50)
  fails = false
  expect(await wait).toBe(true)
})
