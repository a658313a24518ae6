import { inBoth } from '../../domain/texts/in-both.ts'
import { BOOK_COLUMNS, PART_NAMES, PAYMENTS } from '../../domain/texts/sale-texts.ts'

/** What pages and letters about closings say alike. */
export const CLOSING_WORDS = {
  payments: PAYMENTS,
  parts: { ...PART_NAMES, vat_hr: 'PDV', vat_en: 'VAT', fee_hr: 'Naknade', fee_en: 'Fees' },
  total_hr: 'Ukupno',
  total_en: 'Total',
  withoutJir_hr: 'Bez JIR-a',
  withoutJir_en: 'Without JIR',
  notFiscal_hr: 'Ovo nije fiskalni račun.',
  notFiscal_en: 'This is not a fiscal receipt.',
  test_hr: 'Testna prodaja: nije promet i ne knjiži se.',
  test_en: 'Test sales: they do not count as revenue and do not go into the books.',
}

export const texts = inBoth({
  ...CLOSING_WORDS,
  mailSubject_hr: (period: string, premises: string | null) =>
    `Zaključci za ${period}${premises === null ? '' : `, poslovni prostor ${premises}`}`,
  mailSubject_en: (period: string, premises: string | null) =>
    `Closings of ${period}${premises === null ? '' : `, premises ${premises}`}`,
  noSales_hr: 'U ovom razdoblju nema računa.',
  noSales_en: 'There are no invoices in this period.',
  mailSums_hr: (closings: number, invoices: number) => `Ukupno zaključaka: ${closings}. Ukupno računa: ${invoices}.`,
  mailSums_en: (closings: number, invoices: number) => `Closings: ${closings}. Invoices: ${invoices}.`,
  mailWithoutJir_hr: (invoices: number, total: string, numbers: string) =>
    `Bez JIR-a u trenutku zaključenja: ${invoices}, iznos ${total} (${numbers}). JIR može stići naknadno; zaključak se time ne mijenja.`,
  mailWithoutJir_en: (invoices: number, total: string, numbers: string) =>
    `Without JIR when closed: ${invoices}, amount ${total} (${numbers}). A JIR may still arrive later; the closing does not change.`,
  mailBehind_hr: (gateways: string) =>
    `Pristupnici koji do zaključenja nisu poslali sve podatke: ${gateways}. Računi koji stignu kasnije ulaze u dopunski zaključak.`,
  mailBehind_en: (gateways: string) =>
    `Gateways that had not reported everything when the period was closed: ${gateways}. Invoices that come later go into a supplementary closing.`,
  mailFile_hr: 'U privitku je CSV datoteka u kojoj je svaki zaključak u zasebnom retku.',
  mailFile_en: 'The attached CSV file has each closing in its own row.',
  decimalSign_hr: ',',
  decimalSign_en: '.',
  fileName_hr: 'zakljucci',
  fileName_en: 'closings',
  columns: {
    ...BOOK_COLUMNS,
    from_hr: 'Od',
    from_en: 'From',
    to_hr: 'Do',
    to_en: 'To',
    number_hr: 'Zaključak br.',
    number_en: 'Closing no.',
    first_hr: 'Prvi račun',
    first_en: 'First invoice',
    last_hr: 'Posljednji račun',
    last_en: 'Last invoice',
    refunds_hr: 'Storno (ukupno računa)',
    refunds_en: 'Number of refunds',
    refundsTotal_hr: 'Storno (EUR)',
    refundsTotal_en: 'Refunds (EUR)',
    withoutJir_hr: 'Bez JIR-a (ukupno računa)',
    withoutJir_en: 'Invoices without JIR',
    withoutJirTotal_hr: 'Bez JIR-a (EUR)',
    withoutJirTotal_en: 'Without JIR (EUR)',
    closedAt_hr: 'Zaključeno',
    closedAt_en: 'Closed',
  },
})

export type Texts = (typeof texts)['hr']
