import { qrPayload } from '../../../../src/domain/sale/qr-payload.ts'
import type { Receipt, ReceiptItem } from '../../../../src/domain/sale/receipt.ts'
import type { FiscalDocument } from '../../../../src/domain/sale/sale.ts'

export const ISSUER_OIB = '69435151530'
const ZKI = '4f1d0c6b8a2e97355b7e0a1c9d3f2b68'
export const JIR = 'e2dd1b4e-5b7b-4ba6-8d4b-1d2c3b4a5d6e'
/** A winter evening in Zagreb, with milliseconds. */
const OCCURRED_AT = Date.UTC(2026, 10, 21, 17, 3, 4, 567)

const document: FiscalDocument = {
  companyOib: ISSUER_OIB,
  vatRegistered: true,
  occurredAt: OCCURRED_AT - 567,
  sequenceMark: 'P',
  number: '1842',
  premisesCode: 'KAVA7',
  registerMark: '1',
  vat: [{ rate: '25.00', base: '2.40', amount: '0.60' }],
  consumptionTax: [],
  otherTaxes: [],
  vatExemptAmount: null,
  marginAmount: null,
  nonTaxableAmount: null,
  fees: [],
  total: '3.00',
  paymentMethod: 'G',
  operatorOib: ISSUER_OIB,
  zki: ZKI,
  paragonNumber: null,
  specialPurpose: null,
  recipientOib: null,
}

const facts: Omit<Receipt, 'document' | 'qrPayload'> = {
  issuerName: 'Žarko i Đurđa automati d.o.o.',
  issuerAddress: ['Šetalište Ćire Čečuka 12', '10000 Zagreb'],
  premisesAddress: 'Trg žrtava fašizma 1, 40000 Čakovec',
  machine: 'Kava 7, hodnik čekaonice',
  items: [item('Kava s mlijekom', '2', '1.50', '3.00')],
  header: [],
  footer: ['Hvala i doviđenja!'],
  language: 'hr',
  paper: 'full',
  mode: 'live',
  occurredAt: OCCURRED_AT,
  jir: JIR,
  copy: null,
}

export function item(name: string, quantity: string, unitPrice: string, amount: string): ReceiptItem {
  return { name, quantity, unitPrice, amount }
}

/** A receipt for two cups of coffee, with what a test wants to be otherwise. The QR code follows. */
export function receipt(changes: Partial<Receipt> = {}, changedDocument: Partial<FiscalDocument> = {}): Receipt {
  const sale = { ...document, ...changedDocument }
  const whole = { ...facts, ...changes }
  const totalCents = BigInt(sale.total.replace('.', ''))
  const { jir, occurredAt } = whole
  return { ...whole, document: sale, qrPayload: qrPayload({ jir, zki: sale.zki, occurredAt, totalCents }), ...changes }
}
