import { FiskError } from '../../domain/errors.ts'
import type { KeyedLock } from '../../domain/keyed-lock.ts'
import type { SigningIdentity } from '../ports/certificates.ts'
import type { ModeClocks } from '../ports/clock.ts'
import type { Invoice } from '../ports/model.ts'
import type { Store } from '../ports/store.ts'
import type { SigningIdentities } from '../registry/signing-identities.ts'
import { takeOverInterrupted } from './recover-pending.ts'

export interface UnsentInvoicesDeps {
  store: Pick<Store, 'companies' | 'transaction'>
  identities: SigningIdentities
  /** Shared by all that send: one invoice is submitted once at a time. */
  invoiceLock: KeyedLock
  clock: ModeClocks
}

/** Invoices that wait for a message, and what to sign it with. */
export interface UnsentInvoices {
  /** @returns undefined when the invoice is not waiting for a message, or may get no JIR any more. */
  withUnsentInvoice<T>(invoiceId: string, send: (invoice: Invoice) => Promise<T>): Promise<T | undefined>
  /** What the company of an invoice signs with now, or why it cannot. */
  identityOf(invoice: Invoice): Promise<SigningIdentity | FiskError>
}

export function createUnsentInvoices({ store, identities, invoiceLock, clock }: UnsentInvoicesDeps): UnsentInvoices {
  return {
    withUnsentInvoice: (invoiceId, send) =>
      invoiceLock.run(invoiceId, async () => {
        // Under the lock a `pending` invoice is one whose sending was cut off.
        const invoice = await takeOverInterrupted(store, invoiceId)
        if (invoice.status !== 'retrying' && invoice.status !== 'failed') return undefined
        if (clock.of(invoice.mode).proven() > invoice.deadlineAt) return undefined
        return send(invoice)
      }),
    async identityOf(invoice) {
      const company = await store.companies.get(invoice.companyId)
      if (!company) throw new Error(`company ${invoice.companyId} is missing`)
      return identities.current(company, clock.of(company.mode).present(), 'id').catch((refusal: unknown) => {
        if (refusal instanceof FiskError) return refusal
        throw refusal
      })
    },
  }
}
