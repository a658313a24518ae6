/** How many addresses or principals are remembered at a time; the longest silent are forgotten first. */
const REMEMBERED = 5000

interface Window {
  current: number
  startedAt: number
}

type Counted = (error: Error | null, result: { current: number; ttl: number }) => void

/**
 * Counts requests per key in windows that begin with the first one. In time that never goes back: the clock of a kiosk
 * is set when its network comes up, and a window must not last until the old time is reached again.
 */
export class WindowStore {
  private readonly windows = new Map<string, Window>()

  incr(key: string, counted: Counted, timeWindow: number): void {
    const now = performance.now()
    const known = this.windows.get(key)
    const window = known && now - known.startedAt < timeWindow ? known : { current: 0, startedAt: now }
    window.current++
    this.windows.delete(key)
    this.windows.set(key, window)
    if (this.windows.size > REMEMBERED) {
      for (const oldest of this.windows.keys()) {
        this.windows.delete(oldest)
        break
      }
    }
    counted(null, { current: window.current, ttl: timeWindow - (now - window.startedAt) })
  }

  /** Each limit counts for itself. */
  child(): WindowStore {
    return new WindowStore()
  }
}
