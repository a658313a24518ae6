import { FiskError } from '../../domain/errors.ts'
import type { SigningIdentity } from '../ports/certificates.ts'
import type { ModeClocks } from '../ports/clock.ts'
import type { Invoice } from '../ports/model.ts'
import type { InvoiceLock, Store } from '../ports/store.ts'
import type { SigningIdentities } from '../registry/signing-identities.ts'
import { takeOverInterrupted } from './recover-pending.ts'

export interface UnsentInvoicesDeps {
  store: Store
  identities: Pick<SigningIdentities, 'current'>
  /** Shared by everything that sends: an invoice is never submitted twice at the same time. */
  invoiceLock: Pick<InvoiceLock, 'run'>
  clock: ModeClocks
}

export type UnsentInvoices = ReturnType<typeof createUnsentInvoices>

/** Invoices that wait to be sent, and the identities to sign them with. */
export function createUnsentInvoices({ store, identities, invoiceLock, clock }: UnsentInvoicesDeps) {
  /** Under the lock a `pending` invoice is one whose sending was interrupted. */
  async function unsent<T>(invoiceId: string, send: (invoice: Invoice) => Promise<T>): Promise<T | undefined> {
    const found = await store.invoices.get(invoiceId)
    const invoice = found?.status === 'retrying' ? found : await takeOverInterrupted(store, invoiceId)
    if (invoice.status !== 'retrying' && invoice.status !== 'failed') return undefined
    if (clock.of(invoice.mode).proven() > invoice.deadlineAt) return undefined
    return send(invoice)
  }

  return {
    /** Runs `send` under the invoice's lock; undefined when it does not wait to be sent, or is past its deadline. */
    withUnsentInvoice: <T>(invoiceId: string, send: (invoice: Invoice) => Promise<T>): Promise<T | undefined> =>
      invoiceLock.run(invoiceId, () => unsent(invoiceId, send)),
    /** The company's current signing identity, or the reason why it has none. */
    async identityOf(invoice: Invoice): Promise<SigningIdentity | FiskError> {
      const company = await store.companies.get(invoice.companyId)
      if (!company) throw new Error(`company ${invoice.companyId} is missing`)
      return identities.current(company, clock.of(company.mode).present(), 'id').catch((refusal: unknown) => {
        if (refusal instanceof FiskError) return refusal
        throw refusal
      })
    },
  }
}
