/** How long writes take to be on the disk. */
export interface WriteTime {
  /** Measures a write. */
  time<T>(write: () => Promise<T>): Promise<T>
  /** Of the latest one, milliseconds; null before the first. */
  latestMs(): number | null
}

/** A sale writes twice, so at this pace a customer waits for seconds. */
export const SLOW_DISK_MS = 1000

/** @param elapsed a monotonic clock in milliseconds */
export function createWriteTime(elapsed: () => number): WriteTime {
  let latest: number | null = null
  return {
    async time(write) {
      const began = elapsed()
      const result = await write()
      latest = Math.round(elapsed() - began)
      return result
    },
    latestMs: () => latest,
  }
}
