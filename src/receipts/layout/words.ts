import type { ReceiptLanguage } from '../../domain/sale/receipt.ts'
import type { PaymentMethod } from '../../domain/sale/sale.ts'

interface Words {
  decimalPoint: string
  thousands: string
  copy: string
  testNote: string
  premises: string
  machine: string
  receipt: string
  issuedAt: string
  paragon: string
  buyer: string
  item: string
  amount: string
  total: string
  payment: string
  payments: Record<PaymentMethod, string>
  tax: string
  taxBase: string
  taxAmount: string
  vat: string
  consumptionTax: string
  exempt: string
  margin: string
  nonTaxable: string
  notInVat: string
  operator: string
  /** Short words of the compact receipt. */
  compact: { copy: string; each: string; of: string; payment: string; operator: string; scan: readonly string[] }
  closing: ClosingWords
}

/** The texts of a closing on paper. */
interface ClosingWords {
  title: string
  of: Record<'day' | 'month', string>
  supplement: string
  closedAt: string
  invoices: string
  from: string
  to: string
  refunds: string
  withoutJir: string
  otherTax: string
  outsideVat: string
  fees: string
  rest: string
  fingerprint: string
}

/** The fixed texts of a receipt. The VAT act requires the note on VAT (art. 90). */
const SINGLE: Record<Exclude<ReceiptLanguage, 'both'>, Words> = {
  hr: {
    decimalPoint: ',',
    thousands: '.',
    copy: 'Kopija br.',
    testNote: 'Ovo nije fiskalni račun.',
    premises: 'Poslovni prostor',
    machine: 'Uređaj',
    receipt: 'Račun br.',
    issuedAt: 'Datum',
    paragon: 'Broj paragon računa',
    buyer: 'OIB kupca',
    item: 'Artikl',
    amount: 'Iznos EUR',
    total: 'UKUPNO EUR',
    payment: 'Način plaćanja',
    payments: { G: 'novčanice', K: 'kartica', O: 'ostalo', T: 'transakcijski račun' },
    tax: 'Porez',
    taxBase: 'Osnovica',
    taxAmount: 'Iznos',
    vat: 'PDV',
    consumptionTax: 'PNP',
    exempt: 'Oslobođeno PDV-a',
    margin: 'Posebni postupak - marža',
    nonTaxable: 'Ne podliježe oporezivanju',
    notInVat: 'Obveznik nije u sustavu PDV-a, PDV nije obračunan temeljem čl. 90. st. 2. Zakona o PDV-u.',
    operator: 'Oznaka operatera',
    compact: {
      // After the word KOPIJA.
      copy: 'br.',
      each: 'po',
      of: 'od',
      payment: 'Plaćanje',
      operator: 'Operater',
      scan: ['Provjera: skenirajte kod'],
    },
    closing: {
      title: 'ZAKLJUČAK',
      of: { day: 'Zaključak dana', month: 'Zaključak mjeseca' },
      supplement: 'Dopunski zaključak br.',
      closedAt: 'Zaključeno',
      invoices: 'Ukupno računa',
      from: 'Prvi račun',
      to: 'Posljednji račun',
      refunds: 'Od toga storno',
      withoutJir: 'Bez JIR-a',
      otherTax: 'Ostali porezi',
      outsideVat: 'Izvan sustava PDV-a',
      fees: 'Naknade',
      rest: 'Neraspoređeno',
      fingerprint: 'Otisak (SHA-256)',
    },
  },
  en: {
    decimalPoint: '.',
    thousands: ',',
    copy: 'Copy no.',
    testNote: 'This is not a fiscal receipt.',
    premises: 'Premises',
    machine: 'Machine',
    receipt: 'Receipt no.',
    issuedAt: 'Date',
    paragon: 'Paper invoice no.',
    buyer: 'OIB of the buyer',
    item: 'Item',
    amount: 'Amount EUR',
    total: 'TOTAL EUR',
    payment: 'Payment',
    payments: { G: 'cash', K: 'card', O: 'other', T: 'bank transfer' },
    tax: 'Tax',
    taxBase: 'Base',
    taxAmount: 'Amount',
    vat: 'VAT',
    consumptionTax: 'Consumption tax',
    exempt: 'Exempt from VAT',
    margin: 'Margin scheme',
    nonTaxable: 'Not subject to tax',
    notInVat: 'The issuer is not in the VAT system; VAT is not charged under art. 90(2) of the Croatian VAT Act.',
    operator: 'Operator',
    compact: {
      copy: 'Copy no.',
      each: 'at',
      of: 'of',
      payment: 'Payment',
      operator: 'Operator',
      scan: ['To check, scan the code'],
    },
    closing: {
      title: 'CLOSING',
      of: { day: 'Closing of the day', month: 'Closing of the month' },
      supplement: 'Supplementary closing no.',
      closedAt: 'Closed',
      invoices: 'Invoices',
      from: 'First invoice',
      to: 'Last invoice',
      refunds: 'Of these, refunds',
      withoutJir: 'Without JIR',
      otherTax: 'Other taxes',
      outsideVat: 'Outside the VAT system',
      fees: 'Fees',
      rest: 'Not assigned',
      fingerprint: 'Fingerprint (SHA-256)',
    },
  },
}

/** Each text in Croatian and English. Numbers are written as in Croatian, and what would be long is shortened. */
function bothOf(hr: Words, en: Words): Words {
  const joined = <T extends object>(one: T, other: T) =>
    Object.fromEntries(
      Object.entries(one).map(([name, text]) => [name, `${text} / ${other[name as keyof T]}`]),
    ) as Record<keyof T, string>
  return {
    ...joined(hr, en),
    payments: joined(hr.payments, en.payments),
    decimalPoint: hr.decimalPoint,
    thousands: hr.thousands,
    copy: hr.copy,
    receipt: 'Račun / Receipt',
    amount: 'Iznos / Amount EUR',
    total: 'UKUPNO / TOTAL EUR',
    notInVat: `${hr.notInVat} / Not in the VAT system.`,
    compact: {
      ...hr.compact,
      payment: `${hr.compact.payment} / ${en.compact.payment}`,
      scan: [...hr.compact.scan, ...en.compact.scan],
    },
    closing: hr.closing,
  }
}

export const WORDS: Record<ReceiptLanguage, Words> = { ...SINGLE, both: bothOf(SINGLE.hr, SINGLE.en) }

/**
 * Formats a decimal string for the language: `1.234,56` or `1,234.56`. The sign stays a hyphen, because the code pages
 * of printers have no minus sign.
 */
export function formatDecimal(decimal: string, language: ReceiptLanguage): string {
  const { decimalPoint, thousands } = WORDS[language]
  const [whole = '', fraction] = decimal.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands)
  return fraction === undefined ? grouped : grouped + decimalPoint + fraction
}

/** `25.00` as `25%`, `2.50` as `2,5%`. */
export function formatRate(rate: string, language: ReceiptLanguage): string {
  return `${formatDecimal(rate.includes('.') ? rate.replace(/\.?0+$/, '') : rate, language)}%`
}
