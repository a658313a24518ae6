import { conflict, notFound } from '../../domain/errors.ts'
import { audit } from '../access/audit-log.ts'
import { requireAllCompanies } from '../access/company-limit.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Clock } from '../ports/clock.ts'
import { ACCEPTED, OUT_OF_REACH } from '../ports/enrolment.ts'
import type { GatewayRecord } from '../ports/gateways.ts'
import type { Store } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import { findGateway } from './gateways.ts'

/** An operator's decision about an invoice that was refused because of its number. */
export interface AcceptedInvoice {
  gateway: Pick<GatewayRecord, 'id' | 'name'>
  invoiceId: string
  /** Whether counting continues from its number. */
  follow: boolean
}

/**
 * Accepts an invoice whose number is out of reach. It is stored when its gateway sends it again: within a day, or at
 * once with `fisk sync now` there. A later call replaces the decision.
 * @param ref name or id of the gateway
 * @param follow true to continue numbering above it; else the counting stays where it is
 * @throws FiskError 404 when no such invoice of the gateway was refused, 409 when it was refused for another reason
 */
export async function acceptInvoice(
  { store, clock }: { store: Pick<Store, 'transaction'>; clock: Clock },
  principal: Principal,
  ref: string,
  { invoiceId, follow }: { invoiceId: string; follow: boolean },
  keep?: Keep<AcceptedInvoice>,
): Promise<AcceptedInvoice> {
  requireScope(principal, 'fleet:write')
  requireAllCompanies(principal)
  return store.transaction(async (tx) => {
    const gateway = await findGateway(tx, principal, ref)
    const [refusal] = await tx.gateways.refusals.ofInvoices(gateway.id, [invoiceId])
    if (!refusal) {
      throw notFound(
        'invoice',
        `${gateway.name} told of no invoice ${invoiceId} that was refused: see fisk gateway show`,
      )
    }
    if (![OUT_OF_REACH, ACCEPTED.aside, ACCEPTED.counted].includes(refusal.code)) {
      throw conflict('invoice', `it was refused for something else than its number: ${refusal.message}`)
    }
    const now = clock.now()
    const message = `an operator has accepted it: it is stored when the gateway tells of it again${follow ? ', and counting follows it' : ''}`
    const code = ACCEPTED[follow ? 'counted' : 'aside']
    await tx.gateways.refusals.put(gateway.id, [{ ...refusal, code, message, refusedAt: now }])
    const { id, name } = gateway
    await audit(tx, principal, now, 'gateway.invoice_accepted', { id, name, invoice_id: invoiceId, follow })
    const accepted = { gateway: { id, name }, invoiceId, follow }
    await keep?.(tx, accepted)
    return accepted
  })
}
