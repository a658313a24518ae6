/** Runs work one at a time, and lets those who wait take turns. */
export interface FairQueue {
  /**
   * Runs work when its turn has come. Whoever waits under many calls of one key waits behind one call of every other key.
   * A call that is given up before its turn does nothing; one that runs is told by the same signal, and its turn lasts
   * until it has ended.
   * @param key who asks
   * @throws what `full` makes when too many wait; the reason of the signal
   */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export interface FairQueueLimits {
  /** So many calls wait under one key. */
  mostOfOneKey: number
  /** So many calls wait altogether. */
  most: number
  /** The refusal of a call that finds no place. */
  full: () => Error
}

interface Turn {
  begin(): void
  refuse(error: unknown): void
}

/** For one process. */
export function createFairQueue({ mostOfOneKey, most, full }: FairQueueLimits): FairQueue {
  /** The keys in the order of their turns; what waits under each, the oldest first. */
  const lines = new Map<string, Turn[]>()
  let waiting = 0
  let isBusy = false

  function take(key: string, line: Turn[], at: number): Turn | undefined {
    const [turn] = line.splice(at, 1)
    if (turn) waiting--
    if (line.length === 0) lines.delete(key)
    return turn
  }

  function next(): void {
    const [first] = lines
    if (!first) {
      isBusy = false
      return
    }
    const [key, line] = first
    // Behind all others, with what is left of its line.
    lines.delete(key)
    lines.set(key, line)
    take(key, line, 0)?.begin()
  }

  /** The latest of the longest line gives up its place, so that nobody is kept out by somebody who waits more often. */
  function makeRoom(own: number): boolean {
    const [longest] = [...lines].sort(([, a], [, b]) => b.length - a.length)
    if (!longest || longest[1].length <= own + 1) return false
    const [key, line] = longest
    take(key, line, line.length - 1)?.refuse(full())
    return true
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const own = lines.get(key)?.length ?? 0
    if (own >= mostOfOneKey || (waiting >= most && !makeRoom(own))) return Promise.reject(full())
    return new Promise((resolve, reject) => {
      const line = lines.get(key) ?? []
      const giveUp = () => {
        take(key, line, line.indexOf(turn))
        reject(signal?.reason)
      }
      const settled = () => signal?.removeEventListener('abort', giveUp)
      const turn: Turn = {
        begin: () => {
          settled()
          resolve()
        },
        refuse: (error) => {
          settled()
          reject(error)
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      line.push(turn)
      lines.set(key, line)
      waiting++
    })
  }

  return {
    async run(key, work, signal) {
      signal?.throwIfAborted()
      if (isBusy) await wait(key, signal)
      isBusy = true
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}
