import type { Mode } from '../domain/sale.ts'
import type { ClockWatch } from './clock-watch.ts'
import { modesInUse } from './modes-in-use.ts'
import type { TaxAuthority } from './ports.ts'
import type { Store } from './store-port.ts'

export interface TimeWordsDeps {
  store: Store
  authority: Pick<TaxAuthority, 'echo'>
  clock: { of(mode: Mode): Pick<ClockWatch, 'wantsWord'> }
  deploymentMode: Mode
}

/** Two answers must agree before a clock is moved. */
const ECHOES = 2

/**
 * Asks the tax authority for an echo where nobody vouches for the clock and it has not answered for an hour: whatever it
 * answers says what time it is there. To be called at the start and every minute.
 */
export function createTimeWords({ store, authority, clock, deploymentMode }: TimeWordsDeps): () => Promise<void> {
  async function ask(mode: Mode): Promise<void> {
    for (let left = ECHOES; left > 0 && clock.of(mode).wantsWord(); left--) {
      if (!(await authority.echo(mode)).reachable) return
    }
  }
  return async () => {
    await Promise.all((await modesInUse(store, deploymentMode)).map(ask))
  }
}
