import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import { type ClockState, type ClockStatus, describeClock, span } from './clock-state.ts'
import type { SystemClock, TimeWord, WatchedClock } from './ports.ts'
import { createProvenTime } from './proven-time.ts'
import type { Moments, Store } from './store-port.ts'

export interface ClockWatch extends WatchedClock {
  state(): ClockState
  /** Asks whether the system's clock is synchronised: at the start, now and then, and by itself when it has jumped. */
  ask(): Promise<void>
  /** What the service of the tax authority has just said. It counts while no time server is followed. */
  heard(word: TimeWord): Promise<void>
  /** Nobody vouches for the clock, and the service has not been heard for an hour, or has to be heard once more. */
  wantsWord(): boolean
  /** Whether anybody has told the time in this run. */
  isWitnessed(): boolean
  /**
   * Stores how late it is, for the next start. To be called about once a minute.
   * @throws whatever the store throws
   */
  beat(): Promise<void>
}

export interface ClockWatchDeps {
  /** Whose service is heard, and whose sales go by it. */
  mode: Mode
  system: SystemClock
  store: Store
  /** What earlier runs have stored. */
  stored: Moments
  /** When the program was built; null when nobody knows. */
  builtAt: EpochMs | null
  /** Told when the status has changed. */
  onChange: (state: ClockState) => void
  /** Told what the operator should know beside that. */
  report: (problem: string, error?: unknown) => void
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const JUMP_MS = HOUR_MS

/** What the tax authority tells is some seconds old, and its own clock is allowed a few minutes. */
const WITNESS_TOLERANCE_MS = 10 * MINUTE_MS

const isNear = (one: number, other: number) => Math.abs(one - other) <= WITNESS_TOLERANCE_MS

/** The system's clock as it is seen at one moment. */
interface Sight {
  status: ClockStatus
  /** What it would have shown when `elapsed` was zero. */
  origin: number
  elapsed: number
}

/**
 * Watches a clock that may be wrong, as that of a machine without a battery is. Clocks are compared by what each would
 * have shown when `elapsed` was zero (their origin): it stays the same as long as nobody moves them.
 */
export function createClockWatch(deps: ClockWatchDeps): ClockWatch {
  const { mode, system, store, stored, builtAt, onChange, report } = deps
  const proven = createProvenTime({ store, mode }, system.elapsed, stored)
  const origin = (at: EpochMs) => at - system.elapsed()
  const started = origin(system.now())
  let newest = origin(Math.max(stored.newestAt, builtAt ?? 0))
  /** Who vouches for the time, and which one it is. */
  let witness: { origin: number; isUnsigned: boolean } | null = null
  let synchronised: boolean | null = null
  let askedAbout = started
  /** What the authority said last in this run, and whether anybody has told the time in it. */
  let authority: number | null = null
  let knownExactly = false
  /** A word of the authority that would move the clock; whether a signed answer stood behind it. */
  let pending: { origin: number; isSigned: boolean } | null = null
  /** A signed answer has shown that `Date` is not the service's own time. */
  let contradicted = false
  let heardAt: number | null = null
  /** A time server has said something that cannot be. */
  let doubted = false
  let asking: Promise<void> | undefined
  let told: ClockStatus = 'ok'

  function judge(shown: number): ClockStatus {
    if (witness !== null) {
      if (!isNear(shown, witness.origin)) return 'off'
    } else {
      if (shown < newest - MINUTE_MS) return 'behind'
      if (Math.abs(shown - started) > JUMP_MS) return 'jumped'
    }
    return witness !== null || synchronised ? 'ok' : 'unsynchronised'
  }

  const provenAt = () => (proven.moments().exactAt === 0 ? null : proven.now())

  /** Every use of the clock looks at it first: nothing is decided by a time that has just been moved. */
  function look(): Sight {
    const elapsed = system.elapsed()
    const shown = system.now() - elapsed
    const sight = { status: judge(shown), origin: shown, elapsed }
    if (Math.abs(shown - askedAbout) > MINUTE_MS) void ask()
    if (sight.status !== told) {
      told = sight.status
      onChange(stateOf(sight))
    }
    return sight
  }

  function stateOf({ status, origin: shown, elapsed }: Sight): ClockState {
    const heard = witness ?? pending
    const offsetMs = heard && Math.round(shown - heard.origin)
    const newestKnownAt = Math.round(newest + elapsed)
    const state = { status, trusted: status === 'ok', synchronised, newestKnownAt, provenAt: provenAt(), offsetMs }
    return { ...state, detail: describeClock(state, shown + elapsed, shown - started) }
  }

  function bestGuess({ status, origin: shown, elapsed }: Sight): EpochMs {
    const isPlausible = status === 'ok' || status === 'unsynchronised'
    return Math.round(elapsed + (isPlausible ? shown : (witness?.origin ?? Math.max(newest, started))))
  }

  /** Nothing can have been stored later than a right clock shows: that was a wrong one. */
  function lowerNewest(to: number): void {
    if (newest - to > MINUTE_MS) {
      report(`the newest moment on record is ${span(newest - to)} ahead of the time: it was stored by a wrong clock`)
    }
    newest = Math.min(newest, to)
  }

  function ask(): Promise<void> {
    asking ??= askNow().finally(() => {
      asking = undefined
    })
    return asking
  }

  async function askNow(): Promise<void> {
    const asked = origin(system.now())
    askedAbout = asked
    synchronised = await system.synchronised()
    if (synchronised && isCredible(asked)) {
      witness = { origin: asked, isUnsigned: false }
      knownExactly = true
      lowerNewest(asked)
      await learn(asked + system.elapsed(), true)
    }
    look()
  }

  /**
   * Time servers speak unsigned, and one that is wrong for a minute must not expire a sale: once the time was known in
   * this run, the steady clock says how late it can be, and a leap beyond that needs the authority's word.
   */
  function isCredible(asked: number): boolean {
    const leap = asked + system.elapsed() - proven.now()
    const confirmed = authority !== null && Math.abs(asked - authority) <= WITNESS_TOLERANCE_MS
    const credible = !knownExactly || leap <= WITNESS_TOLERANCE_MS || confirmed
    if (!credible && !doubted)
      report(`the clock was set ahead by ${span(leap)}: the tax authority will say if it is right`)
    doubted = !credible
    return credible
  }

  /**
   * A header is written by whatever answers first, and nothing in it is signed. It is not before this program was built,
   * nor outside of what the certificate allows that was shown with it, nor another time than the service signs.
   */
  function isBelievable({ at, certificate, aheadOfSignedMs }: TimeWord): boolean {
    const before = contradicted
    if (aheadOfSignedMs !== null) contradicted = !isNear(aheadOfSignedMs, 0)
    const isPossible =
      at >= (builtAt ?? 0) - WITNESS_TOLERANCE_MS && certificate && at >= certificate.from && at <= certificate.until
    if (isPossible && !contradicted) return true
    if (!contradicted) return false
    if (!before) report('the time in the headers of the tax authority is not the one that it signs: it is not believed')
    pending = null
    if (witness?.isUnsigned) witness = null
    return false
  }

  /**
   * Whether the clock may go by this word. One that agrees with what is taken for the time confirms it, and so does one
   * that agrees with a clock that only its own past speaks against. To move the clock two answers must agree; as long as
   * nothing speaks against it, one of them must be signed.
   */
  function weigh(said: number, { aheadOfSignedMs }: TimeWord): { isBelieved: boolean; isSigned: boolean } {
    const sight = look()
    const before = pending && isNear(pending.origin, said) ? pending : null
    const isSigned = aheadOfSignedMs !== null || before?.isSigned === true
    const confirms = isNear(bestGuess(sight) - sight.elapsed, said) || (witness === null && isNear(sight.origin, said))
    const isPlausible = sight.status === 'ok' || sight.status === 'unsynchronised'
    const isBelieved = confirms || (before !== null && (isSigned || !isPlausible))
    pending = isBelieved ? null : { origin: said, isSigned }
    return { isBelieved, isSigned }
  }

  async function learn(at: EpochMs, exact: boolean): Promise<void> {
    await proven.learn(at, exact).catch((error: unknown) => {
      report('what was learnt about the time could not be stored', error)
    })
  }

  return {
    now: () => bestGuess(look()),
    present() {
      const sight = look()
      const now = bestGuess(sight)
      // A clock may be ahead for days before anybody can tell; before the first proof its word is all there is.
      const earliest = Math.min(now, provenAt() ?? (sight.status === 'ok' ? now : 0))
      if (sight.status !== 'ok') return { now, earliest, latest: Number.POSITIVE_INFINITY }
      // One that no time server keeps right may be some minutes slow.
      const latest = synchronised || witness === null ? now : Math.max(now, Math.floor(witness.origin + sight.elapsed))
      return { now, earliest, latest }
    },
    proven() {
      look()
      return proven.now()
    },
    state: () => stateOf(look()),
    ask,
    async heard(word) {
      heardAt = system.elapsed()
      if (!isBelievable(word)) return
      const said = origin(word.at)
      authority = said
      if (doubted) await ask()
      if (synchronised && !doubted) return
      const { isBelieved, isSigned } = weigh(said, word)
      if (!isBelieved) return void look()
      const shown = system.now()
      const agrees = isNear(shown, word.at)
      witness = { origin: said, isUnsigned: !isSigned }
      lowerNewest(origin(agrees ? Math.max(shown, word.at) : word.at))
      look()
      // Of two clocks that differ the earlier one is believed: should the other one be wrong, nothing expires by it.
      if (agrees) knownExactly = true
      await learn(agrees ? word.at : Math.min(word.at, Math.max(shown, proven.now())), agrees)
    },
    isWitnessed: () => witness !== null,
    wantsWord() {
      if (synchronised && !doubted) return false
      return pending !== null || heardAt === null || system.elapsed() - heardAt >= HOUR_MS
    },
    async beat() {
      const { status, origin: shown } = look()
      if (status === 'ok' || status === 'unsynchronised') newest = Math.max(newest, shown)
      await store.moments.save(mode, { newestAt: newest + system.elapsed(), ...proven.moments() })
    },
  }
}
