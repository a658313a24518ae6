import { UNPROVEN_JIR } from '../domain/invoice.ts'
import { MODES, type Mode } from '../domain/sale.ts'
import type { ServiceReach, TaxAuthority } from './ports.ts'
import type { Store } from './store-port.ts'

/** Whether the answers of the tax authority's services can be believed at the moment. */
export interface Beliefs {
  /** The same authority, and what comes back from it is noted. */
  watching<A extends TaxAuthority & ServiceReach>(authority: A): A
  /** By the latest answer that was proven, or that brought a JIR which was not; undefined before either came. */
  isBelieved(mode: Mode): boolean | undefined
}

/** @param onChange told when the answers of a mode are believed from now on, or no longer */
export function createBeliefs(onChange: (mode: Mode) => void): Beliefs {
  const latest = new Map<Mode, boolean>()
  function note(mode: Mode, isBelieved: boolean): void {
    const before = latest.get(mode)
    latest.set(mode, isBelieved)
    if (before !== isBelieved) onChange(mode)
  }
  return {
    watching: (authority) => ({
      ...authority,
      async submit(message) {
        const exchange = await authority.submit(message)
        const { outcome, signature } = exchange
        if (signature !== null) note(message.mode, true)
        else if (outcome.kind === 'failed' && outcome.code === UNPROVEN_JIR) note(message.mode, false)
        return exchange
      },
      async reach(mode) {
        const way = await authority.reach(mode)
        if (way.signature !== null) note(mode, true)
        return way
      },
    }),
    isBelieved: (mode) => latest.get(mode),
  }
}

/**
 * Asks a service for a signed answer where sales are parked because a JIR could not be believed and no answer has been
 * believed since: nobody may be buying. To be called every minute.
 */
export function createBeliefCheck(
  store: Store,
  authority: ServiceReach,
  beliefs: Pick<Beliefs, 'isBelieved'>,
): () => Promise<void> {
  return async () => {
    const parked = await store.invoices.failedWith(UNPROVEN_JIR)
    const modes = MODES.filter((mode) => parked.some((one) => one.mode === mode) && !beliefs.isBelieved(mode))
    await Promise.all(modes.map((mode) => authority.reach(mode)))
  }
}

/** Sales that wait for somebody to send them because a JIR could not be believed. */
export interface Parked {
  count: number
  /** Answers are believed again: sending them all is the thing to do. */
  maySend: boolean
}

export async function parkedOf(
  { store, beliefs }: { store: Store; beliefs: Pick<Beliefs, 'isBelieved'> },
  of: { tenantId?: string; mode?: Mode | null } = {},
): Promise<Parked> {
  const parked = (await store.invoices.failedWith(UNPROVEN_JIR)).filter(
    ({ tenantId, mode }) => (of.tenantId ?? tenantId) === tenantId && (of.mode ?? mode) === mode,
  )
  return {
    count: parked.reduce((sum, { count }) => sum + count, 0),
    maySend: parked.length > 0 && parked.every(({ mode }) => beliefs.isBelieved(mode) === true),
  }
}
