import type { PrinterSettings } from '../../domain/printer.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import { encodeReceipt } from './encode-receipt.ts'

const NOBODY = '00000000000'

/** A sample receipt that contains everything that takes time to encode. */
const EXAMPLE: Receipt = {
  document: {
    companyOib: NOBODY,
    vatRegistered: false,
    occurredAt: 0,
    sequenceMark: 'P',
    number: '1',
    premisesCode: 'A',
    registerMark: '1',
    vat: [{ rate: '25.00', base: '0.80', amount: '0.20' }],
    consumptionTax: [],
    otherTaxes: [],
    vatExemptAmount: null,
    marginAmount: null,
    nonTaxableAmount: null,
    fees: [],
    total: '1.00',
    paymentMethod: 'G',
    operatorOib: NOBODY,
    zki: '0'.repeat(32),
    paragonNumber: null,
    specialPurpose: null,
    recipientOib: null,
  },
  issuerName: 'Čćđšž €',
  issuerAddress: [],
  premisesAddress: null,
  machine: '',
  // No code page has the last letter.
  items: Array.from({ length: 10 }, () => ({ name: 'Žvakaća 茶', quantity: '1', unitPrice: '0.10', amount: '0.10' })),
  header: [],
  footer: [],
  language: 'hr',
  paper: 'compact',
  mode: 'test',
  occurredAt: 0,
  jir: null,
  qrPayload: `https://porezna.gov.hr/rn?${'0'.repeat(64)}`,
  copy: 1,
}

/** Loads packages and warms up the code, so that no customer waits for it. It blocks the process for some 200 ms. */
export function warmUp(settings: PrinterSettings): void {
  for (let time = 0; time < 5; time += 1) encodeReceipt(EXAMPLE, settings)
}
