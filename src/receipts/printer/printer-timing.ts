import { setTimeout as sleep } from 'node:timers/promises'
import type { Encoded } from '../encoding/encoded-job.ts'
import type { PaperMeter } from '../encoding/paper-meter.ts'

/** Times in milliseconds; tests use short ones. */
export interface Timing {
  /** Interval between questions to an idle printer. */
  lookEveryMs: number
  /** How long an earlier answer is valid when a receipt comes. */
  freshMs: number
  /** Interval between questions to a printer while a job waits for it. */
  pollMs: number
  /** Interval between questions to a stopped printer, whose buffer the questions fill. */
  standMs: number
  /** The least time for a receipt that has begun, even when the customer has left. */
  leastMs: number
  /** The time for a receipt that has begun when the daemon stops. */
  stopMs: number
  /** Speed of a slow printer in millimetres per second, and how long its cut may take. */
  mmPerS: number
  cutMs: number
  reopenMs: { first: number; last: number }
}

export const TIMING: Timing = {
  lookEveryMs: 2000,
  freshMs: 3000,
  pollMs: 200,
  standMs: 500,
  leastMs: 10_000,
  stopMs: 6000,
  mmPerS: 50,
  cutMs: 2500,
  reopenMs: { first: 500, last: 5000 },
}

/** How far the paper moves for a job, in millimetres. @param measure a new meter */
export function paperMm({ segments }: Encoded, measure: PaperMeter): number {
  return segments.reduce((sum, segment) => sum + measure(segment), 0)
}

/** Milliseconds that a slow printer may need for the whole job. @param measure a new meter */
export function printingMs(job: Encoded, measure: PaperMeter, { mmPerS, cutMs }: Timing, msPerByte: number): number {
  const bytes = job.segments.reduce((sum, { length }) => sum + length, 0)
  return bytes * msPerByte + (paperMm(job, measure) * 1000) / mmPerS + cutMs
}

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
