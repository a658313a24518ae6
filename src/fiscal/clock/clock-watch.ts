import { type EpochMs, HOUR_MS, MINUTE_MS, type Present } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { sharedRun } from '../../domain/shared-run.ts'
import type { SystemClock, TimeWord } from '../ports/clock.ts'
import type { ClockMarks } from '../ports/rows/processes.ts'
import type { Store } from '../ports/store.ts'
import { createAgreedDates, isNear, WITNESS_TOLERANCE_MS } from './agreed-dates.ts'
import { type ClockState, type ClockStatus, describeClock, span } from './describe-clock.ts'
import { createProvenTime } from './proven-time.ts'

export type ClockWatch = ReturnType<typeof createClockWatch>

export interface ClockWatchDeps {
  /** The mode of the service whose answers are used, and of the sales that use this clock. */
  mode: Mode
  system: SystemClock
  store: Store
  stored: ClockMarks
  /** When the program was built; null when unknown. */
  builtAt: EpochMs | null
  onChange: (state: ClockState) => void
  report: (problem: string, error?: unknown) => void
}

const JUMP_MS = HOUR_MS

/** The time in an answer is cut to the second, and the answer may take up to four seconds. */
const WORD_AGE_MS = 5000

/** The system's clock at one moment. */
interface Sight {
  status: ClockStatus
  /** The time it would have shown when `elapsed` was zero. */
  origin: number
  elapsed: number
}

/** A source that confirms the time. */
interface Witness {
  origin: number
  /** Its last statement; it may be some minutes ahead of `origin`. */
  said: number
  /** True for a time server or a signed answer. An unsigned answer never moves the time. */
  isSigned: boolean
}

/**
 * Watches a clock that may be wrong, such as the clock of a machine without a battery. Clocks are compared by the time
 * each would have shown when `elapsed` was zero (their origin), which stays constant until a clock is changed.
 */
