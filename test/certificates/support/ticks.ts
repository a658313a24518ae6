import { expect } from 'vitest'
import { processorTime } from '../../support/processor-time.ts'

const EVERY_MS = 10

/**
 * Does the work while a timer of 10 ms keeps count, and fails when the timer could not run: work that holds the event
 * loop gets no tick at all. A fifth of the ticks is asked for and gaps of half a second pass, because machines are noisy;
 * time is that of the processor, for on a busy machine the timer and the work wait alike.
 */
export async function whileTicking<T>(work: () => Promise<T>): Promise<T> {
  const spent = processorTime()
  let last = 0
  let longestGapMs = 0
  let ticks = 0
  const look = () => {
    const now = spent()
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
    expect(ticks).toBeGreaterThan(last / (EVERY_MS * 5))
    expect(longestGapMs).toBeLessThan(500)
  }
}
