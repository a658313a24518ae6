import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { SystemClock, TimeWord, WatchedClock } from '../ports/clock.ts'
import type { ClockMarks } from '../ports/rows/processes.ts'
import type { Store } from '../ports/store.ts'
import { type ClockState, type ClockStatus, describeClock, span } from './clock-state.ts'
import { createProvenTime } from './proven-time.ts'

export interface ClockWatch extends WatchedClock {
  state(): ClockState
  /** Asks whether the system's clock is synchronised: at the start, now and then, and by itself when it has jumped. */
  ask(): Promise<void>
  /** What the service of the tax authority has just said. It counts while no time server is followed. */
  heard(word: TimeWord): Promise<void>
  /** Nobody vouches for the clock, and the service has not been heard for an hour or has contradicted it. */
  wantsWord(): boolean
  /** A word has contradicted the clock; a signed one would settle it. */
  isContradicted(): boolean
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
  store: Pick<Store, 'moments' | 'transaction'>
  /** What earlier runs have stored. */
  stored: ClockMarks
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

/** A word is cut to its second, and was said up to four seconds before it is heard. */
const WORD_AGE_MS = 5000

const isNear = (one: number, other: number) => Math.abs(one - other) <= WITNESS_TOLERANCE_MS

/** The system's clock as it is seen at one moment. */
interface Sight {
  status: ClockStatus
  /** What it would have shown when `elapsed` was zero. */
  origin: number
  elapsed: number
}

/** Who vouches for the time. */
interface Witness {
  origin: number
  /** What it said last; it may be some minutes ahead of `origin`. */
  said: number
  /** A time server, or a signed answer. Nothing unsigned moves the time that it tells. */
  isSigned: boolean
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
  let witness: Witness | null = null
  let synchronised: boolean | null = null
  let askedAbout = started
  /** What the authority said last in this run, and whether anybody has told the time in it. */
  let authority: number | null = null
  let knownExactly = false
  /** A word of the authority that the clock contradicts. */
  let pending: Pick<Witness, 'said' | 'isSigned'> | null = null
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
    const offsetMs = heard && Math.round(shown - heard.said)
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
      witness = { origin: asked, said: asked, isSigned: true }
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
   * What a word makes of the witness. One that agrees with what is taken for the time confirms it, and so does one that
   * agrees with a clock that only its own past speaks against; unsigned, it vouches for that time and not for its own. To
   * move the time two words must agree, and at least one of them must be signed.
   * @returns undefined when it vouches for nothing
   */
  function weigh(said: number, isSigned: boolean): Witness | undefined {
    const sight = look()
    const guess = bestGuess(sight) - sight.elapsed
    const own = [...(witness ? [] : [sight.origin]), guess].find((origin) => isNear(origin, said))
    const before = pending
    const agrees = before !== null && isNear(before.said, said)
    if (own !== undefined && (isSigned || !before?.isSigned)) {
      pending = null
      if (isSigned) return { origin: said, said, isSigned }
      return witness?.isSigned ? undefined : { origin: witness?.origin ?? own, said, isSigned }
    }
    if (agrees && (isSigned || before.isSigned)) {
      pending = null
      const moved = isSigned ? said : before.said
      return { origin: moved, said: moved, isSigned: true }
    }
    // Headers that contradict each other vouch for nothing.
    if ((isSigned || agrees) && !witness?.isSigned) witness = null
    if (isSigned || !before?.isSigned) pending = { said, isSigned }
    return undefined
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
      if (synchronised || witness === null) return { now, earliest, latest: now }
      return { now, earliest, latest: Math.max(now, Math.floor(witness.said + sight.elapsed) + WORD_AGE_MS) }
    },
    proven() {
      look()
      return proven.now()
    },
    state: () => stateOf(look()),
    ask,
    async heard({ at, isSigned }) {
      heardAt = system.elapsed()
      // No answer is older than this program.
      if (at < (builtAt ?? 0) - WITNESS_TOLERANCE_MS) return
      const said = origin(at)
      authority = said
      if (doubted) await ask()
      if (synchronised && !doubted) return
      const vouched = weigh(said, isSigned)
      if (!vouched) return void look()
      witness = vouched
      const [shown, told] = [system.now(), vouched.said + system.elapsed()]
      const agrees = isNear(shown, told)
      if (agrees || vouched.isSigned) lowerNewest(origin(agrees ? Math.max(shown, told) : told))
      look()
      if (agrees) knownExactly = true
      // Of two clocks that differ the earlier one is believed: should the other one be wrong, nothing expires by it.
      const isProven = agrees && vouched.isSigned
      await learn(isProven ? told : Math.min(told, agrees ? shown : Math.max(shown, proven.now())), agrees)
    },
    isWitnessed: () => witness !== null,
    isContradicted: () => pending !== null,
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
