import type { EpochMs, Present } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'

/** The source of the current time for the use cases; tests bring their own. */
export interface Clock {
  now(): EpochMs
}

/** The clocks of the machine. The system clock may be wrong and may be changed at any moment. */
export interface SystemClock extends Clock {
  /** A monotonic clock in milliseconds; changes of the system clock do not move it. */
  elapsed(): number
  /** Whether `now` follows a time server; null when unknown. Takes a few seconds at most and never throws. */
  synchronised(): Promise<boolean | null>
}

/** One clock per mode. The service of one mode never moves the clock of the other mode. */
export interface ModeClocks {
  of(mode: Mode): WatchedClock
}

/** A clock that knows how reliable it is. */
export interface WatchedClock extends Clock {
  /** The best estimate of the time. */
  now(): EpochMs
  /** The time with its uncertainty, for decisions that refuse a request. */
  present(): Present
  /** A moment that is certainly past, for decisions that cannot be undone; no change of the system clock moves it. */
  proven(): EpochMs
}

/** A clock for the lifetime of idempotency keys. */
export interface KeyClock {
  /**
   * By which idempotency keys are dated and judged: the first time that was proven in this run, and what has elapsed
   * since, so that no later change of a clock makes a key older. Null before. Where processes share the database, its
   * clock counts instead.
   */
  keyTime(): EpochMs | null
}

/** What an answer of the tax authority says about the time. The answer came over verified TLS. */
export interface TimeWord {
  /** The answer's signed time, else its `Date` header if the certificate was valid then; cut to the second. */
  at: EpochMs
  isSigned: boolean
  /** Which connection has brought it; undefined when that is unknown. */
  connection?: number | undefined
}
