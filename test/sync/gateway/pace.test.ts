import { expect, test } from 'vitest'
import { createThrottle } from '../../../src/sync/gateway/connection.ts'
import { backoffMs, SyncFailure } from '../../../src/sync/gateway/failure.ts'

const lost = new SyncFailure('unreachable', 'cut')
const refused = (code: string) => new SyncFailure(code, code, { status: 401 })

test('a server that fails is asked again after one second to fifty, by chance', () => {
  expect([1, 2, 3, 6, 7, 100].map((failures) => backoffMs(failures, lost, () => 1))).toEqual([
    1000, 2000, 4000, 32_000, 50_000, 50_000,
  ])
  expect(backoffMs(5, lost, () => 0)).toBe(0)
  expect(backoffMs(5, new Error('anything'), () => 0.5)).toBe(8000)
})

const busy = (retryAfterMs: number) => new SyncFailure('rate_limited', 'wait', { status: 429, retryAfterMs })

test('a server that says when is not asked sooner, unless it wants more than half a minute', () => {
  const between = (failures: number, retryAfterMs: number) =>
    [0, 1].map((chance) => backoffMs(failures, busy(retryAfterMs), () => chance))
  expect(between(1, 5000)).toEqual([5000, 10_000])
  expect(between(100, 5000)).toEqual([5000, 50_000])
  expect(between(1, 30_000)).toEqual([25_000, 50_000])
  expect(between(1, 1e9)).toEqual([25_000, 50_000])
})

const MINUTE_MS = 60_000

test.each([
  ['cannot reach their server', 20 * MINUTE_MS, () => lost],
  ['cannot reach their server for a week', 7 * 1440 * MINUTE_MS, () => lost],
  ['are told to wait for an hour', 20 * MINUTE_MS, () => busy(3_600_000)],
])('gateways that %s all ask it within a minute of its return, and not at one moment', (_, outageMs, failure) => {
  const returns = Array.from({ length: 1000 }, (_, gateway) => {
    const random = chanceOf(gateway)
    let [at, failures] = [0, 0]
    while (at < outageMs) at += backoffMs(++failures, failure(), random)
    return at - outageMs
  })
  expect(Math.max(...returns)).toBeLessThan(MINUTE_MS)
  const inSecond = Array.from(
    { length: 60 },
    (_, second) => returns.filter((ms) => Math.floor(ms / 1000) === second).length,
  )
  expect(Math.max(...inSecond)).toBeLessThan(100)
})

/** Random numbers that are the same in each run. */
function chanceOf(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test('one that does not take us is asked about once an hour, and one that hears another process after 30 seconds', () => {
  for (const code of ['gateway_revoked', 'gateway_unknown', 'gateway_duplicated']) {
    expect(backoffMs(1, refused(code), () => 0.5)).toBe(3_600_000)
  }
  expect(backoffMs(1, refused('sync_session_replaced'), () => 1)).toBe(30_000)
  expect(backoffMs(1, refused('sync_session_replaced'), () => 0)).toBe(15_000)
})

test('a limit holds on average, whatever is sent at once, and polls keep to a tenth of it', () => {
  let elapsed = 0
  const throttle = createThrottle(64, () => elapsed)
  let sent = 0
  while (elapsed < 600_000) {
    const debt = throttle.debtMs()
    if (debt > 0) elapsed += debt
    else {
      throttle.note(20_000)
      sent += 20_000
    }
  }
  const kbps = (sent * 8) / elapsed
  expect(kbps).toBeLessThanOrEqual(64.5)
  expect(kbps).toBeGreaterThan(58)
  expect(throttle.mostBytes).toBe(80_000)
  expect(throttle.untilPollMs()).toBe(0)
  expect(throttle.untilPollMs()).toBe(2500)
})

test('without a limit nothing is waited for', () => {
  const throttle = createThrottle(null, () => 0)
  throttle.note(1e9)
  expect([throttle.debtMs(), throttle.mostBytes, throttle.untilPollMs()]).toEqual([0, null, 0])
})
