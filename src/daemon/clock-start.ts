import type { Logger } from 'pino'
import { type ClockWatch, createClockWatch } from '../fiscal/clock-watch.ts'
import type { SystemClock } from '../fiscal/ports.ts'
import type { Store } from '../fiscal/store-port.ts'
import { BUILT_AT } from './version.ts'

export interface RunningClock extends ClockWatch {
  /** What happens each minute: asks, and stores how late it is. @throws when it cannot be stored */
  check(): Promise<void>
  /** Looks no further, and stores a last time how late it is. */
  close(): Promise<void>
}

const INTERVAL_MS = 60_000

/**
 * Watches the system's clock from now on. Resolves when it is known whether it is synchronised, as far as anybody can
 * tell that soon; never fails for a disk that takes no writes.
 */
export async function startClock(system: SystemClock, store: Store, log: Logger): Promise<RunningClock> {
  const watch = createClockWatch({
    system,
    store,
    stored: await store.moments.load(),
    builtAt: BUILT_AT,
    onChange({ status, synchronised, offsetMs, detail }) {
      if (status === 'ok') log.info({ synchronised, offsetMs }, 'the clock is right again')
      else log.warn({ status, synchronised, offsetMs }, `${detail}: sales go on, and none is refused because of it`)
    },
    report: (problem, error) => log.warn(error === undefined ? {} : { err: error }, problem),
  })
  async function check(): Promise<void> {
    await watch.ask()
    await watch.beat()
  }

  const checkSafely = () =>
    check().catch((error: unknown) => log.error({ err: error }, 'how late it is could not be stored'))
  let checking = checkSafely()
  await checking
  const timer = setInterval(() => {
    checking = checkSafely()
  }, INTERVAL_MS)
  return {
    ...watch,
    check,
    async close() {
      clearInterval(timer)
      await checking
      await watch.beat().catch(() => undefined)
    },
  }
}
