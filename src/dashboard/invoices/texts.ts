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
const kindInEnglish = (mode: 'live' | 'test' | null) => (mode === null ? '' : mode === 'live' ? 'live ' : 'test ')

const STATUS_NAMES = {
  confirmed_hr: 'Potvrđen',
  confirmed_en: 'Confirmed',
  retrying_hr: 'Čeka ponovno slanje',
  retrying_en: 'Waiting to be sent again',
  failed_hr: 'Odbijen',
  failed_en: 'Refused',
  expired_hr: 'Istekao rok',
  expired_en: 'Expired',
  pending_hr: 'Upravo se šalje',
  pending_en: 'Being sent',
}

export const texts = inBoth({
  ...SALES_TEXTS,
  title_hr: 'Računi',
  title_en: 'Invoices',
  search_hr: 'Traži',
  search_en: 'Search',
  searchHint_hr: 'Broj računa (123 ili 123/POSL1/1), JIR ili ZKI. Dovoljno je prvih 8 znakova JIR-a ili ZKI-ja.',
  searchHint_en: 'Invoice number (123 or 123/POSL1/1), JIR or ZKI. The first 8 characters of a JIR or ZKI are enough.',
  find_hr: 'Pronađi',
  find_en: 'Find',
  clear_hr: 'Poništi pretragu',
  clear_en: 'Clear the search',
  notUnderstood_hr:
    'To nije ni broj računa, ni JIR, ni ZKI. Upišite broj kako piše na računu, npr. 123/POSL1/1, ili barem prvih 8 znakova JIR-a ili ZKI-ja.',
  notUnderstood_en:
    'This is not an invoice number, a JIR or a ZKI. Enter the number as it is on the receipt, such as 123/POSL1/1, or at least the first 8 characters of the JIR or ZKI.',
  foundNothing_hr:
    'Takav račun ne postoji. Provjerite jeste li točno prepisali broj ili kod; velika i mala slova nisu važna.',
  foundNothing_en:
    'There is no such invoice. Check that you have copied the number or code exactly; upper and lower case do not matter.',
  found_hr: (n: number) =>
    `${plural(n, 'Pronađen', 'Pronađena', 'Pronađeno')} ${plural(n, 'je', 'su', 'je')} ${counted(n)}.`,
  found_en: (n: number) => `${countedInEnglish(n)} found.`,
  foundMore_hr: (n: number) =>
    `Prikazano je najnovijih ${n}. Upišite cijeli broj računa, npr. 123/POSL1/1, ili više znakova koda.`,
  foundMore_en: (n: number) =>
    `The latest ${n} are shown. Enter the whole number, such as 123/POSL1/1, or more characters of the code.`,
  filter_hr: 'Suzi popis',
  filter_en: 'Filter',
  filtered_hr: 'Nisu prikazani svi računi.',
  filtered_en: 'Only some of the invoices are shown.',
  premises_hr: 'Poslovni prostor',
  premises_en: 'Premises',
  status_hr: 'Stanje',
  status_en: 'Status',
  allStatuses_hr: 'Sva stanja',
  allStatuses_en: 'Any status',
  allModes_hr: 'Stvarni i testni rad',
  allModes_en: 'Live and test',
  apply_hr: 'Prikaži',
  apply_en: 'Show',
  reset_hr: 'Prikaži sve',
  reset_en: 'Show all',
  badPremises_hr: 'Oznaka se sastoji samo od slova i znamenaka, najviše 20.',
  badPremises_en: 'A premises code has only letters and digits, at most 20.',
  wrongMoments: {
    date_hr: 'Upišite datum, npr. 22. 11. 2026.',
    date_en: 'Enter a date such as 22/11/2026.',
    clock_hr: 'Upišite vrijeme, npr. 14:30.',
    clock_en: 'Enter a time such as 14:30.',
    clock_alone_hr: 'Uz vrijeme upišite i datum.',
    clock_alone_en: 'Enter the date as well.',
  },
  badAmount_hr: 'Upišite iznos, npr. 12,50.',
  badAmount_en: 'Enter an amount such as 12.50.',
  noSuchDevice_hr: 'Nema uređaja s tim nazivom.',
  noSuchDevice_en: 'There is no device of this name.',
  severalDevices_hr: 'Više tvrtki ima uređaj s tim nazivom. Odaberite i tvrtku.',
  severalDevices_en: 'Several companies have a device of this name. Choose the company, too.',
  deviceName_hr: 'Upišite cijeli naziv uređaja.',
  deviceName_en: 'Enter the whole name of the device.',
  gateway_hr: 'Pristupnik',
  gateway_en: 'Gateway',
  age_hr: 'Vrijeme bez JIR-a',
  age_en: 'Time without JIR',
  anyAge_hr: 'Bilo koje',
  anyAge_en: 'Any',
  ages: {
    young_hr: 'u zakonskom roku (dva radna dana)',
    young_en: 'within the legal deadline (two working days)',
    legal_hr: 'dulje od dva radna dana, do 21. dana',
    legal_en: 'longer than two working days, up to day 21',
    day_21_hr: 'od 21. do 25. dana',
    day_21_en: 'day 21 to day 25',
    day_25_hr: 'od 25. do 28. dana',
    day_25_en: 'day 25 to day 28',
    day_28_hr: 'od 28. do 30. dana',
    day_28_en: 'day 28 to day 30',
    too_late_hr: 'dulje od 30 dana: više se ne mogu poslati',
    too_late_en: 'longer than 30 days: they can no longer be sent',
  },
  cause_hr: 'Uzrok',
  cause_en: 'Cause',
  anyCause_hr: 'Svi uzroci',
  anyCause_en: 'Any cause',
  anyPayment_hr: 'Svi načini',
  anyPayment_en: 'Any payment method',
  amount_hr: 'Točan iznos',
  amount_en: 'Exact amount',
  amountFrom_hr: 'Iznos od',
  amountFrom_en: 'Amount from',
  amountTo_hr: 'Iznos do',
  amountTo_en: 'Amount to',
  fromTime_hr: 'Vrijeme od',
  fromTime_en: 'From time',
  toTime_hr: 'Vrijeme do',
  toTime_en: 'To time',
  sum_hr: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
    `${count} ${kindIn(mode, n)}${plural(n, 'račun', 'računa', 'računa')}, ukupno ${money}`,
  sum_en: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
    `${count} ${kindInEnglish(mode)}${n === 1 ? 'invoice' : 'invoices'}, ${money} in total`,
  atLeast_hr: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
    `Najmanje ${count} ${kindIn(mode, n)}${plural(n, 'račun', 'računa', 'računa')}, ukupno najmanje ${money}. Suzite popis, npr. na nekoliko dana, da se prebroje svi.`,
  atLeast_en: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
    `At least ${count} ${kindInEnglish(mode)}${n === 1 ? 'invoice' : 'invoices'}, at least ${money} in total. Narrow the list down, for example to a few days, to have all of them counted.`,
  moreThan_hr: (n: number, count: string, mode: 'live' | 'test' | null) =>
    `Više od ${count} ${kindIn(mode, 5)}${plural(n, 'računa', 'računa', 'računa')}`,
  moreThan_en: (_n: number, count: string, mode: 'live' | 'test' | null) =>
    `More than ${count} ${kindInEnglish(mode)}invoices`,
  searchedTo_hr: (time: string) => `Pretraženi su računi do ${time}. Pretraga se nastavlja na sljedećoj stranici.`,
  searchedTo_en: (time: string) => `Searched up to the invoice of ${time}. The search continues on the next page.`,
  searchOn_hr: 'Zasad nije pronađen račun koji odgovara filtru.',
  searchOn_en: 'No matching invoice has been found so far.',
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
  payment_en: 'Payment method',
  none_hr: 'Nema računa koji odgovaraju filtru.',
  none_en: 'No invoice matches your choice.',
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
    without_jir_hr: 'Bez JIR-a, a još ga mogu dobiti',
    without_jir_en: 'Without JIR, but can still get one',
    ...STATUS_NAMES,
  },
})

export type Texts = (typeof texts)['hr']
