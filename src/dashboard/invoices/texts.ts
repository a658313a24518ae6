import { inBoth, plural } from '../language.ts'
import { SALES_TEXTS } from '../shared-texts.ts'

const counted = (n: number) => `${n} ${plural(n, 'račun', 'računa', 'računa')}`
const countedInEnglish = (n: number) => (n === 1 ? '1 invoice' : `${n} invoices`)

export const texts = inBoth({
  ...SALES_TEXTS,
  title_hr: 'Računi',
  title_en: 'Invoices',
  search_hr: 'Traži',
  search_en: 'Search',
  searchHint_hr: 'Broj računa (123 ili 123/POSL1/1), JIR ili ZKI. Od JIR-a i ZKI-ja dovoljno je prvih 8 znakova.',
  searchHint_en: 'Invoice number (123 or 123/POSL1/1), JIR or ZKI. Of a JIR or ZKI the first 8 characters are enough.',
  find_hr: 'Pronađi',
  find_en: 'Find',
  clear_hr: 'Poništi pretragu',
  clear_en: 'Clear the search',
  notUnderstood_hr:
    'To nije ni broj računa ni JIR ni ZKI. Upišite broj kao na računu, npr. 123/POSL1/1, ili barem prvih 8 znakova JIR-a ili ZKI-ja.',
  notUnderstood_en:
    'This is no invoice number, JIR or ZKI. Write the number as on the receipt, such as 123/POSL1/1, or at least the first 8 characters of the JIR or ZKI.',
  foundNothing_hr:
    'Takvog računa nema. Provjerite jeste li točno prepisali broj ili kod; velika i mala slova nisu važna.',
  foundNothing_en: 'There is no such invoice. Check whether you have copied it exactly; capitals do not matter.',
  found_hr: (n: number) =>
    `${plural(n, 'Pronađen', 'Pronađena', 'Pronađeno')} ${plural(n, 'je', 'su', 'je')} ${counted(n)}.`,
  found_en: (n: number) => `Found: ${countedInEnglish(n)}.`,
  foundMore_hr: (n: number) =>
    `Prikazano je najnovijih ${n}. Upišite cijeli broj računa, npr. 123/POSL1/1, ili više znakova koda.`,
  foundMore_en: (n: number) =>
    `The latest ${n} are shown. Write the whole number, such as 123/POSL1/1, or more characters of the code.`,
  filter_hr: 'Suzi popis',
  filter_en: 'Narrow down',
  filtered_hr: 'Popis je sužen.',
  filtered_en: 'The list is narrowed down.',
  premises_hr: 'Poslovni prostor',
  premises_en: 'Premises',
  status_hr: 'Stanje',
  status_en: 'Status',
  allStatuses_hr: 'Sva stanja',
  allStatuses_en: 'Any status',
  allModes_hr: 'Stvarna i testna',
  allModes_en: 'Real and test',
  apply_hr: 'Prikaži',
  apply_en: 'Show',
  reset_hr: 'Prikaži sve',
  reset_en: 'Show all',
  badDate_hr: 'Upišite datum, npr. 22.11.2026.',
  badDate_en: 'Write a date such as 22.11.2026.',
  badPremises_hr: 'Oznaka ima samo slova i brojke, najviše 20.',
  badPremises_en: 'The code has letters and digits only, 20 at most.',
  caption_hr: 'Računi, najnoviji prvi',
  caption_en: 'Invoices, the latest first',
  number_hr: 'Broj računa',
  number_en: 'Number',
  time_hr: 'Vrijeme prodaje',
  time_en: 'Sold at',
  place_hr: 'Uređaj i prostor',
  place_en: 'Device and premises',
  total_hr: 'Iznos',
  total_en: 'Amount',
  payment_hr: 'Plaćanje',
  payment_en: 'Payment',
  none_hr: 'Nema računa koji odgovaraju odabiru.',
  none_en: 'No invoice fits what you have chosen.',
  refund_hr: 'storno',
  refund_en: 'refund',
  testSale_hr: 'test',
  testSale_en: 'test',
  seeFailed_hr: 'Odbijeni računi po uzroku',
  seeFailed_en: 'Refused invoices by cause',
  statuses: {
    confirmed_hr: 'Potvrđen',
    confirmed_en: 'Confirmed',
    retrying_hr: 'Čeka ponovno slanje',
    retrying_en: 'Waits to be sent again',
    failed_hr: 'Odbijen',
    failed_en: 'Refused',
    expired_hr: 'Istekao rok',
    expired_en: 'Out of time',
    pending_hr: 'Upravo se šalje',
    pending_en: 'Being sent',
  },
})

export type Texts = (typeof texts)['hr']
