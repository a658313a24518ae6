import { BOOK_COLUMNS, PART_NAMES } from '../../domain/texts/sale-texts.ts'
import { inBoth } from '../language.ts'
import { INVOICE_STATUSES, SALES_TEXTS } from '../shared-texts.ts'

export const texts = inBoth({
  ...SALES_TEXTS,
  title: { en: 'Export for the accountant', hr: 'Izvoz za knjigovodstvo' },
  about: {
    en: 'Choose a period and what you want in the file. The files contain every invoice of the period, also those without a JIR: they are always marked.',
    hr: 'Odaberite razdoblje i što želite u datoteci. U datotekama su svi računi tog razdoblja, pa i oni koji još nemaju JIR: oni su uvijek označeni.',
  },
  toHint: { en: 'This day is included.', hr: 'Taj je dan uključen.' },
  presets: { en: 'Periods', hr: 'Razdoblja' },
  today: { en: 'Today', hr: 'Danas' },
  thisMonth: { en: 'This month', hr: 'Ovaj mjesec' },
  lastMonth: { en: 'Last month', hr: 'Prošli mjesec' },
  thisYear: { en: 'This year', hr: 'Ova godina' },
  lastYear: { en: 'Last year', hr: 'Prošla godina' },
  premises: { en: 'Premises code', hr: 'Oznaka poslovnog prostora' },
  premisesHint: { en: 'Empty means all premises.', hr: 'Prazno znači svi poslovni prostori.' },
  what: { en: 'What', hr: 'Što' },
  whats: {
    turnover: { en: 'Revenue', hr: 'Promet' },
    tax: { en: 'Tax by rate', hr: 'Porez po stopama' },
    invoices: { en: 'Invoices, each in its own row', hr: 'Računi, svaki u zasebnom retku' },
  },
  whatHint: {
    en: 'Excel files of revenue have the tax on a second sheet, and totals of each company.',
    hr: 'Excel datoteka prometa na drugom listu ima i porez, a na kraju zbroj svake tvrtke.',
  },
  by: { en: 'By', hr: 'Po čemu' },
  byHint: { en: 'For revenue and tax.', hr: 'Za promet i porez.' },
  groupings: {
    month: { en: 'by month and premises', hr: 'po mjesecima i poslovnim prostorima' },
    day: { en: 'by day and premises', hr: 'po danima i poslovnim prostorima' },
    company_month: { en: 'by month, whole company', hr: 'po mjesecima, cijela tvrtka' },
    company_day: { en: 'by day, whole company', hr: 'po danima, cijela tvrtka' },
  },
  format: { en: 'Format', hr: 'Oblik datoteke' },
  formats: { xlsx: { en: 'Excel (XLSX)', hr: 'Excel (XLSX)' }, csv: { en: 'CSV', hr: 'CSV' } },
  download: { en: 'Download the file', hr: 'Preuzmi datoteku' },
  madeAt: { en: (at: string) => `Made: ${at}`, hr: (at: string) => `Izrađeno: ${at}` },
  total: { en: 'Total', hr: 'Ukupno' },
  whichOne: {
    en: 'Choose XLSX to open the file in Excel or LibreOffice: amounts, dates, OIBs and invoice numbers are shown unchanged. CSV is for accounting programs (semicolons, decimal commas, UTF-8).',
    hr: 'Za pregled u Excelu ili LibreOfficeu odaberite XLSX: brojevi, datumi, OIB-ovi i brojevi računa ondje ostaju točno onakvi kakvi jesu. CSV je za uvoz u knjigovodstveni program (točka sa zarezom, decimalni zarez, UTF-8).',
  },
  progress: {
    en: (total: number, written: string, all: string) =>
      `The file is being made: ${written} of ${all} ${total === 1 ? 'invoice' : 'invoices'}.`,
    hr: (_total: number, written: string, all: string) =>
      `Datoteka se izrađuje: zapisano je ${written} od ${all} računa.`,
  },
  takesTime: {
    en: 'The file is made while it is downloaded. With hundreds of thousands of invoices that may take some minutes.',
    hr: 'Datoteka se izrađuje tijekom preuzimanja. Za stotine tisuća računa to može potrajati nekoliko minuta.',
  },
  errors: {
    date: { en: 'Enter a date such as 22/11/2026.', hr: 'Upišite datum, npr. 22. 11. 2026.' },
    order: { en: 'The last day cannot be before the first one.', hr: 'Posljednji dan ne može biti prije prvoga.' },
    premises: {
      en: 'A premises code has letters and digits only.',
      hr: 'Oznaka poslovnog prostora ima samo slova i znamenke.',
    },
  },
  modesHint: {
    en: 'Test sales do not count as revenue and do not go into the books.',
    hr: 'Testna prodaja nije promet i ne knjiži se.',
  },
  sale: { en: 'sale', hr: 'prodaja' },
  refund: { en: 'refund', hr: 'storno' },
  withJir: { en: 'with JIR', hr: 's JIR-om' },
  withoutJir: { en: 'without JIR', hr: 'bez JIR-a' },
  yes: { en: 'yes', hr: 'da' },
  no: { en: 'no', hr: 'ne' },
  statuses: INVOICE_STATUSES,
  sheets: {
    invoices: { en: 'Invoices', hr: 'Računi' },
    totals: { en: 'Revenue', hr: 'Promet' },
    parts: { en: 'Tax', hr: 'Porez' },
  },
  files: {
    invoices: { en: 'invoices', hr: 'racuni' },
    turnover: { en: 'revenue', hr: 'promet' },
    tax: { en: 'tax', hr: 'porez' },
    day: { en: 'by-day', hr: 'po-danima' },
    month: { en: 'by-month', hr: 'po-mjesecima' },
    test: { en: 'test', hr: 'test' },
  },
  parts: {
    ...PART_NAMES,
    vat: { en: 'VAT', hr: 'PDV' },
    fee: { en: 'Fees', hr: 'Naknade' },
  },
  columns: {
    ...PART_NAMES,
    ...BOOK_COLUMNS,
    number: { en: 'Invoice number', hr: 'Broj računa' },
    date: { en: 'Date', hr: 'Datum' },
    month: { en: 'Month', hr: 'Mjesec' },
    time: { en: 'Time', hr: 'Vrijeme' },
    device: { en: 'Device', hr: 'Uređaj' },
    kind: { en: 'Kind', hr: 'Vrsta' },
    payment: { en: 'Payment method', hr: 'Način plaćanja' },
    fee: { en: 'Fees', hr: 'Naknade' },
    status: { en: 'Status', hr: 'Stanje' },
    jirStatus: { en: 'JIR status', hr: 'Status JIR-a' },
    confirmedAt: { en: 'Confirmed', hr: 'Potvrđen' },
    late: { en: 'Delivered late', hr: 'Naknadna dostava' },
    operator: { en: 'OIB of the operator', hr: 'OIB operatera' },
    recipient: { en: 'OIB of the buyer', hr: 'OIB kupca' },
    mode: { en: 'Mode', hr: 'Način rada' },
    id: { en: 'Record ID', hr: 'Oznaka zapisa' },
    correctedPayment: { en: 'Payment method after correction', hr: 'Način plaćanja nakon ispravka' },
    correctedRecipient: { en: 'OIB of the buyer after correction', hr: 'OIB kupca nakon ispravka' },
    part: { en: 'Part', hr: 'Stavka' },
    rate: { en: 'Rate (%)', hr: 'Stopa %' },
    baseOf: { en: 'Base (EUR)', hr: 'Osnovica (EUR)' },
    taxOf: { en: 'Tax (EUR)', hr: 'Porez (EUR)' },
    amount: { en: 'Amount (EUR)', hr: 'Iznos (EUR)' },
  },
})

export type Texts = (typeof texts)['hr']
