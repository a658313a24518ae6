import type { Logger } from 'pino'
import type { Mode } from '../../domain/sale/sale.ts'
import { sharedRun } from '../../domain/shared-run.ts'
import { type ClockWatch, createClockWatch } from '../../fiscal/clock/clock-watch.ts'
import type { ClockState, ClockStatus } from '../../fiscal/clock/describe-clock.ts'
import { createWriteTime } from '../../fiscal/clock/timed-write.ts'
import type { SystemClock } from '../../fiscal/ports/clock.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { modesInUse } from '../../fiscal/registry/modes-in-use.ts'
import { BUILT_AT } from '../version.ts'

const INTERVAL_MS = 60_000

/** For this long after a start no time source has answered yet: an unsynchronised clock is not logged. */
const ASKING_MS = 30_000

export type RunningClock = Awaited<ReturnType<typeof startClock>>

/**
 * Resolves after the first check, also on a disk that takes no writes.
 * @returns the clock as each mode goes by it. What belongs to no mode goes by the one that has been confirmed, the live
 * mode's first; `proven` and `keyTime` are what both agree to, and `state` the worse of the two, if they are in use.
 */
export async function startClock(system: SystemClock, store: Store, log: Logger, deploymentMode: Mode) {
  const startedAt = system.elapsed()
  const writeTime = createWriteTime(system.elapsed)
  const shared = { ...system, synchronised: sharedRun(system.synchronised) }
  const watch = async (mode: Mode): Promise<ClockWatch> =>
    createClockWatch({
      mode,
      system: shared,
      store,
      stored: await store.moments.load(mode),
      builtAt: BUILT_AT,
      onChange: tell,
      report: (problem, error) => log.warn(error === undefined ? { mode } : { mode, err: error }, problem),
    })
  let clocks: Record<Mode, ClockWatch> | undefined
  let told = 'ok'

  function tell(): void {
    if (!clocks) return
    const { status, synchronised, offsetMs, detail } = state()
    if (status === told || (status === 'unsynchronised' && system.elapsed() - startedAt < ASKING_MS)) return
    told = status
    if (status === 'ok') log.info({ synchronised, offsetMs }, 'the clock is right again')
    else log.warn({ status, synchronised, offsetMs }, `${detail?.en}: sales go on, and none is refused because of it`)
  }

  const { live, test } = { live: await watch('live'), test: await watch('test') }
  const current = () => (test.isWitnessed() && !live.isWitnessed() ? test : live)
  clocks = { live, test }
  const of = (mode: Mode) => (mode === 'live' ? live : test)
  let inUse: Mode[] = [deploymentMode]

  function state(): ClockState {
    const [first = current().state(), ...others] = inUse.map((mode) => of(mode).state())
    return others.reduce((worst, one) => (isWorse(one, worst) ? one : worst), first)
  }

  async function beat(): Promise<void> {
    await writeTime.time(live.beat)
    await writeTime.time(test.beat)
  }

  /** What happens each minute: asks, and stores how late it is. @throws when it cannot be stored */
  async function check(): Promise<void> {
    inUse = await modesInUse(store, deploymentMode)
    await Promise.all([live.ask(), test.ask()])
    tell()
    await beat()
  }

  const checkSafely = () =>
    check().catch((error: unknown) => log.error({ err: error }, 'how late it is could not be stored'))
  let checking = checkSafely()
  await checking
  const timer = setInterval(() => {
    checking = checkSafely()
  }, INTERVAL_MS)
  return {
    of,
    now: () => current().now(),
    present: () => current().present(),
    proven: () => Math.min(...inUse.map((mode) => of(mode).proven())),
    keyTime() {
      const known = inUse.flatMap((mode) => of(mode).keyTime() ?? [])
      return known.length < inUse.length ? null : Math.min(...known)
    },
    state,
    /** For how long nobody has told the time since the start; zero when it is known. */
    unknownForMs: () => ([live, test].some((watch) => watch.keyTime() !== null) ? 0 : system.elapsed() - startedAt),
    beat,
    check,
    /** How long the latest of these writes took to be on the disk, milliseconds; null before the first. */
    writeMs: writeTime.latestMs,
    /** Looks no further, and stores a last time how late it is. */
    async close() {
      clearInterval(timer)
      await checking
      await beat().catch(() => undefined)
    },
  }
}

/** From the worst on. */
const STATUSES: readonly ClockStatus[] = ['off', 'jumped', 'behind', 'unsynchronised', 'ok']

const isWorse = (one: ClockState, other: ClockState) => STATUSES.indexOf(one.status) < STATUSES.indexOf(other.status)
