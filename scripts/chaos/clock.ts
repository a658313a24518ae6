import { buildClock, setAhead } from '../soak/shared-clock.ts'
import type { Chance } from './chance.ts'
import { type Disturbance, disturbance } from './disturbance.ts'
import type { Scratch } from './scratch.ts'
import { pause } from './wait.ts'

const HOUR_MS = 3_600_000

export interface MovedClock extends Disturbance {
  /** What the daemon is to be started with. */
  env: Record<string, string>
}

/**
 * The daemon's wall clock, moved by up to two days back and three ahead while it runs and between its lives, and right
 * again at the end. The monotonic clock stays as it is, as on a real machine whose time is set.
 * @throws UsageError when the clock cannot be built or does nothing
 */
export function openClock(chance: Chance, scratch: Scratch): MovedClock {
  const env = buildClock(scratch.dir)
  const { begin, finish } = disturbance(async () => {
    await pause(chance.between(500, 4000))
    setAhead(env, chance.between(-48, 72) * HOUR_MS)
  })
  return {
    env,
    begin,
    finish: () => finish().finally(() => setAhead(env, 0)),
  }
}
