import type { Logger } from 'pino'

/** Runs a pass over what lacks a JIR now and then, never two at once. */
export interface Sweeper {
  /** A pass now, or the one that is under way. */
  sweep(): Promise<void>
  /** Starts no other pass, and lets the one under way end after the message it is sending. */
  stop(): void
  /** Stops, and waits for that message. */
  close(): Promise<void>
}

export function startSweeper(
  pass: (signal: AbortSignal) => Promise<{ sent: number; confirmed: number }>,
  intervalMs: number,
  log: Logger,
): Sweeper {
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    try {
      const result = await pass(stopping.signal)
      if (result.sent > 0) log.info(result, 'swept')
    } catch (error) {
      log.error({ err: error }, 'the sweep failed')
    }
  }

  function sweep(): Promise<void> {
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  const timer = setInterval(sweep, intervalMs)
  const stop = () => {
    clearInterval(timer)
    stopping.abort()
  }
  return {
    sweep,
    stop,
    async close() {
      stop()
      await running
    },
  }
}
