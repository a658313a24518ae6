import { offersToSend } from '../../domain/alert.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import type { Alert } from '../ports/alerts.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { ServiceReach, TaxAuthority } from '../ports/tax-authority.ts'

/**
 * Whether the answers of the tax authority's services can be believed at the moment, as far as this process has heard:
 * of several processes on a PostgreSQL database each has its own. Only the alerts follow it, which one process at a time
 * looks after; whatever else tells whether parked sales may be sent reads these alerts (`parkedOf`), also after a start.
 * Should that process believe what another one could not, a sweep ends after two sales.
 */
export interface AnswerTrust {
  /** The same authority, and what comes back from it is noted. */
  watching<A extends TaxAuthority & ServiceReach>(authority: A): A
  /** By the latest answer that was proven, or that brought a JIR which was not; undefined before either came. */
  isBelieved(mode: Mode): boolean | undefined
  /** How the latest answer was signed that was believed; undefined before one came. */
  lastSignature(mode: Mode): AnswerSignature | undefined
}

/** @param onBelieved told when the answers of a mode are believed from now on */
export function createAnswerTrust(onBelieved: (mode: Mode) => void): AnswerTrust {
  const latest = new Map<Mode, boolean>()
  const signatures = new Map<Mode, AnswerSignature>()
  function believe(mode: Mode, signature: AnswerSignature): void {
    signatures.set(mode, signature)
    const before = latest.get(mode)
    latest.set(mode, true)
    if (before !== true) onBelieved(mode)
  }
  return {
    watching: (authority) => ({
      ...authority,
      async submit(message) {
        const exchange = await authority.submit(message)
        const { outcome, signature } = exchange
        if (signature !== null) believe(message.mode, signature)
        else if (outcome.kind === 'failed' && outcome.code === UNPROVEN_JIR) latest.set(message.mode, false)
        return exchange
      },
      async reach(mode) {
        const way = await authority.reach(mode)
        if (way.signature !== null) believe(mode, way.signature)
        return way
      },
    }),
    isBelieved: (mode) => latest.get(mode),
    lastSignature: (mode) => signatures.get(mode),
  }
}

/**
 * Asks a service for a signed answer where sales are parked because a JIR could not be believed and no answer has been
 * believed since: nobody may be buying. To be called every minute.
 */
export function createAnswerTrustCheck(
  store: Pick<StoreTransaction, 'invoices'>,
  authority: ServiceReach,
  beliefs: Pick<AnswerTrust, 'isBelieved'>,
): () => Promise<void> {
  return async () => {
    const parked = await store.invoices.failedWith(UNPROVEN_JIR)
    const modes = MODES.filter((mode) => parked.some((one) => one.mode === mode) && !beliefs.isBelieved(mode))
    await Promise.all(modes.map((mode) => authority.reach(mode)))
  }
}

/** Whether the alerts that go on say that the parked sales of a tenant in a mode may be sent. */
export function maySend(open: readonly Alert[], { tenantId, mode }: { tenantId: string; mode: Mode }): boolean {
  return open.some((alert) => alert.tenantId === tenantId && alert.detail.mode === mode && offersToSend(alert))
}

/** Sales that wait for somebody to send them because a JIR could not be believed. */
export interface Parked {
  /** Where some may be sent, only those: of the modes whose answers are believed again. */
  count: number
  /** Answers are believed again, in one of the modes at least: sending them all is the thing to do. */
  maySend: boolean
}

/** Of our own sales of a tenant, which are those that one command or click puts back. @param of both modes without one */
export async function parkedOf(
  store: Pick<StoreTransaction, 'alerts' | 'invoices'>,
  of: { tenantId: string; mode?: Mode | null },
): Promise<Parked> {
  const parked = (await store.invoices.failedWith(UNPROVEN_JIR)).filter(
    ({ tenantId, mode }) => tenantId === of.tenantId && mode === (of.mode ?? mode),
  )
  const open = parked.length === 0 ? [] : await store.alerts.open(of.tenantId)
  const sendable = parked.filter((one) => maySend(open, one))
  const counted = sendable.length > 0 ? sendable : parked
  return { count: counted.reduce((sum, { count }) => sum + count, 0), maySend: sendable.length > 0 }
}
