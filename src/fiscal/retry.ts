import { conflict, notFound } from '../domain/errors.ts'
import type { KeyedLock } from './keyed-lock.ts'
import type { Company, Invoice } from './model.ts'
import type { Clock } from './ports.ts'
import { type Principal, requireScope } from './principal.ts'
import type { Store } from './store-port.ts'
import { ATTEMPTS_IN_A_REQUEST, type Submitter } from './submit.ts'

export interface RetryDeps {
  store: Store
  submitter: Submitter
  invoiceLock: KeyedLock
  clock: Clock
}

export interface Retry {
  /**
   * Sends an invoice again at once because somebody asks for it.
   * @throws FiskError 404 for an unknown invoice, 409 for a `confirmed` or `expired` one
   */
  retry(principal: Principal, invoiceId: string): Promise<Invoice>
  /** One pass over `retrying`, the most endangered first, one after another. @returns how many were confirmed. */
  sweep(signal: AbortSignal): Promise<{ sent: number; confirmed: number }>
}

export function createRetry({ store, submitter, invoiceLock, clock }: RetryDeps): Retry {
  /** @returns undefined when the invoice is not, or no longer, waiting for a message. */
  function resend(invoiceId: string, attempts: number): Promise<Invoice | undefined> {
    return invoiceLock.run(invoiceId, async () => {
      const invoice = await store.invoices.get(invoiceId)
      if (invoice?.status !== 'retrying' && invoice?.status !== 'failed') return undefined
      if (clock.now() > invoice.deadlineAt) return undefined
      return submitter.resend(invoice, await companyOf(store, invoice), { attempts })
    })
  }

  return {
    async retry(principal, invoiceId) {
      requireScope(principal, 'invoices:write')
      await findInvoice(store, principal, invoiceId)
      const sent = await resend(invoiceId, ATTEMPTS_IN_A_REQUEST)
      if (sent) return sent
      throw conflict('id', 'the invoice is confirmed or expired: only a retrying or failed one can be sent again')
    },

    async sweep(signal) {
      const result = { sent: 0, confirmed: 0 }
      let last: { deadlineAt: number; id: string } | undefined
      while (!signal.aborted) {
        const [invoice] = await store.invoices.byDeadline('retrying', 1, last)
        if (!invoice) break
        last = { deadlineAt: invoice.deadlineAt, id: invoice.id }
        const sent = await resend(invoice.id, 1)
        if (sent) result.sent++
        if (sent?.status === 'confirmed') result.confirmed++
      }
      return result
    },
  }
}

/**
 * An invoice of the principal's tenant and mode, and of its device if it is bound to one.
 * @throws FiskError 404 for any other id
 */
export async function findInvoice(store: Store, principal: Principal, invoiceId: string): Promise<Invoice> {
  const invoice = await store.invoices.get(invoiceId)
  const reachable =
    invoice?.tenantId === principal.tenantId &&
    (principal.mode === null || principal.mode === invoice.mode) &&
    (principal.deviceId === null || principal.deviceId === invoice.deviceId)
  if (!invoice || !reachable) throw notFound('id', 'there is no such invoice')
  return invoice
}

async function companyOf(store: Store, invoice: Invoice): Promise<Company> {
  const company = await store.companies.get(invoice.companyId)
  if (!company) throw new Error(`company ${invoice.companyId} is missing`)
  return company
}
