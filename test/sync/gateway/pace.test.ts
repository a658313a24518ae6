import { expect, test } from 'vitest'
import { backoffMs } from '../../../src/sync/gateway/backoff.ts'
import { SyncFailure } from '../../../src/sync/gateway/failure.ts'
import { createThrottle } from '../../../src/sync/gateway/throttle.ts'

const lost = new SyncFailure('unreachable', 'cut')
const refused = (code: string) => new SyncFailure(code, code, { status: 401 })

test('a server that fails is asked again after one second to five minutes, by chance', () => {
  expect([1, 2, 3, 8, 9, 100].map((failures) => backoffMs(failures, lost, () => 1))).toEqual([
    1000, 2000, 4000, 128_000, 256_000, 300_000,
  ])
  expect(backoffMs(5, lost, () => 0)).toBe(0)
  expect(backoffMs(5, new Error('anything'), () => 0.5)).toBe(8000)
})

test('a server that says when is heard, within an hour', () => {
  const busy = (retryAfterMs: number) => new SyncFailure('rate_limited', 'wait', { status: 429, retryAfterMs })
  expect(backoffMs(1, busy(30_000), () => 0)).toBe(30_000)
  expect(backoffMs(1, busy(1e9), () => 0)).toBe(3_600_000)
})

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
