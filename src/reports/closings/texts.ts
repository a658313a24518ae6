import { inBoth } from '../../domain/texts/in-both.ts'
import { BOOK_COLUMNS, PART_NAMES, PAYMENTS } from '../../domain/texts/sale-texts.ts'

/** What pages and letters about closings say alike. */
export const CLOSING_WORDS = {
  payments: PAYMENTS,
  parts: { ...PART_NAMES, vat: { en: 'VAT', hr: 'PDV' }, fee: { en: 'Fees', hr: 'Naknade' } },
  total: { en: 'Total', hr: 'Ukupno' },
  withoutJir: { en: 'Without JIR', hr: 'Bez JIR-a' },
  notFiscal: { en: 'OVO NIJE FISKALIZIRANI RAČUN (not a fiscal receipt).', hr: 'OVO NIJE FISKALIZIRANI RAČUN.' },
  test: {
    en: 'Test sales: they do not count as revenue and do not go into the books.',
    hr: 'Testna prodaja: nije promet i ne knjiži se.',
  },
}

export const texts = inBoth({
  ...CLOSING_WORDS,
  mailSubject: {
    en: (period: string, premises: string | null) =>
      `Closings of ${period}${premises === null ? '' : `, premises ${premises}`}`,
    hr: (period: string, premises: string | null) =>
      `Zaključci za ${period}${premises === null ? '' : `, poslovni prostor ${premises}`}`,
  },
  noSales: { en: 'There are no invoices in this period.', hr: 'U ovom razdoblju nema računa.' },
  mailSums: {
    en: (closings: number, invoices: number) => `Closings: ${closings}. Invoices: ${invoices}.`,
    hr: (closings: number, invoices: number) => `Ukupno zaključaka: ${closings}. Ukupno računa: ${invoices}.`,
  },
  mailWithoutJir: {
    en: (invoices: number, total: string, numbers: string) =>
      `Without JIR when closed: ${invoices}, amount ${total} (${numbers}). A JIR may still arrive later; the closing does not change.`,
    hr: (invoices: number, total: string, numbers: string) =>
      `Bez JIR-a u trenutku zaključenja: ${invoices}, iznos ${total} (${numbers}). JIR može stići naknadno; zaključak se time ne mijenja.`,
  },
  mailBehind: {
    en: (gateways: string) =>
      `Gateways that had not reported everything when the period was closed: ${gateways}. Invoices that come later go into a supplementary closing.`,
    hr: (gateways: string) =>
      `Pristupnici koji do zaključenja nisu poslali sve podatke: ${gateways}. Računi koji stignu kasnije ulaze u dopunski zaključak.`,
  },
  mailFile: {
    en: 'The attached CSV file has each closing in its own row.',
    hr: 'U privitku je CSV datoteka u kojoj je svaki zaključak u zasebnom retku.',
  },
  fileName: { en: 'closings', hr: 'zakljucci' },
  columns: {
    ...BOOK_COLUMNS,
    from: { en: 'From', hr: 'Od' },
    to: { en: 'To', hr: 'Do' },
    number: { en: 'Closing no.', hr: 'Zaključak br.' },
    first: { en: 'First invoice', hr: 'Prvi račun' },
    last: { en: 'Last invoice', hr: 'Posljednji račun' },
    refunds: { en: 'Number of refunds', hr: 'Storno (ukupno računa)' },
    refundsTotal: { en: 'Refunds (EUR)', hr: 'Storno (EUR)' },
    withoutJir: { en: 'Invoices without JIR', hr: 'Bez JIR-a (ukupno računa)' },
    withoutJirTotal: { en: 'Without JIR (EUR)', hr: 'Bez JIR-a (EUR)' },
    closedAt: { en: 'Closed', hr: 'Zaključeno' },
  },
})

export type Texts = (typeof texts)['hr']
