/** Runs work for one printer, one piece at a time. */
export function createPrinterQueue() {
  let last: Promise<unknown> = Promise.resolve()
  let busy = 0

  function take<T>(work: () => Promise<T>): Promise<T> {
    busy += 1
    const done = last.then(work).finally(() => {
      busy -= 1
    })
    last = done.catch(() => {})
    return done
  }

  return {
    get isBusy() {
      return busy > 0
    },
    /** Resolves when all work that was added so far is done. */
    get done() {
      return last
    },
    /** @throws what `work` throws */
    take,
    /** The same, but what still waits after `waitMs`, or when the signal aborts, is not run: it gives `left`. */
    async takeOrLeave<T>(work: () => Promise<T>, left: () => T, waitMs: number, signal?: AbortSignal): Promise<T> {
      if (signal?.aborted) return left()
      const leaving = Promise.withResolvers<'left'>()
      let hasLeft = false
      const leave = () => {
        hasLeft = true
        leaving.resolve('left')
      }
      const timer = setTimeout(leave, Math.max(0, waitMs))
      signal?.addEventListener('abort', leave, { once: true })
      const turn = take(async () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        return hasLeft ? ('left' as const) : { result: await work() }
      })
      const outcome = await Promise.race([leaving.promise, turn])
      return outcome === 'left' ? left() : outcome.result
    },
  }
}
