import { conflict, FiskError } from '../domain/errors.ts'
import type { Keep } from './idempotent.ts'
import { findInvoice } from './invoices.ts'
import type { KeyedLock } from './keyed-lock.ts'
import type { Company, Invoice } from './model.ts'
import type { Clock, SigningIdentity } from './ports.ts'
import { type Principal, requireScope } from './principal.ts'
import { takeOverInterrupted } from './recover.ts'
import type { SigningIdentities } from './signing-identities.ts'
import type { Store } from './store-port.ts'
import { ATTEMPTS_IN_A_REQUEST, type ReportFault, type Submitter } from './submit.ts'

export interface RetryDeps {
  store: Store
  submitter: Submitter
  identities: SigningIdentities
  invoiceLock: KeyedLock
  clock: Clock
  reportFault: ReportFault
}

export interface Retry {
  /**
   * Sends an invoice again at once because somebody asks for it.
   * @param keep joins the transaction of the outcome
   * @throws FiskError 404 for an unknown invoice, 409 for a `confirmed` or `expired` one
   */
  retry(principal: Principal, invoiceId: string, keep?: Keep<Invoice>): Promise<Invoice>
  /**
   * One pass over what lacks a JIR, the most endangered first, one after another. An invoice that cannot be handled is
   * reported and does not hold up the others; one whose company has no valid certificate now waits for the next pass.
   */
  sweep(signal: AbortSignal): Promise<{ sent: number; confirmed: number }>
}

export function createRetry(deps: RetryDeps): Retry {
  const { store, submitter, identities, invoiceLock, clock, reportFault } = deps

  /** @returns undefined when the invoice is not waiting for a message, or may get no JIR any more. */
  function whileWaiting(invoiceId: string, send: (invoice: Invoice) => Promise<Invoice | undefined>) {
    return invoiceLock.run(invoiceId, async () => {
      // Under the lock a `pending` invoice is one whose sending was cut off.
      const invoice = await takeOverInterrupted(store, invoiceId)
      if (invoice.status !== 'retrying' && invoice.status !== 'failed') return undefined
      if (clock.now() > invoice.deadlineAt) return undefined
      return send(invoice)
    })
  }

  /** What the company of an invoice signs with now, or why it cannot. */
  async function identityOf(invoice: Invoice): Promise<SigningIdentity | FiskError> {
    const company = await companyOf(store, invoice)
    return identities.current(company, clock.now(), 'id').catch((refusal: unknown) => {
      if (refusal instanceof FiskError) return refusal
      throw refusal
    })
  }

  async function sweepOne(invoice: Invoice): Promise<Invoice | undefined> {
    const identity = await identityOf(invoice)
    return identity instanceof FiskError ? undefined : submitter.resend(invoice, identity, { attempts: 1 })
  }

  async function retryOne(invoice: Invoice, keep?: Keep<Invoice>): Promise<Invoice> {
    const identity = await identityOf(invoice)
    const options = { attempts: ATTEMPTS_IN_A_REQUEST, ...(keep && { onOutcome: keep }) }
    if (identity instanceof FiskError) return submitter.leaveUnsent(invoice, identity, options)
    return submitter.resend(invoice, identity, options)
  }

  return {
    async retry(principal, invoiceId, keep) {
      requireScope(principal, 'invoices:write')
      await findInvoice(store, principal, invoiceId)
      const sent = await whileWaiting(invoiceId, (invoice) => retryOne(invoice, keep))
      if (sent) return sent
      throw conflict('id', 'the invoice is confirmed or expired: only a retrying or failed one can be sent again')
    },

    async sweep(signal) {
      const result = { sent: 0, confirmed: 0 }
      for (const status of ['pending', 'retrying'] as const) {
        let last: { deadlineAt: number; id: string } | undefined
        while (!signal.aborted) {
          const [invoice] = await store.invoices.byDeadline(status, 1, last)
          if (!invoice) break
          last = { deadlineAt: invoice.deadlineAt, id: invoice.id }
          if (invoiceLock.isHeld(invoice.id)) continue
          const sent = await whileWaiting(invoice.id, sweepOne).catch((error: unknown) => {
            reportFault({ invoiceId: invoice.id, error })
            return undefined
          })
          if (sent) result.sent++
          if (sent?.status === 'confirmed') result.confirmed++
        }
      }
      return result
    },
  }
}

async function companyOf(store: Store, invoice: Invoice): Promise<Company> {
  const company = await store.companies.get(invoice.companyId)
  if (!company) throw new Error(`company ${invoice.companyId} is missing`)
  return company
}
