import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { SweepResult } from '../fiscal/sweep.ts'
import { withLog } from './current-log.ts'

/** Runs passes over what lacks a JIR, never two at once. */
export interface Sweeper {
  /** The first pass, now, and the others from then on. */
  start(): void
  /** A whole pass that begins now, or after the one that is under way. */
  sweep(): Promise<void>
  /** The tax authority has just answered somebody: what was left because it could not be reached goes out at once. */
  answered(): void
  /** Starts no other pass, and lets the one under way end after the message it is sending. */
  stop(): void
  /** Stops, and waits for that message. */
  close(): Promise<void>
  state(): SweeperState
}

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
  pass: (signal: AbortSignal) => Promise<SweepResult>
  intervalMs: number
  now: () => number
  log: Logger
}

export function createSweeper({ pass, intervalMs, now, log }: SweeperDeps): Sweeper {
  const stopping = new AbortController()
  const state: SweeperState = { running: false, endedAt: null, unreachable: false }
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    clearTimeout(timer)
    state.running = true
    const passLog = log.child({ passId: randomUUID() })
    try {
      const result = await withLog(passLog, () => pass(stopping.signal))
      state.unreachable = result.unreachable
      if (result.sent > 0) passLog.info(result, 'swept')
    } catch (error) {
      passLog.error({ err: error }, 'the sweep failed')
    } finally {
      Object.assign(state, { running: following !== undefined, endedAt: now() })
      running = undefined
      const wait = state.unreachable ? Math.min(OUTAGE_INTERVAL_MS, intervalMs) : intervalMs
      if (timer && !stopping.signal.aborted) timer = setTimeout(sweep, wait)
    }
  }

  function sweep(): Promise<void> {
    if (!running) {
      running = run()
      return running
    }
    following ??= running.then(() => {
      following = undefined
      return sweep()
    })
    return following
  }

  const stop = () => {
    stopping.abort()
    clearTimeout(timer)
  }
  return {
    start() {
      timer = setTimeout(sweep, 0)
    },
    sweep,
    answered() {
      if (!state.unreachable || running || stopping.signal.aborted) return
      state.unreachable = false
      void sweep()
    },
    stop,
    async close() {
      stop()
      await (following ?? running)
    },
    state: () => state,
  }
}