export function createClockWatch(deps: ClockWatchDeps) {
  const { mode, system, store, stored, builtAt, onChange, report } = deps
  const proven = createProvenTime(system.elapsed, stored)
  const dates = createAgreedDates()
  const origin = (at: EpochMs) => at - system.elapsed()
  const started = origin(system.now())
  let newest = origin(Math.max(stored.newestAt, builtAt ?? 0))
  let witness: Witness | null = null
  let synchronised: boolean | null = null
  let askedAbout = started
  /** The authority's last statement in this run, and whether the exact time was known at some moment in this run. */
  let authority: number | null = null
  let knownExactly = false
  /** What `keyTime` was when `elapsed` was zero, and whether it was told to the keys. */
  let keyOrigin: number | null = null
  let areKeysDated = false
  let databaseIsWrong = false
  /** A statement of the authority that contradicts the clock. */
  let pending: Pick<Witness, 'said' | 'isSigned'> | null = null
  let heardAt: number | null = null
  /** The time server's time is not credible. */
  let doubted = false
  const ask = sharedRun(askNow)
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

  /** Every use of the clock calls this first, so that no decision uses a time that was just changed. */
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

  /** No row can be stored later than the time of a correct clock, so the clock was wrong when it was stored. */
  function lowerNewest(to: number): void {
    if (newest - to > MINUTE_MS) {
      report(`the newest moment on record is ${span(newest - to).en} ahead of the time: it was stored by a wrong clock`)
    }
    newest = Math.min(newest, to)
  }

  async function askNow(): Promise<void> {
    const asked = origin(system.now())
    askedAbout = asked
    synchronised = await system.synchronised()
    if (synchronised && isCredible(asked)) {
      witness = { origin: asked, said: asked, isSigned: true }
      knownExactly = true
      lowerNewest(asked)
      proven.learn(asked + system.elapsed(), true)
      keyOrigin ??= asked
    }
    look()
  }

  /**
   * Time servers are not authenticated, and a wrong one must not expire a sale within a minute. Once the time was known
   * in this run, the steady clock limits how late it can be. A larger leap needs a confirmation by the authority.
   */
  function isCredible(asked: number): boolean {
    const leap = asked + system.elapsed() - proven.now()
    const confirmed = authority !== null && Math.abs(asked - authority) <= WITNESS_TOLERANCE_MS
    const credible = !knownExactly || leap <= WITNESS_TOLERANCE_MS || confirmed
    if (!credible && !doubted)
      report(`the clock was set ahead by ${span(leap).en}: the tax authority will say if it is right`)
    doubted = !credible
    return credible
  }

  /**
   * Decides what a statement does to the witness. A statement that agrees with the current time confirms it. So does a
   * statement that agrees with a clock that only its own past contradicts. An unsigned statement confirms that time,
   * but its own time is not used. To change the time, two statements must agree, and at least one of them must be
   * signed.
   * @returns undefined when it confirms nothing
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
      dates.settle(moved)
      return { origin: moved, said: moved, isSigned: true }
    }
    // Headers that contradict each other confirm nothing.
    if ((isSigned || agrees) && !witness?.isSigned) witness = null
    if (isSigned || !before?.isSigned) pending = { said, isSigned }
    return undefined
  }

  /** Once, or where processes share the database, again and again: it goes on by a clock of its own. */
  async function proveToKeys(): Promise<void> {
    if (areKeysDated) return
    const at = store.isShared && knownExactly ? proven.now() : keyTime()
    if (at === null) return
    const isRight = await store.idempotency.prove(at, mode)
    if (!isRight && !databaseIsWrong)
      report('the clock of the database is wrong: until it is set, no idempotency key is ever forgotten')
    databaseIsWrong = !isRight
    areKeysDated = !store.isShared
  }

  const latestBy = (said: number, { elapsed }: Sight) => Math.floor(said + elapsed) + WORD_AGE_MS
  const keyTime = () => (keyOrigin === null ? null : Math.floor(keyOrigin + system.elapsed()))

  return {
    now: () => bestGuess(look()),
    present(): Present {
      const sight = look()
      const now = bestGuess(sight)
      // A clock may be ahead for days before that is noticed. Before the first proof, its time is all that is known.
      const earliest = Math.min(now, provenAt() ?? (sight.status === 'ok' ? now : 0))
      if (sight.status !== 'ok') {
        const agreed = dates.against(sight.origin)
        return { now, earliest, latest: agreed === null ? Number.POSITIVE_INFINITY : latestBy(agreed, sight) }
      }
      // A clock without a time server may be some minutes slow.
      if (synchronised || witness === null) return { now, earliest, latest: now }
      return { now, earliest, latest: Math.max(now, latestBy(witness.said, sight)) }
    },
    proven() {
      look()
      return proven.now()
    },
    keyTime,
    state: () => stateOf(look()),
    /** Asks whether the system's clock is synchronised. Call it at the start and from time to time; a jump calls it. */
    ask,
    /** Takes the time from an answer of the tax authority. It only counts while no time server is followed. */
    async heard({ at, isSigned, connection }: TimeWord): Promise<void> {
      heardAt = system.elapsed()
      // No answer is older than this program.
      if (at < (builtAt ?? 0) - WITNESS_TOLERANCE_MS) return
      const said = origin(at)
      authority = said
      if (doubted) await ask()
      if (synchronised && !doubted) return
      dates.note({ said, connection, elapsed: heardAt }, origin(system.now()))
      const vouched = weigh(said, isSigned)
      if (!vouched) return void look()
      witness = vouched
      const [shown, told] = [system.now(), vouched.said + system.elapsed()]
      const agrees = isNear(shown, told)
      if (agrees || vouched.isSigned) lowerNewest(origin(agrees ? Math.max(shown, told) : told))
      look()
      if (agrees) knownExactly = true
      if (agrees || vouched.isSigned) keyOrigin ??= origin(agrees ? Math.min(told, shown) : told)
      // When two clocks differ, use the earlier one: if the other one is wrong, no sale expires because of it.
      const isProven = agrees && vouched.isSigned
      proven.learn(isProven ? told : Math.min(told, agrees ? shown : Math.max(shown, proven.now())), agrees)
    },
    /** Whether a source has confirmed the time in this run. */
    isWitnessed: () => witness !== null,
    /** Whether an answer has contradicted the clock; a signed answer would decide. */
    isContradicted: () => pending !== null,
    /** No source confirms the clock, and the authority's last answer is an hour old or contradicts it. */
    wantsWord(): boolean {
      if (synchronised && !doubted) return false
      return pending !== null || heardAt === null || system.elapsed() - heardAt >= HOUR_MS
    },
    /** Stores the time for the next start, and tells idempotency keys a proven one. Call it about once a minute. */
    async beat(): Promise<void> {
      const { status, origin: shown } = look()
      if (status === 'ok' || status === 'unsynchronised') newest = Math.max(newest, shown)
      await store.moments.save(mode, { newestAt: newest + system.elapsed(), ...proven.moments() })
      await proveToKeys()
    },
  }
}
