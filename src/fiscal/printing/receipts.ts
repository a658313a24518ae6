import { centsOf } from '../../domain/money.ts'
import type { PrinterSettings } from '../../domain/printer.ts'
import { qrPayload } from '../../domain/sale/qr-payload.ts'
import type { Receipt, ReceiptFacts, ReceiptItem } from '../../domain/sale/receipt.ts'
import { receiptStyle } from '../../domain/sale/receipt-style.ts'
import type { SaleType } from '../../domain/sale/sale.ts'
import type { Principal } from '../access/principal.ts'
import type { Company, Device, DevicePrinter, Invoice } from '../ports/model.ts'
import type { ReceiptDrawing, ReceiptForm } from '../ports/printing.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { findInvoice } from '../sales/read-invoices.ts'

/** The facts on a receipt outside the fiscal document, with their current values. */
export function factsOf(
  company: Company,
  device: Device,
  { items, saleType }: { items: ReceiptItem[]; saleType: SaleType },
  { stornoOf, hasLink }: { stornoOf?: string | undefined; hasLink?: boolean } = {},
): ReceiptFacts {
  const { street, postal_code, city } = company.address
  const written = (value: unknown) => (typeof value === 'string' ? value.trim() : '')
  const town = [written(postal_code), written(city)].filter(Boolean).join(' ')
  return {
    issuerName: company.name,
    issuerAddress: [written(street), town].filter(Boolean),
    premisesAddress: device.premisesAddress?.trim() || null,
    machine: device.label,
    items,
    ...(stornoOf !== undefined && { stornoOf }),
    ...(company.logoHash !== null && { logo: company.logoHash }),
    ...(hasLink && { hasLink }),
    ...receiptStyle([device.deviceConfig, company.fiscalConfig], saleType),
  }
}

/** A sale from before receipts were stored is printed with the current data. */
async function factsOfNow(store: StoreTransaction, { id, companyId, deviceId }: Invoice): Promise<ReceiptFacts> {
  const company = await store.companies.get(companyId)
  const device = await store.devices.get(deviceId)
  if (!company || !device) throw new Error(`invoice ${id} has no company or device`)
  return { ...factsOf(company, device, { items: [], saleType: 'unattended' }), paper: 'full' }
}

/** The data fixed at the sale, and the JIR if there is one by now. @param copy null for the original */
export async function receiptOf(store: StoreTransaction, invoice: Invoice, copy: Receipt['copy']): Promise<Receipt> {
  const { document, mode, occurredAt, jir } = invoice
  const totalCents = centsOf(document.total)
  const facts = invoice.receipt ?? (await factsOfNow(store, invoice))
  return {
    paper: 'full',
    ...facts,
    ...(facts.logo !== undefined && { logoFile: await store.logos.get(facts.logo) }),
    document,
    mode,
    occurredAt,
    jir,
    qrPayload: qrPayload({ jir, zki: document.zki, occurredAt, totalCents }),
    copy,
  }
}

/** The layout of a receipt when the device has no printer: 80 mm, with all letters. */
export const NO_PRINTER = { profile: 'epson-tm-t20', overrides: {} } as const
/** What most printers can print: letters of ASCII and pictures. */
const ANY_PRINTER = { profile: 'generic', overrides: {} } as const

/** The settings to draw an invoice's receipt with: of its device's printer, if any, but for `columns`. */
export async function settingsFor(
  { store, drawing }: { store: StoreTransaction; drawing: ReceiptDrawing },
  { deviceId }: Pick<Invoice, 'deviceId'>,
  form: ReceiptForm,
  columns?: PrinterSettings['columns'],
): Promise<PrinterSettings> {
  const set = await store.printers.get(deviceId)
  const settingsOf = ({ profile, overrides }: Pick<DevicePrinter, 'profile' | 'overrides'>) =>
    drawing.settingsOf(profile, { ...overrides, ...(columns && { columns }) })
  if (form !== 'escpos') return settingsOf(set ?? NO_PRINTER)
  const own = settingsOf(set ?? ANY_PRINTER)
  // Bytes in another printer's own language are no ESC/POS.
  return own.commands === 'escpos' ? own : settingsOf({ ...ANY_PRINTER, overrides: { columns: own.columns } })
}

/** For the office, which uses up no original; as PDF a copy. @throws FiskError 404; 400 when too long for the form */
export async function previewReceipt(
  deps: {
    store: StoreTransaction
    drawing: ReceiptDrawing
  },
  principal: Principal,
  invoiceId: string,
  { form, columns }: { form: ReceiptForm; columns?: PrinterSettings['columns'] | undefined },
): Promise<Buffer> {
  const invoice = await findInvoice(deps.store, principal, invoiceId)
  const receipt = await receiptOf(deps.store, invoice, form === 'pdf' ? 'uncounted' : null)
  return deps.drawing.form(form, receipt, await settingsFor(deps, invoice, form, columns))
}
