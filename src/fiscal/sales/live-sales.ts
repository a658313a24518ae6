/** About the duration of a sale when the tax authority answers. */
const PATIENCE_MS = 1000

export type LiveSales = ReturnType<typeof createLiveSales>

/** Lets the sweep wait for current sales (CIS specification, 2.2: current sales go first). */
export function createLiveSales() {
  let underWay = 0
  let begun = 0
  const waiting = new Set<() => void>()
  return {
    /** Counts a sale while it runs. The sale itself never waits here. */
    async run<T>(sale: () => Promise<T>): Promise<T> {
      underWay++
      begun++
      return sale().finally(() => {
        underWay--
        if (underWay === 0) for (const go of waiting) go()
      })
    },
    /** How many have begun so far. */
    begun: (): number => begun,
    /** Resolves when no sale is running, or after some time, so that the queue also moves on a busy machine. */
    quiet(patienceMs = PATIENCE_MS): Promise<void> {
      if (underWay === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const go = () => {
          clearTimeout(patience)
          waiting.delete(go)
          resolve()
        }
        const patience = setTimeout(go, patienceMs)
        waiting.add(go)
      })
    },
  }
}
