import { notFound } from '../../domain/errors.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { ReceiptDrawing } from '../ports/printing.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type ReceiptLinks, receiptUrls } from '../receipt-links/links.ts'
import { findInvoice } from '../sales/read-invoices.ts'

/** For the screen of a machine: the link to a receipt, as text or as a QR code. @throws FiskError 404 where it has none */
export async function linkCode(
  { store, drawing, links }: { store: StoreTransaction; drawing: ReceiptDrawing; links: ReceiptLinks },
  principal: Principal,
  invoiceId: string,
  form: 'text' | 'png' | 'svg',
): Promise<Buffer> {
  requireScope(principal, 'invoices:read')
  const urlOf = await receiptUrls(links)
  const url = urlOf(await findInvoice(store, principal, invoiceId))
  if (url === undefined) throw notFound('id', 'this invoice has no link to its receipt')
  return form === 'text' ? Buffer.from(`${url}\n`) : drawing.code(form, url)
}
