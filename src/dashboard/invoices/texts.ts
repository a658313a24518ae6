import { inBoth, plural } from '../language.ts'
import { SALES_TEXTS } from '../shared-texts.ts'

const counted = (n: number) => `${n} ${plural(n, 'račun', 'računa', 'računa')}`
const countedInEnglish = (n: number) => (n === 1 ? '1 invoice' : `${n} invoices`)

const kindIn = (mode: 'live' | 'test' | null, n: number) =>
  mode === null
    ? ''
    : mode === 'live'
      ? `${plural(n, 'stvarni', 'stvarna', 'stvarnih')} `
      : `${plural(n, 'testni', 'testna', 'testnih')} `
const kindInEnglish = (mode: 'live' | 'test' | null) => (mode === null ? '' : mode === 'live' ? 'real ' : 'test ')

const STATUS_NAMES = {
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
}

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
  badPremises_hr: 'Oznaka ima samo slova i brojke, najviše 20.',
  badPremises_en: 'The code has letters and digits only, 20 at most.',
  wrongMoments: {
    date_hr: 'Upišite datum, npr. 22.11.2026.',
    date_en: 'Write a date such as 22.11.2026.',
    clock_hr: 'Upišite vrijeme, npr. 14:30.',
    clock_en: 'Write a time such as 14:30.',
    clock_alone_hr: 'Uz vrijeme upišite i datum.',
    clock_alone_en: 'Write the date as well as the time.',
  },
  badAmount_hr: 'Upišite iznos, npr. 12,50.',
  badAmount_en: 'Write an amount such as 12.50.',
  noSuchDevice_hr: 'Nema uređaja s tim nazivom.',
  noSuchDevice_en: 'There is no device of this name.',
  severalDevices_hr: 'Više tvrtki ima uređaj s tim nazivom. Odaberite i tvrtku.',
  severalDevices_en: 'Several companies have a device of this name. Choose the company, too.',
  deviceName_hr: 'Upišite cijeli naziv uređaja.',
  deviceName_en: 'Write the whole name of the device.',
  gateway_hr: 'Pristupnik',
  gateway_en: 'Gateway',
  age_hr: 'Koliko dugo nema JIR',
  age_en: 'Without a JIR for',
  anyAge_hr: 'Svejedno',
  anyAge_en: 'Any time',
  ages: {
    young_hr: 'u zakonskom roku (dva radna dana)',
    young_en: 'within the time of the law (two working days)',
    legal_hr: 'dulje od dva radna dana, do 21. dana',
    legal_en: 'more than two working days, up to day 21',
    day_21_hr: 'od 21. do 25. dana',
    day_21_en: 'day 21 to day 25',
    day_25_hr: 'od 25. do 28. dana',
    day_25_en: 'day 25 to day 28',
    day_28_hr: 'od 28. do 30. dana',
    day_28_en: 'day 28 to day 30',
    too_late_hr: 'više od 30 dana: ne može se više poslati',
    too_late_en: 'more than 30 days: cannot be sent any more',
  },
  cause_hr: 'Uzrok',
  cause_en: 'Cause',
  anyCause_hr: 'Svi uzroci',
  anyCause_en: 'Any cause',
  anyPayment_hr: 'Svi načini',
  anyPayment_en: 'Any payment',
  amount_hr: 'Točan iznos',
  amount_en: 'Exact amount',
  amountFrom_hr: 'Iznos od',
  amountFrom_en: 'Amount from',
  amountTo_hr: 'Iznos do',
  amountTo_en: 'Amount to',
  fromTime_hr: 'Od sata',
  fromTime_en: 'From time',
  toTime_hr: 'Do sata',
  toTime_en: 'To time',
  sum_hr: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
    `${count} ${kindIn(mode, n)}${plural(n, 'račun', 'računa', 'računa')}, ukupno ${money}`,
  sum_en: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
    `${count} ${kindInEnglish(mode)}${n === 1 ? 'invoice' : 'invoices'}, ${money} in total`,
  atLeast_hr: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
    `Najmanje ${count} ${kindIn(mode, n)}${plural(n, 'račun', 'računa', 'računa')}, ukupno najmanje ${money}. Suzite popis, npr. na nekoliko dana, i prebrojit će se svi.`,
  atLeast_en: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
    `At least ${count} ${kindInEnglish(mode)}${n === 1 ? 'invoice' : 'invoices'}, at least ${money} in total. Narrow the list down, to some days for example, and all are counted.`,
  moreThan_hr: (n: number, count: string, mode: 'live' | 'test' | null) =>
    `Više od ${count} ${kindIn(mode, 5)}${plural(n, 'računa', 'računa', 'računa')}`,
  moreThan_en: (_n: number, count: string, mode: 'live' | 'test' | null) =>
    `More than ${count} ${kindInEnglish(mode)}invoices`,
  searchedTo_hr: (time: string) => `Pretraženo je do prodaje od ${time}. Na sljedećoj stranici traži se dalje.`,
  searchedTo_en: (time: string) => `Searched up to the sale of ${time}. The next page searches on.`,
  searchOn_hr: 'Dosad nema računa koji odgovaraju odabiru.',
  searchOn_en: 'So far no invoice fits what you have chosen.',
  deadline_hr: (date: string) => `rok ${date}`,
  deadline_en: (date: string) => `due ${date}`,
  captions: {
    newest_hr: 'Računi, najnoviji prvi',
    newest_en: 'Invoices, the latest first',
    oldest_hr: 'Računi, najstariji prvi',
    oldest_en: 'Invoices, the oldest first',
    largest_hr: 'Računi, najveći iznos prvi',
    largest_en: 'Invoices, the largest amount first',
    smallest_hr: 'Računi, najmanji iznos prvi',
    smallest_en: 'Invoices, the smallest amount first',
  },
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
  statuses: STATUS_NAMES,
  wantedStatuses: {
    waiting_hr: 'Čekaju slanje',
    waiting_en: 'Waiting to be sent',
    without_jir_hr: 'Bez JIR-a, a mogu ga još dobiti',
    without_jir_en: 'Without a JIR that they can still get',
    ...STATUS_NAMES,
  },
})

export type Texts = (typeof texts)['hr']
