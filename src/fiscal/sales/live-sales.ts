/** Lets the sweep wait for current sales (CIS specification, 2.2: current sales go first). */
export interface LiveSales {
  /** Counts a sale while it runs. The sale itself never waits here. */
  run<T>(sale: () => Promise<T>): Promise<T>
  /** How many have begun so far. */
  begun(): number
  /** Resolves when no sale is running, or after some time, so that the queue also moves on a busy machine. */
  quiet(patienceMs?: number): Promise<void>
}

/** About the duration of a sale when the tax authority answers. */
const PATIENCE_MS = 1000

export function createLiveSales(): LiveSales {
  let underWay = 0
  let begun = 0
  const waiting = new Set<() => void>()
  return {
    async run(sale) {
      underWay++
      begun++
      try {
        return await sale()
      } finally {
        underWay--
        if (underWay === 0) for (const go of waiting) go()
      }
    },
    begun: () => begun,
    quiet(patienceMs = PATIENCE_MS) {
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
