/** A sale writes twice, so at this pace a customer waits for seconds. */
export const SLOW_DISK_MS = 1000

/** How long writes take to be on the disk. @param elapsed a monotonic clock in milliseconds */
export function createWriteTime(elapsed: () => number) {
  let latest: number | null = null
  return {
    async time<T>(write: () => Promise<T>): Promise<T> {
      const began = elapsed()
      const result = await write()
      latest = Math.round(elapsed() - began)
      return result
    },
    /** Of the latest one, milliseconds; null before the first. */
    latestMs: (): number | null => latest,
  }
}
