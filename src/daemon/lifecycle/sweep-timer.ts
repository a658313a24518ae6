import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Mode } from '../../domain/sale/sale.ts'
import type { SweepResult } from '../../fiscal/sales/sweep.ts'
import { withLog } from './log.ts'
import { oneAtATime } from './one-at-a-time.ts'

export interface SweeperState {
  running: boolean
  /** When the last pass ended, epoch milliseconds. */
  endedAt: number | null
  /** Why it ended: the tax authority could not be reached. */
  unreachable: boolean
}

/** After an outage the queue waits this long at most: all that a pass into one costs is an echo. */
const OUTAGE_INTERVAL_MS = 30_000

export interface SweeperDeps {
  pass: (signal: AbortSignal, heardFrom: ReadonlySet<Mode>) => Promise<SweepResult>
  intervalMs: number
  now: () => number
  log: Logger
}

/** Runs passes over the invoices without a JIR, never two at once. */
export function createSweeper({ pass, intervalMs, now, log }: SweeperDeps) {
  const stopping = new AbortController()
  const state: SweeperState = { running: false, endedAt: null, unreachable: false }
  const heardFrom = new Set<Mode>()
  let timer: NodeJS.Timeout | undefined

  const passes = oneAtATime(async () => {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    state.running = true
    let tried = false
    const heard = new Set(heardFrom)
    heardFrom.clear()
    const passLog = log.child({ passId: randomUUID() })
    try {
      const result = await withLog(passLog, () => pass(stopping.signal, heard))
      state.unreachable = result.unreachable
      tried = result.sent > 0 && result.confirmed === 0
      if (result.sent > 0) passLog.info(result, 'swept')
    } catch (error) {
      passLog.error({ err: error }, 'the sweep failed')
    } finally {
      Object.assign(state, { running: passes.isFollowed(), endedAt: now() })
      // An echo costs nothing, but each unanswered message is archived.
      const wait = state.unreachable && !tried ? Math.min(OUTAGE_INTERVAL_MS, intervalMs) : intervalMs
      if (timer && !stopping.signal.aborted) timer = setTimeout(passes.run, wait)
    }
  })

  const stop = () => {
    stopping.abort()
    clearTimeout(timer)
  }
  return {
    start(): void {
      timer = setTimeout(passes.run, 0)
    },
    sweep: passes.run,
    /** The tax authority has just answered a request: messages that waited while it was unreachable are sent at once. */
    answered(mode: Mode): void {
      if (!state.unreachable || passes.isRunning() || stopping.signal.aborted) return
      state.unreachable = false
      heardFrom.add(mode)
      void passes.run()
    },
    /** Starts no other pass; the current one ends after the message that it is sending. */
    stop,
    async close(): Promise<void> {
      stop()
      await passes.ended()
    },
    state: (): SweeperState => state,
  }
}
