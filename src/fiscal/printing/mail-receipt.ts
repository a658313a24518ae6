import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { OfficeMailing, WantedMail } from '../mail/office-mail.ts'
import type { OfficeMail } from '../ports/mail.ts'
import type { Keep } from '../sales/idempotency.ts'
import { findInvoice } from '../sales/read-invoices.ts'
import type { Wired } from '../wired.ts'
import type { previewReceipt } from './receipts.ts'

/** What a customer reads beside the copy. */
export type ReceiptLetter = Pick<WantedMail, 'to' | 'subject' | 'text' | 'html'>

export interface ReceiptMailDeps extends Context {
  mails: OfficeMailing
  previewReceipt: Wired<typeof previewReceipt>
}

export type ReceiptMailUseCases = ReturnType<typeof createReceiptMails>

/** Copies of receipts by mail. */
export function createReceiptMails({ store, clock, mails, previewReceipt }: ReceiptMailDeps) {
  return {
    /** Whether a mail server is set. */
    isSet: mails.isSet,
    /**
     * Stores a mail with the PDF copy of an invoice, which is sent within seconds.
     * @throws FiskError `insufficient_scope`, 404, and what `OfficeMailing.queue` throws
     */
    async send(principal: Principal, invoiceId: string, letter: ReceiptLetter, keep?: Keep<OfficeMail>) {
      requireScope(principal, 'invoices:write')
      const { companyId } = await findInvoice(store, principal, invoiceId)
      const content = await previewReceipt(principal, invoiceId, { form: 'pdf' })
      const files = [{ name: `${invoiceId}.pdf`, type: 'application/pdf', content }]
      const wanted = { ...letter, files, kind: 'receipt_copy', about: invoiceId, companyId }
      return mails.queue(principal, wanted, async (tx, mail) => {
        await audit(tx, principal, clock.now(), 'invoice.mailed', { id: invoiceId, to: letter.to })
        await keep?.(tx, mail)
      })
    },
    /** The mails with an invoice, the latest first. @throws FiskError 404 */
    async sent(principal: Principal, invoiceId: string): Promise<OfficeMail[]> {
      await findInvoice(store, principal, invoiceId)
      return mails.about(principal, invoiceId)
    },
  }
}
