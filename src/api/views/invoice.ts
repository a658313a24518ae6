import { type InvoiceView, Message, type MessageView, type SaleView } from '../../contract/v1/invoice.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import { centsOf } from '../../domain/money.ts'
import { PRINTER_REASONS } from '../../domain/printer.ts'
import { answerSignatureIn } from '../../domain/sale/answer-signature.ts'
import { findingsOfInvoice } from '../../domain/sale/findings.ts'
import { FISCAL_ERRORS, type FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { qrPayload } from '../../domain/sale/qr-payload.ts'
import { printedNumber } from '../../domain/sale/receipt-number.ts'
import type { Invoice, MessageRecord, PrintJob } from '../../fiscal/ports/model.ts'
import { view } from './view.ts'

/** The fields of every invoice response (docs/spec/interface.md, Invoice). */
export function saleView(invoice: Invoice, receiptUrl: string | undefined): SaleView {
  const { jir, document, occurredAt } = invoice
  return {
    id: invoice.id,
    // What is answered has been sent, and is not past its deadline: the two other statuses are for GET.
    status: invoice.status as SaleView['status'],
    jir,
    zki: document.zki,
    qr_payload: qrPayload({ jir, zki: document.zki, occurredAt, totalCents: centsOf(document.total) }),
    number: document.number,
    occurred_at: invoice.occurredAtText,
    total: document.total,
    currency: 'EUR',
    ...(receiptUrl !== undefined && { receipt_url: receiptUrl }),
    ...(jir === null && invoice.errorCode !== null && { fiscal_error: fiscalError(invoice, invoice.errorCode) }),
  }
}

/** The fields of GET responses. @param print of the original, when there is one */
export function invoiceView(
  invoice: Invoice,
  print: PrintJob | undefined,
  receiptUrl: string | undefined,
): InvoiceView {
  const { premisesCode, sequenceMark, registerMark, number } = invoice.document
  const findings = findingsOfInvoice(invoice)
  return {
    ...saleView(invoice, receiptUrl),
    ...(findings.length > 0 && { findings }),
    status: invoice.status,
    company_id: invoice.companyId,
    device_id: invoice.deviceId,
    payment_method: invoice.document.paymentMethod,
    mode: invoice.mode,
    attempts: invoice.attempts,
    late_delivery: invoice.lateDelivery,
    deadline_at: formatInstant(invoice.deadlineAt),
    confirmed_at: moment(invoice.confirmedAt),
    created_at: formatInstant(invoice.createdAt),
    last_error_class: invoice.lastErrorClass,
    country_data: {
      premises_code: premisesCode,
      sequence_mark: sequenceMark,
      register_mark: registerMark,
      receipt_number: printedNumber(number, premisesCode, registerMark),
    },
    receipt_print: print
      ? {
          status: print.status,
          printed_at: print.status === 'printed' ? moment(print.endedAt) : null,
          // A newer gateway may name reasons that this version does not know.
          reason: PRINTER_REASONS.find((known) => known === print.reason) ?? null,
        }
      : null,
  }
}

function fiscalError(invoice: Invoice, code: FiscalErrorCode) {
  return {
    code,
    message: invoice.errorMessage ?? FISCAL_ERRORS[code].means,
    retry_scheduled: invoice.status === 'retrying',
  }
}

/** As GET shows it: what a POST answers is frozen for the life of `/v1` (docs/spec/interface.md, Versioning). */
export function fullMessageView(message: MessageRecord): MessageView {
  return view(Message, { ...message, answerSignature: answerSignatureIn(message.responseXml) })
}

export const messageView = (message: MessageRecord): MessageView => view(Message, message)

function moment(at: EpochMs | null): string | null {
  return at === null ? null : formatInstant(at)
}
