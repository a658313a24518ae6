import { setTimeout as sleep } from 'node:timers/promises'

/** The remaining time: until a moment, or `stopMs` once the daemon stops. */
export interface TimeLeft {
  /** @param at by `elapsed` */
  isOverAt(at: number): boolean
  /** Runs work with a signal that aborts at that time. One at a time. */
  until<T>(at: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  sleep(ms: number): Promise<void>
  end(): void
}

/** @param stopMs time left after `stopping` aborts */
export function createTimeLeft(elapsed: () => number, stopping: AbortSignal | undefined, stopMs: number): TimeLeft {
  const stopped = new AbortController()
  let stopTimer: NodeJS.Timeout | undefined
  const onStop = () => {
    stopTimer = setTimeout(() => stopped.abort(), stopMs)
  }
  if (stopping?.aborted) onStop()
  else stopping?.addEventListener('abort', onStop, { once: true })

  return {
    isOverAt: (at) => stopped.signal.aborted || elapsed() >= at,
    async until(at, work) {
      const over = new AbortController()
      const abort = () => over.abort()
      const timer = setTimeout(abort, Math.max(0, at - elapsed()))
      stopped.signal.addEventListener('abort', abort)
      if (stopped.signal.aborted) abort()
      try {
        return await work(over.signal)
      } finally {
        clearTimeout(timer)
        stopped.signal.removeEventListener('abort', abort)
      }
    },
    sleep: (ms) => sleep(ms, undefined, { signal: stopped.signal }).catch(() => {}),
    end() {
      clearTimeout(stopTimer)
      stopping?.removeEventListener('abort', onStop)
    },
  }
}
