import { expect } from 'vitest'

const EVERY_MS = 10

/**
 * Does the work while a timer of 10 ms keeps count, and fails when the timer could not run: work that holds the event
 * loop gets no tick at all. A fifth of the ticks is asked for and gaps of half a second pass, because machines are noisy.
 */
export async function whileTicking<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  let last = started
  let longestGapMs = 0
  let ticks = 0
  const look = () => {
    const now = performance.now()
    longestGapMs = Math.max(longestGapMs, now - last)
    last = now
  }
  const timer = setInterval(() => {
    ticks++
    look()
  }, EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    look()
    expect(ticks).toBeGreaterThan((last - started) / (EVERY_MS * 5))
    expect(longestGapMs).toBeLessThan(500)
  }
}
