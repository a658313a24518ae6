import { conflict, FiskError } from '../../domain/errors.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { Invoice } from '../ports/model.ts'
import { requireOurs } from '../registry/owned-by-gateway.ts'
import { type Keep, KeyUsedMeanwhile } from './idempotency.ts'
import { findInvoice } from './read-invoices.ts'
import { ATTEMPTS_IN_A_REQUEST, nothingAlong, type Submitter } from './submit.ts'
import type { UnsentInvoices } from './unsent-invoices.ts'

export interface RetryDeps extends Context {
  submitter: Submitter
  waiting: UnsentInvoices
}

/**
 * Sends an invoice again at once, and logs the principal in the audit log; `keep` joins the outcome's transaction.
 * @throws FiskError 404 for an unknown invoice, 409 for a `confirmed` or `expired` one
 */
export type Retry = (principal: Principal, invoiceId: string, keep?: Keep<Invoice>) => Promise<Invoice>

export function createRetry({ store, submitter, waiting, clock }: RetryDeps): Retry {
  async function send(principal: Principal, invoice: Invoice, keep?: Keep<Invoice>): Promise<Invoice> {
    const identity = await waiting.identityOf(invoice)
    const onOutcome: Keep<Invoice> = async (tx, decided) => {
      await audit(tx, principal, clock.now(), 'invoice.retried', { id: decided.id, status: decided.status })
      // What was sent and answered is stored, also when another process has answered the same request meanwhile.
      await keep?.(tx, decided).catch((error: unknown) => {
        if (!(error instanceof KeyUsedMeanwhile)) throw error
      })
    }
    const options = { attempts: ATTEMPTS_IN_A_REQUEST, along: nothingAlong, onOutcome }
    if (identity instanceof FiskError) return submitter.leaveUnsent(invoice, identity, options)
    return (await submitter.resend(invoice, identity, options)).invoice
  }

  return async (principal, invoiceId, keep) => {
    requireScope(principal, 'invoices:write')
    requireOurs('invoice', await findInvoice(store, principal, invoiceId), 'id')
    const sent = await waiting.withUnsentInvoice(invoiceId, (invoice) => send(principal, invoice, keep))
    if (sent) return sent
    throw sentOrExpired()
  }
}

/** @throws FiskError 409 for a `confirmed` or `expired` invoice */
export function requireUnsent({ status }: Pick<Invoice, 'status'>): void {
  if (status === 'confirmed' || status === 'expired') throw sentOrExpired()
}

function sentOrExpired(): FiskError {
  const message = 'the invoice is confirmed or expired: only a retrying or failed one can be sent again'
  return conflict('id', message, 'invoice_not_sendable')
}
