export interface FairQueueLimits {
  mostOfOneKey: number
  most: number
  /** For a call that finds no place. */
  full: () => Error
}

interface Turn {
  begin(): void
  refuse(error: unknown): void
}

/** Runs the work of one process one at a time; waiting keys take turns. */
export function createFairQueue({ mostOfOneKey, most, full }: FairQueueLimits) {
  /** The waiting calls per key, the oldest first; the keys are in the order of their turns. */
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
    // Move the key with its remaining calls behind all others.
    lines.delete(key)
    lines.set(key, line)
    take(key, line, 0)?.begin()
  }

  /** Removes the latest call of the longest line, so that a key with many calls cannot block the others. */
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
      const stopListening = () => signal?.removeEventListener('abort', giveUp)
      const turn: Turn = {
        begin: () => {
          stopListening()
          resolve()
        },
        refuse: (error) => {
          stopListening()
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
    /**
     * Runs work in its turn: between two calls of one key at most one of every other key runs. A call aborted while it
     * waits does nothing; a running one sees the abort through the signal, and its turn lasts until its work ends.
     * @throws the error of `full` when too many calls wait; the reason of the signal
     */
    async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
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
