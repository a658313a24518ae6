import { BOOK_COLUMNS, PART_NAMES } from '../../domain/texts/sale-texts.ts'
import { inBoth } from '../language.ts'
import { SALES_TEXTS } from '../shared-texts.ts'

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
  invoicesTitle: { en: 'Invoices', hr: 'Računi' },
  invoicesAbout: {
    en: 'Each invoice in its own row, with base and VAT by rate, JIR and ZKI.',
    hr: 'Svaki račun u svom retku, s osnovicom i PDV-om po stopama, JIR-om i ZKI-jem.',
  },
  totalsTitle: { en: 'Totals', hr: 'Zbrojevi' },
  totalsAbout: {
    en: 'Revenue by payment method, and tax by rate. Invoices with and without a JIR are listed separately, and so are sales and refunds.',
    hr: 'Promet po načinu plaćanja te porez po stopama. Odvojeno su iskazani računi s JIR-om i bez njega te prodaja i storno.',
  },
  per: { en: 'Totals of', hr: 'Zbrojevi za' },
  pers: {
    premises: { en: 'each premises', hr: 'svaki poslovni prostor' },
    company: { en: 'the whole company', hr: 'cijelu tvrtku' },
  },
  byDay: { en: 'by day', hr: 'po danima' },
  byMonth: { en: 'by month', hr: 'po mjesecima' },
  turnover: { en: 'Revenue', hr: 'Promet' },
  taxes: { en: 'Tax', hr: 'Porez' },
  whichOne: {
    en: 'Choose XLSX to open the file in Excel or LibreOffice: amounts, dates, OIBs and invoice numbers are shown unchanged. CSV is for accounting programs (semicolons, decimal commas, UTF-8).',
    hr: 'Za pregled u Excelu ili LibreOfficeu uzmite XLSX: brojevi, datumi, OIB-i i brojevi računa ondje ostaju točno onakvi kakvi jesu. CSV je za uvoz u knjigovodstveni program (točka sa zarezom, decimalni zarez, UTF-8).',
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
  statuses: {
    confirmed: { en: 'confirmed', hr: 'potvrđen' },
    retrying: { en: 'waiting to be sent again', hr: 'čeka ponovno slanje' },
    failed: { en: 'refused', hr: 'odbijen, treba otkloniti uzrok' },
    expired: { en: 'expired', hr: 'istekao rok' },
    pending: { en: 'being sent', hr: 'upravo se šalje' },
  },
  sheets: {
    invoices: { en: 'Invoices', hr: 'Računi' },
    totals: { en: 'Revenue', hr: 'Promet' },
    parts: { en: 'Tax', hr: 'Porez' },
  },
  files: {
    invoices: { en: 'invoices', hr: 'racuni' },
    totals: { en: 'revenue', hr: 'promet' },
    parts: { en: 'tax', hr: 'porez' },
    both: { en: 'totals', hr: 'zbrojevi' },
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
