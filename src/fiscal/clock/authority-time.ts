import { setTimeout } from 'node:timers/promises'
import type { Mode } from '../../domain/sale/sale.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { ServiceReach, TaxAuthority } from '../ports/tax-authority.ts'
import { modesInUse } from '../registry/modes-in-use.ts'
import type { ClockWatch } from './clock-watch.ts'

export interface AuthorityTimeDeps {
  store: StoreTransaction
  authority: Pick<TaxAuthority, 'echo'> & ServiceReach
  clock: { of(mode: Mode): Pick<ClockWatch, 'wantsWord' | 'isContradicted'> }
  /** A monotonic clock in milliseconds; changes of the system clock do not move it. */
  elapsed: () => number
  deploymentMode: Mode
  /** By default it waits. */
  pause?: (ms: number) => Promise<unknown>
}

const EVERY_MS = 3_600_000
/** A connection that is not used is closed before. */
const UNUSED_MS = 2500

/**
 * Asks the tax authority for an echo when no other source confirms the clock and the authority has not answered for an
 * hour: every answer contains the service's time. An echo is not signed, so when it contradicts the clock, a signed
 * answer is requested, and where none comes a second echo over another connection (`createAgreedDates`). Call it at the
 * start and every minute; without an answer, the next call asks again.
 */
export function createAuthorityTime(deps: AuthorityTimeDeps): () => Promise<void> {
  const { store, authority, clock, elapsed, deploymentMode, pause = setTimeout } = deps
  const notBefore = new Map<Mode, number>()
  async function ask(mode: Mode): Promise<void> {
    const watch = clock.of(mode)
    if (!watch.wantsWord() || elapsed() < (notBefore.get(mode) ?? 0)) return
    if (!(await authority.echo(mode)).reachable) return
    notBefore.set(mode, elapsed() + EVERY_MS)
    if (!watch.isContradicted()) return
    const { signature } = await authority.reach(mode)
    if (signature !== null || !watch.isContradicted()) return
    await pause(UNUSED_MS)
    await authority.echo(mode)
  }
  return async () => {
    await Promise.all((await modesInUse(store, deploymentMode)).map(ask))
  }
}
