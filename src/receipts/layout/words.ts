import type { ReceiptLanguage } from '../../domain/sale/receipt.ts'
import { inBoth } from '../../domain/texts/in-both.ts'

/** The words of the law for paper that is no receipt (docs/spec/printing.md), on paper in English, too. */
const NOT_FISCAL = 'OVO NIJE FISKALIZIRANI RAČUN'

/** The fixed texts of a receipt. The VAT act requires the note on VAT (art. 90). */
const SINGLE = inBoth({
  decimalPoint: { en: '.', hr: ',' },
  thousands: { en: ',', hr: '.' },
  copy: { en: 'Copy no.', hr: 'Kopija br.' },
  testNote: { en: `${NOT_FISCAL} (not fiscal)`, hr: NOT_FISCAL },
  /** After the word STORNO. */
  storno: { en: 'of receipt no.', hr: 'računa br.' },
  premises: { en: 'Premises', hr: 'Poslovni prostor' },
  machine: { en: 'Machine', hr: 'Uređaj' },
  receipt: { en: 'Receipt no.', hr: 'Račun br.' },
  issuedAt: { en: 'Date', hr: 'Datum' },
  paragon: { en: 'Paper invoice no.', hr: 'Broj paragon računa' },
  buyer: { en: 'OIB of the buyer', hr: 'OIB kupca' },
  item: { en: 'Item', hr: 'Artikl' },
  amount: { en: 'Amount EUR', hr: 'Iznos EUR' },
  total: { en: 'TOTAL EUR', hr: 'UKUPNO EUR' },
  payment: { en: 'Payment', hr: 'Način plaćanja' },
  payments: {
    G: { en: 'cash', hr: 'novčanice' },
    K: { en: 'card', hr: 'kartica' },
    O: { en: 'other', hr: 'ostalo' },
    T: { en: 'bank transfer', hr: 'transakcijski račun' },
  },
  tax: { en: 'Tax', hr: 'Porez' },
  taxBase: { en: 'Base', hr: 'Osnovica' },
  taxAmount: { en: 'Amount', hr: 'Iznos' },
  vat: { en: 'VAT', hr: 'PDV' },
  consumptionTax: { en: 'Consumption tax', hr: 'PNP' },
  exempt: { en: 'Exempt from VAT', hr: 'Oslobođeno PDV-a' },
  margin: { en: 'Margin scheme', hr: 'Posebni postupak - marža' },
  nonTaxable: { en: 'Not subject to tax', hr: 'Ne podliježe oporezivanju' },
  notInVat: {
    en: 'The issuer is not in the VAT system; VAT is not charged under art. 90(2) of the Croatian VAT Act.',
    hr: 'Obveznik nije u sustavu PDV-a, PDV nije obračunan na temelju čl. 90. st. 2. Zakona o PDV-u.',
  },
  operator: { en: 'Operator', hr: 'Oznaka operatera' },
  compact: {
    // In Croatian after the word KOPIJA.
    copy: { en: 'Copy no.', hr: 'br.' },
    each: { en: 'at', hr: 'po' },
    of: { en: 'of', hr: 'od' },
    payment: { en: 'Payment', hr: 'Plaćanje' },
    operator: { en: 'Operator', hr: 'Operater' },
    scan: { en: 'To check, scan the code', hr: 'Provjera: skenirajte kod' },
  },
  closing: {
    title: { en: 'CLOSING', hr: 'ZAKLJUČAK' },
    of: {
      day: { en: 'Closing of the day', hr: 'Zaključak dana' },
      month: { en: 'Closing of the month', hr: 'Zaključak mjeseca' },
    },
    supplement: { en: 'Supplementary closing no.', hr: 'Dopunski zaključak br.' },
    closedAt: { en: 'Closed', hr: 'Zaključeno' },
    invoices: { en: 'Invoices', hr: 'Ukupno računa' },
    from: { en: 'First invoice', hr: 'Prvi račun' },
    to: { en: 'Last invoice', hr: 'Posljednji račun' },
    refunds: { en: 'Of these, refunds', hr: 'Od toga storno' },
    withoutJir: { en: 'Without JIR', hr: 'Bez JIR-a' },
    otherTax: { en: 'Other taxes', hr: 'Ostali porezi' },
    outsideVat: { en: 'Outside the VAT system', hr: 'Izvan sustava PDV-a' },
    fees: { en: 'Fees', hr: 'Naknade' },
    rest: { en: 'Not assigned', hr: 'Neraspoređeno' },
    fingerprint: { en: 'Fingerprint (SHA-256)', hr: 'Otisak (SHA-256)' },
  },
})

type Single = (typeof SINGLE)['hr']

export interface Words extends Single {
  /** How the code is checked, a line for each language. */
  scan: readonly string[]
}

const alone = (words: Single): Words => ({ ...words, scan: [words.compact.scan] })

/** Each text in Croatian and English. Numbers are written as in Croatian, and what would be long is shortened. */
function bothOf({ hr, en }: typeof SINGLE): Words {
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
    testNote: en.testNote,
    receipt: 'Račun / Receipt',
    amount: 'Iznos / Amount EUR',
    total: 'UKUPNO / TOTAL EUR',
    notInVat: `${hr.notInVat} / Not in the VAT system.`,
    compact: { ...hr.compact, payment: `${hr.compact.payment} / ${en.compact.payment}` },
    scan: [hr.compact.scan, en.compact.scan],
    closing: hr.closing,
  }
}

export const WORDS: Record<ReceiptLanguage, Words> = {
  hr: alone(SINGLE.hr),
  en: alone(SINGLE.en),
  both: bothOf(SINGLE),
}

/** With the words of its language. */
export type InWords<T> = T & { words: Words }

export const inWords = <T extends { language: ReceiptLanguage }>(one: T): InWords<T> => ({
  ...one,
  words: WORDS[one.language],
})

/** `1.234,56` or `1,234.56`. The sign stays a hyphen, because the code pages of printers have no minus sign. */
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
