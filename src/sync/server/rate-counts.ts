/** So many are remembered at a time; the longest silent are forgotten first. */
const REMEMBERED = 20_000

interface Window {
  count: number
  startedAt: number
}

/** Counts by key, in windows that begin with the first; in time that never goes back. */
export function createCounts(windowMs: number) {
  const windows = new Map<string, Window>()
  const current = (key: string): Window | undefined => {
    const window = windows.get(key)
    return window && performance.now() - window.startedAt < windowMs ? window : undefined
  }
  return {
    add(key: string): void {
      const window = current(key) ?? { count: 0, startedAt: performance.now() }
      window.count++
      windows.delete(key)
      windows.set(key, window)
      if (windows.size > REMEMBERED) windows.delete(windows.keys().next().value ?? '')
    },
    /** Seconds until the window ends in which so many are reached; null while they are not. */
    waitS(key: string, most: number): number | null {
      const window = current(key)
      if (!window || window.count < most) return null
      return Math.ceil((window.startedAt + windowMs - performance.now()) / 1000)
    },
  }
}
