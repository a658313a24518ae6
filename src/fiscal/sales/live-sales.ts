/** Lets the sweep make room for whoever stands at a machine (CIS specification, 2.2: current sales go first). */
export interface LiveSales {
  /** Counts a sale as long as it is under way. It never waits for anything here. */
  run<T>(sale: () => Promise<T>): Promise<T>
  /** Resolves when no sale is under way, or after a while: a queue behind a busy machine must move, too. */
  quiet(): Promise<void>
}

/** About what a sale takes when the tax authority answers. */
const PATIENCE_MS = 1000

export function createLiveSales(): LiveSales {
  let underWay = 0
  const waiting = new Set<() => void>()
  return {
    async run(sale) {
      underWay++
      try {
        return await sale()
      } finally {
        underWay--
        if (underWay === 0) for (const go of waiting) go()
      }
    },
    quiet() {
      if (underWay === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const go = () => {
          clearTimeout(patience)
          waiting.delete(go)
          resolve()
        }
        const patience = setTimeout(go, PATIENCE_MS)
        waiting.add(go)
      })
    },
  }
}
