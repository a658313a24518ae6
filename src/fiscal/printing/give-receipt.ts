import type { PrinterSettings } from '../../domain/printer.ts'
import { receiptFileName } from '../../domain/sale/receipt-number.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { OfficeMailing, WantedMail } from '../mail/office-mail.ts'
import type { OfficeMail } from '../ports/mail.ts'
import { type Invoice, LOCAL_GATEWAY } from '../ports/model.ts'
import type { ReceiptDrawing, ReceiptForm } from '../ports/printing.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import { findInvoice } from '../sales/read-invoices.ts'
import type { Wired } from '../wired.ts'
import { isNotGivenOut } from './print-jobs.ts'
import { type previewReceipt, receiptOf, settingsFor } from './receipts.ts'

export interface WantedReceipt {
  form: ReceiptForm
  /** A different paper width than the printer's. */
  columns?: PrinterSettings['columns'] | undefined
  /** False leaves the original for a later request: only what would come is asked for. */
  isTaken: boolean
}

/** All that the bytes of a receipt depend on beside what was issued. With it the same receipt is drawn again. */
export interface GivenReceipt {
  form: ReceiptForm
  settings: PrinterSettings
  /** As it was then: an original without a JIR stays one without. */
  jir: string | null
  copy: 'uncounted' | null
}

interface Deps extends Context {
  drawing: ReceiptDrawing
}

/**
 * Gives out the receipt of an invoice to whoever prints or shows it: the original once, then copies. A key that sells
 * gets the original where it never was on paper; a key that only reads, a user and the operator get copies. The original
 * is drawn first, and stored as given out before its bytes leave: a receipt that cannot be drawn uses up nothing.
 * @param keep stores what was given in the transaction that gives out the original
 * @throws FiskError `insufficient_scope`; 404 for an unknown invoice; 400 for one that is too long for the form
 */
export async function giveReceipt(
  deps: Deps,
  by: Principal,
  id: string,
  { form, columns, isTaken }: WantedReceipt,
  keep?: Keep<GivenReceipt>,
): Promise<{ given: GivenReceipt; content: Buffer }> {
  requireScope(by, 'invoices:read')
  const settings = await settingsFor(deps, await findInvoice(deps.store, by, id), form, columns)
  for (;;) {
    const invoice = await findInvoice(deps.store, by, id)
    const isOriginal = await hasOriginal(deps.store, by, invoice)
    const given: GivenReceipt = { form, settings, jir: invoice.jir, copy: isOriginal ? null : 'uncounted' }
    const content = await drawGiven(deps, by, id, given)
    if (!isOriginal || !isTaken || (await takeOriginal(deps, invoice, given, keep))) return { given, content }
  }
}

/** Draws a receipt that was given out before: the same bytes. @throws FiskError as `giveReceipt` */
export async function drawGiven(
  { store, drawing }: Pick<Deps, 'store' | 'drawing'>,
  by: Principal,
  id: string,
  { form, settings, jir, copy }: GivenReceipt,
): Promise<Buffer> {
  const invoice = await findInvoice(store, by, id)
  return drawing.form(form, await receiptOf(store, { ...invoice, jir }, copy), settings)
}

/** While a sale is sent, its print job may still come; what a gateway has issued is on paper there. */
async function hasOriginal(
  { printJobs }: StoreTransaction,
  by: Principal,
  { id, gatewayId, status }: Invoice,
): Promise<boolean> {
  // Only API keys have a mode.
  const sells = by.mode !== null && by.scopes.includes('invoices:write')
  if (!sells || gatewayId !== LOCAL_GATEWAY || status === 'pending') return false
  return isNotGivenOut(await printJobs.get(id, 0))
}

/** @returns false when another request was faster, or the JIR has come meanwhile: then it is drawn anew */
async function takeOriginal(
  { store, clock }: Context,
  { id, deviceId, jir }: Invoice,
  given: GivenReceipt,
  keep?: Keep<GivenReceipt>,
): Promise<boolean> {
  return store.transaction(async (tx) => {
    if ((await tx.invoices.locked(id))?.jir !== jir) return false
    const now = clock.now()
    const isTaken = await tx.printJobs.giveOut({
      invoiceId: id,
      copy: 0,
      deviceId,
      status: 'unconfirmed',
      createdAt: now,
      expiresAt: now,
      begunAt: now,
      endedAt: now,
      reason: null,
      detail: 'It was given out over /v1; fiskd cannot know whether it was printed or shown',
    })
    if (isTaken) await keep?.(tx, given)
    return isTaken
  })
}

/** What a customer reads beside the copy. */
export type ReceiptLetter = Pick<WantedMail, 'to' | 'subject' | 'text' | 'html'>

interface ReceiptMailDeps extends Context {
  mails: OfficeMailing
  previewReceipt: Wired<typeof previewReceipt>
}

export function createReceiptMails({ store, clock, mails, previewReceipt }: ReceiptMailDeps) {
  return {
    isSet: mails.isSet,
    /** Mails the PDF copy of an invoice. @throws FiskError `insufficient_scope`, 404, and as `OfficeMailing.queue` */
    async send(principal: Principal, invoiceId: string, letter: ReceiptLetter, keep?: Keep<OfficeMail>) {
      requireScope(principal, 'invoices:write')
      const { companyId, document } = await findInvoice(store, principal, invoiceId)
      const content = await previewReceipt(principal, invoiceId, { form: 'pdf' })
      const files = [{ name: receiptFileName(document), type: 'application/pdf', content }]
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
