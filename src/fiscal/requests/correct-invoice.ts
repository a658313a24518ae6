import { dateAt, isoDate } from '../../domain/calendar-date.ts'
import { conflict, FiskError, type Reason } from '../../domain/errors.ts'
import { createKeyedLock } from '../../domain/keyed-lock.ts'
import { centsOf } from '../../domain/money.ts'
import { isOib } from '../../domain/oib.ts'
import type { ClosingFacts } from '../../domain/sale/closing.ts'
import { spanOf } from '../../domain/sale/closing-period.ts'
import type { PaymentMethod } from '../../domain/sale/sale.ts'
import { CASH_AND_CARD_LIMIT } from '../../domain/sale/sale-rules.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { Invoice } from '../ports/model.ts'
import type { AskedRequest, CorrectedFields } from '../ports/rows/authority-requests.ts'
import { findCompany } from '../registry/companies.ts'
import { requireOurs } from '../registry/owned-by-gateway.ts'
import type { Keep } from '../sales/idempotency.ts'
import { findInvoice } from '../sales/read-invoices.ts'
import type { RequestSender } from './request-sender.ts'

const MOST_LISTED = 200

/** The fields that change; the others stay as they are. */
export type Correction = Partial<CorrectedFields>

/** As forms, `/admin` and commands state it. */
export interface CorrectionBody {
  payment_method?: PaymentMethod
  recipient_oib?: string | null
}

export const correctionIn = ({ payment_method, recipient_oib }: CorrectionBody): Correction => ({
  ...(payment_method !== undefined && { paymentMethod: payment_method }),
  ...(recipient_oib !== undefined && { recipientOib: recipient_oib }),
})

export type CorrectionUseCases = ReturnType<typeof createCorrections>

/**
 * Corrections of issued invoices at the tax authority, on the day of the sale. The invoice stays as it was issued; each
 * correction is a row of its own, and the newest that was done counts.
 */
export function createCorrections({ store, sender }: Pick<Context, 'store'> & { sender: RequestSender }) {
  const lock = createKeyedLock()

  return {
    /** `keep` joins the answer's transaction. @throws FiskError 404; 409 without JIR, of another day, or unchanged */
    async correct(
      principal: Principal,
      invoiceId: string,
      changes: Correction,
      keep?: Keep<AskedRequest>,
    ): Promise<AskedRequest> {
      requireScope(principal, 'invoices:write')
      const invoice = await findInvoice(store, principal, invoiceId)
      requireOurs('invoice', invoice, 'id')
      const { id, document, lateDelivery } = invoice
      return lock.run(id, async () => {
        const company = await findCompany(store, principal, invoice.companyId)
        const from = correctedFields(invoice, await store.authorityRequests.ofInvoices([id]))
        const to = { ...from, ...changes }
        requireCorrectable(invoice, sender.now(company))
        requireFit(invoice, from, to)
        const request = { operation: 'promijeniPodatkeRacuna', document, lateDelivery, ...to } as const
        const asked = { kind: 'correction' as const, from, to }
        const detail = { id, from: dataText(from), to: dataText(to) }
        const wanted = { premisesCode: document.premisesCode, invoiceId: id, asked, jobRow: null, request }
        return sender.send(principal, company, wanted, { action: 'invoice.corrected', detail }, keep)
      })
    },

    /**
     * The invoices of a closing that the caller has found whose data count otherwise than they were issued, at most
     * `MOST_LISTED`: what they became at last. An invoice is corrected on its day, so in the period of its closing.
     */
    async ofClosing({ company, premisesCode, mode, ...period }: ClosingFacts): Promise<AskedRequest[]> {
      const premises = { companyId: company.id, premisesCode, mode }
      const done = await store.authorityRequests.corrections(premises, spanOf(period), MOST_LISTED)
      return done.filter(({ invoiceId }, index) => done.findIndex((one) => one.invoiceId === invoiceId) === index)
    },

    /** The corrections of an invoice that the caller has found, the latest first. */
    of: (invoiceId: string): Promise<AskedRequest[]> => store.authorityRequests.ofInvoices([invoiceId]),
  }
}

const dataText = ({ paymentMethod, recipientOib }: CorrectedFields) =>
  [paymentMethod, recipientOib ?? []].flat().join(' ')

/** Payment method and recipient as the tax authority has them now. @param requests the latest first */
export function correctedFields(
  { document }: Pick<Invoice, 'document'>,
  requests: readonly Pick<AskedRequest, 'state' | 'asked'>[],
): CorrectedFields {
  for (const { state, asked } of requests) if (state === 'done' && asked.kind === 'correction') return asked.to
  return { paymentMethod: document.paymentMethod, recipientOib: document.recipientOib }
}

/** @throws FiskError 409 */
export function requireCorrectable({ status, occurredAt }: Pick<Invoice, 'status' | 'occurredAt'>, now: number): void {
  const refuse = (message: string, reason: Reason) => conflict('id', message, reason)
  if (status !== 'confirmed') throw refuse('only an invoice with a JIR can be corrected', 'correction_without_jir')
  if (isoDate(dateAt(occurredAt)) === isoDate(dateAt(now))) return
  throw refuse(
    'an invoice can be corrected on the day of its sale alone, until midnight in Zagreb',
    'correction_too_late',
  )
}

/** @throws FiskError */
function requireFit({ document }: Invoice, from: CorrectedFields, to: CorrectedFields): void {
  const { paymentMethod, recipientOib } = to
  const refuse = (code: FiskError['code'], param: string, message: string) => new FiskError(code, message, { param })
  // Who sells without people gives the company's own OIB as the operator's.
  const isAttended = document.sequenceMark === 'N' || document.operatorOib !== document.companyOib
  if (recipientOib !== from.recipientOib && !isAttended)
    throw conflict('recipient_oib', 'only an attended sale has a recipient', 'correction_of_recipient')
  if (recipientOib !== null && !isOib(recipientOib))
    throw refuse('hr.invalid_oib', 'recipient_oib', 'recipient_oib must be 11 digits with a correct check digit')
  if (paymentMethod === 'T' && (!isAttended || recipientOib !== null))
    throw refuse('hr.invalid_payment_method', 'payment_method', 'T is only for an attended sale without recipient_oib')
  const total = centsOf(document.total)
  if ((paymentMethod === 'G' || paymentMethod === 'K') && (total < 0n ? -total : total) > CASH_AND_CARD_LIMIT)
    throw refuse(
      'hr.amount_out_of_range',
      'payment_method',
      'a cash or card total must lie within 10,000.00 EUR of zero',
    )
  if (paymentMethod === from.paymentMethod && recipientOib === from.recipientOib)
    throw conflict('payment_method', 'the invoice has these data already', 'correction_unchanged')
}
