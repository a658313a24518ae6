import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Io } from './io.ts'
import { SIGNALS } from './machine/signals.ts'

/** Ends with Ctrl-C, or when the output is closed. @param work must stop when the signal is aborted */
export async function repeat(io: Io, everyMs: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const end = () => stop.abort()
  for (const signal of SIGNALS) process.on(signal, end)
  io.until?.addEventListener('abort', end)
  io.stdout.once('error', end)
  const stopped = once(stop.signal, 'abort')
  try {
    while (!stop.signal.aborted) {
      await Promise.race([work(stop.signal), stopped])
      await setTimeout(everyMs, undefined, { signal: stop.signal }).catch(() => {})
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, end)
    io.until?.removeEventListener('abort', end)
    io.stdout.off('error', end)
  }
}

/** Makes a terminal blank, the next line at its top. */
export const CLEAR = '\u001b[H\u001b[2J'
