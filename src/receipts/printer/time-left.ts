import { setTimeout as sleep } from 'node:timers/promises'

/** The remaining time: until a moment, or `stopMs` once `stopping` aborts. */
export function createTimeLeft(elapsed: () => number, stopping: AbortSignal | undefined, stopMs: number) {
  const stopped = new AbortController()
  let stopTimer: NodeJS.Timeout | undefined
  const onStop = () => {
    stopTimer = setTimeout(() => stopped.abort(), stopMs)
  }
  if (stopping?.aborted) onStop()
  else stopping?.addEventListener('abort', onStop, { once: true })

  return {
    /** @param at by `elapsed` */
    isOverAt: (at: number): boolean => stopped.signal.aborted || elapsed() >= at,
    /** Runs work with a signal that aborts at that time. One at a time. */
    async until<T>(at: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const over = new AbortController()
      const abort = () => over.abort()
      const timer = setTimeout(abort, Math.max(0, at - elapsed()))
      stopped.signal.addEventListener('abort', abort)
      if (stopped.signal.aborted) abort()
      return work(over.signal).finally(() => {
        clearTimeout(timer)
        stopped.signal.removeEventListener('abort', abort)
      })
    },
    sleep: (ms: number): Promise<void> => sleep(ms, undefined, { signal: stopped.signal }).catch(() => {}),
    end(): void {
      clearTimeout(stopTimer)
      stopping?.removeEventListener('abort', onStop)
    },
  }
}
