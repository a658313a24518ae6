/** How many addresses or principals are remembered at a time; the longest silent are forgotten first. */
const REMEMBERED = 5000

interface Window {
  current: number
  startedAt: number
}

/** Counts per key in windows that begin with the first one. */
interface RateWindows {
  /** Counts one more. @returns how many there are in the window, and how long it lasts yet */
  count(key: string): { current: number; ttlMs: number }
}

/**
 * In time that never goes back: the clock of a kiosk is set when its network comes up, and a window must not last until
 * the old time is reached again.
 */
export function createRateWindows(windowMs: number): RateWindows {
  const windows = new Map<string, Window>()
  return {
    count(key) {
      const now = performance.now()
      const known = windows.get(key)
      const window = known && now - known.startedAt < windowMs ? known : { current: 0, startedAt: now }
      window.current++
      windows.delete(key)
      windows.set(key, window)
      if (windows.size > REMEMBERED) {
        for (const oldest of windows.keys()) {
          windows.delete(oldest)
          break
        }
      }
      return { current: window.current, ttlMs: windowMs - (now - window.startedAt) }
    },
  }
}
