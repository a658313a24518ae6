import { offersToSend } from '../../domain/alert.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { MODES, type Mode } from '../../domain/sale/sale.ts'
import { reachesCompany } from '../access/principal.ts'
import type { Alert } from '../ports/alerts.ts'
import type { LookupRealm } from '../ports/invoice-lookups.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { ServiceReach, TaxAuthority } from '../ports/tax-authority.ts'

/**
 * Whether answers of the tax authority's services are trusted now, as seen by this process: on PostgreSQL each has its
 * own state. Only the alerts use it directly, kept by one process at a time; all other code that decides whether parked
 * sales may be sent reads these alerts (`parkedOf`), also after a start. A sweep of a process that does not trust the
 * answers ends after two sales.
 */
export type AnswerTrust = ReturnType<typeof createAnswerTrust>

/** @param onBelieved called when the answers of a mode become trusted */
export function createAnswerTrust(onBelieved: (mode: Mode) => void) {
  const latest = new Map<Mode, boolean>()
  const signatures = new Map<Mode, AnswerSignature>()
  function believe(mode: Mode, signature: AnswerSignature): void {
    signatures.set(mode, signature)
    const before = latest.get(mode)
    latest.set(mode, true)
    if (before !== true) onBelieved(mode)
  }
  return {
    /** Wraps an authority so that its answers are recorded here. */
    watching: <A extends TaxAuthority & ServiceReach>(authority: A): A => ({
      ...authority,
      async submit(message, sent) {
        const exchange = await authority.submit(message, sent)
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
    /** By the latest answer that was proven, or that had a JIR without proof; undefined before the first such answer. */
    isBelieved: (mode: Mode): boolean | undefined => latest.get(mode),
    /** The signature of the latest trusted answer; undefined before the first one. */
    lastSignature: (mode: Mode): AnswerSignature | undefined => signatures.get(mode),
  }
}

/**
 * Asks a service for a signed answer when sales are parked because of an untrusted JIR and no answer has been trusted
 * since. Without new sales there would be no other answer. Call it every minute.
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

/** Whether an open alert says that the tenant's parked sales of a mode may be sent. */
export function maySend(open: readonly Alert[], { tenantId, mode }: { tenantId: string; mode: Mode }): boolean {
  return open.some((alert) => alert.tenantId === tenantId && alert.detail.mode === mode && offersToSend(alert))
}

/** Sales with an untrusted JIR that wait until an operator sends them. */
export interface Parked {
  /** The sales that may be sent, of modes whose answers are trusted again. If none may be sent: all parked sales. */
  count: number
  /** Whether answers are trusted again in at least one of the modes, so that the operator should send the sales. */
  maySend: boolean
}

/** The own sales of a tenant that one command or click puts back into the queue. @param of both modes without one */
export async function parkedOf(
  store: Pick<StoreTransaction, 'alerts' | 'invoices'>,
  of: Pick<LookupRealm, 'tenantId' | 'companyIds'> & { mode?: Mode | null },
): Promise<Parked> {
  const parked = (await store.invoices.failedWith(UNPROVEN_JIR)).filter(
    ({ tenantId, companyId, mode }) =>
      tenantId === of.tenantId && mode === (of.mode ?? mode) && reachesCompany(of, companyId),
  )
  const open = parked.length === 0 ? [] : await store.alerts.open(of.tenantId)
  const sendable = parked.filter((one) => maySend(open, one))
  const counted = sendable.length > 0 ? sendable : parked
  return { count: counted.reduce((sum, { count }) => sum + count, 0), maySend: sendable.length > 0 }
}
