import type { InvoiceStatus } from '../../domain/sale/invoice.ts'
import { printedNumber } from '../../domain/sale/receipt-number.ts'
import type { Invoice } from '../../fiscal/ports/model.ts'
import type { Texts } from './texts.ts'

/** The badge of a status: only a status that asks for action stands out. */
export const BADGES: Record<InvoiceStatus, 'ok' | 'warn' | 'bad' | 'plain'> = {
  confirmed: 'ok',
  retrying: 'warn',
  failed: 'bad',
  expired: 'bad',
  pending: 'plain',
}

export const numberOf = ({ document: { number, premisesCode, registerMark } }: Pick<Invoice, 'document'>) =>
  printedNumber(number, premisesCode, registerMark)

/** @param labels of devices, by id */
export function rowOf(invoice: Invoice, labels: ReadonlyMap<string, string>, t: Texts) {
  const { document, status } = invoice
  return {
    id: invoice.id,
    url: `/dashboard/invoices/${invoice.id}`,
    number: numberOf(invoice),
    at: invoice.occurredAt,
    device: labels.get(invoice.deviceId) ?? invoice.receipt?.machine ?? '',
    premises: document.premisesCode,
    total: document.total,
    payment: t.payments[document.paymentMethod],
    badge: { kind: BADGES[status], text: t.statuses[status] },
    /** Until when it can get its JIR; null when it has one or can get none. */
    deadlineAt: status === 'retrying' || status === 'failed' ? invoice.deadlineAt : null,
    isRefund: document.total.startsWith('-'),
    isTest: invoice.mode === 'test',
  }
}
