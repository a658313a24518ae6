import type { EpochMs, Present } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'

/** Where the use cases take time and randomness from; tests bring their own. */
export interface Clock {
  now(): EpochMs
}

/** The clocks of the machine. The one on the wall may be wrong, and may be moved while we look at it. */
export interface SystemClock extends Clock {
  /** Milliseconds that have passed since some moment, whatever is done to the other clock. */
  elapsed(): number
  /**
   * Whether `now` follows a time server, by what the operating system says; null when nobody can tell. Takes a few
   * seconds at most and never throws.
   */
  synchronised(): Promise<boolean | null>
}

/** Each mode goes by what its own service has said: neither moves what the other one goes by. */
export interface ModeClocks {
  of(mode: Mode): WatchedClock
}

/** A clock that knows how far it can be relied on. */
export interface WatchedClock extends Clock {
  /** The best guess at the time. */
  now(): EpochMs
  /** The time as far as anybody may be refused something because of it. */
  present(): Present
  /**
   * A moment that is certainly past, by what has been proven and how long we have run since: the time for what cannot
   * be undone. A clock that is moved does not move it.
   */
  proven(): EpochMs
}

/** What an answer of the tax authority says about the time, come over TLS that was verified. */
export interface TimeWord {
  /** The moment that is signed in it, or else its `Date`, which the certificate shown with it allows; cut to the second. */
  at: EpochMs
  isSigned: boolean
}
