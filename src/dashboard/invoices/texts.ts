import { inBoth, invoicesIn, plural } from '../language.ts'
import { SALES_TEXTS } from '../shared-texts.ts'

const kindIn = (mode: 'live' | 'test' | null, n: number) =>
  mode === null
    ? ''
    : mode === 'live'
      ? `${plural(n, 'stvarni', 'stvarna', 'stvarnih')} `
      : `${plural(n, 'testni', 'testna', 'testnih')} `
const kindInEnglish = (mode: 'live' | 'test' | null) => (mode === null ? '' : mode === 'live' ? 'live ' : 'test ')

const STATUS_NAMES = {
  confirmed: { en: 'Confirmed', hr: 'Potvrđen' },
  retrying: { en: 'Waiting', hr: 'Na čekanju' },
  failed: { en: 'Refused', hr: 'Odbijen' },
  expired: { en: 'Expired', hr: 'Rok istekao' },
  pending: { en: 'Being sent', hr: 'Upravo se šalje' },
}

export const texts = inBoth({
  ...SALES_TEXTS,
  title: { en: 'Invoices', hr: 'Računi' },
  searchHint: { en: 'Number, JIR, ZKI or amount', hr: 'Broj, JIR, ZKI ili iznos' },
  everything: { en: 'All', hr: 'Svi' },
  refusedOnes: { en: 'Refused', hr: 'Odbijeni' },
  period: { en: 'Period', hr: 'Razdoblje' },
  periods: {
    today: { en: 'Today', hr: 'Danas' },
    yesterday: { en: 'Yesterday', hr: 'Jučer' },
    thisWeek: { en: 'This week', hr: 'Ovaj tjedan' },
    thisMonth: { en: 'This month', hr: 'Ovaj mjesec' },
    lastMonth: { en: 'Last month', hr: 'Prošli mjesec' },
  },
  oib: { en: 'OIB of the company', hr: 'OIB tvrtke' },
  id: { en: 'Record ID', hr: 'Oznaka zapisa' },
  noneYet: { en: 'There are no invoices yet.', hr: 'Još nema računa.' },
  notUnderstood: {
    en: 'Enter the number as it is on the receipt, such as 123/POSL1/1, or at least the first 8 characters of the JIR or ZKI.',
    hr: 'Upišite broj kako piše na računu, npr. 123/POSL1/1, ili barem prvih 8 znakova JIR-a ili ZKI-ja.',
  },
  foundNothing: {
    en: 'There is no such invoice. Check that you have copied the number or code exactly; upper and lower case do not matter.',
    hr: 'Takav račun ne postoji. Provjerite jeste li točno prepisali broj ili kod; velika i mala slova nisu važna.',
  },
  found: {
    en: (n: number) => `${invoicesIn.en(n)} found.`,
    hr: (n: number) =>
      `${plural(n, 'Pronađen', 'Pronađena', 'Pronađeno')} ${plural(n, 'je', 'su', 'je')} ${invoicesIn.hr(n)}.`,
  },
  foundMore: {
    en: (n: number) =>
      `The latest ${n} are shown. Enter the whole number, such as 123/POSL1/1, or more characters of the code.`,
    hr: (n: number) =>
      `Prikazano je najnovijih ${n}. Upišite cijeli broj računa, npr. 123/POSL1/1, ili više znakova koda.`,
  },
  premises: { en: 'Premises', hr: 'Poslovni prostor' },
  status: { en: 'Status', hr: 'Stanje' },
  badPremises: {
    en: 'A premises code has only letters and digits, at most 20.',
    hr: 'Oznaka se sastoji samo od slova i znamenaka, najviše 20.',
  },
  wrongMoments: {
    date: { en: 'Enter a date such as 22/11/2026.', hr: 'Upišite datum, npr. 22. 11. 2026.' },
    clock: { en: 'Enter a time such as 14:30.', hr: 'Upišite vrijeme, npr. 14:30.' },
    clock_alone: { en: 'Enter the date as well.', hr: 'Uz vrijeme upišite i datum.' },
  },
  badAmount: { en: 'Enter an amount such as 12.50.', hr: 'Upišite iznos, npr. 12,50.' },
  noSuchDevice: {
    en: (like: string) => `There is no device of this name.${like && ` Similar: ${like}.`}`,
    hr: (like: string) => `Nema uređaja s tim nazivom.${like && ` Slični: ${like}.`}`,
  },
  noSuchGateway: {
    en: (like: string) => `There is no gateway of this name.${like && ` Similar: ${like}.`}`,
    hr: (like: string) => `Nema pristupnika s tim nazivom.${like && ` Slični: ${like}.`}`,
  },
  severalDevices: {
    en: 'Several companies have a device of this name. Choose the company, too.',
    hr: 'Više tvrtki ima uređaj s tim nazivom. Odaberite i tvrtku.',
  },
  deviceName: {
    en: 'Type a part of the name or address, then choose.',
    hr: 'Upišite dio naziva ili adrese, pa odaberite.',
  },
  gateway: { en: 'Gateway', hr: 'Pristupnik' },
  age: { en: 'Time without JIR', hr: 'Vrijeme bez JIR-a' },
  ages: {
    young: { en: 'up to two working days', hr: 'do dva radna dana' },
    older: { en: 'longer than two working days, up to day 21', hr: 'dulje od dva radna dana, do 21. dana' },
    day_21: { en: 'day 21 to day 25', hr: 'od 21. do 25. dana' },
    day_25: { en: 'day 25 to day 28', hr: 'od 25. do 28. dana' },
    day_28: { en: 'day 28 to day 30', hr: 'od 28. do 30. dana' },
    too_late: {
      en: 'longer than 30 days: they can no longer be sent',
      hr: 'dulje od 30 dana: više se ne mogu poslati',
    },
  },
  cause: { en: 'Cause', hr: 'Uzrok' },
  amount: { en: 'Exact amount', hr: 'Točan iznos' },
  amountFrom: { en: 'Amount from', hr: 'Iznos od' },
  amountTo: { en: 'Amount to', hr: 'Iznos do' },
  fromTime: { en: 'From time', hr: 'Vrijeme od' },
  toTime: { en: 'To time', hr: 'Vrijeme do' },
  sum: {
    en: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
      `${count} ${kindInEnglish(mode)}${n === 1 ? 'invoice' : 'invoices'}, ${money} in total`,
    hr: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
      `${count} ${kindIn(mode, n)}${plural(n, 'račun', 'računa', 'računa')}, ukupno ${money}`,
  },
  atLeast: {
    en: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
      `At least ${count} ${kindInEnglish(mode)}${n === 1 ? 'invoice' : 'invoices'}, at least ${money} in total. Choose a shorter period, such as a few days, to have all of them counted.`,
    hr: (n: number, count: string, money: string, mode: 'live' | 'test' | null) =>
      `Najmanje ${count} ${kindIn(mode, n)}${plural(n, 'račun', 'računa', 'računa')}, ukupno najmanje ${money}. Odaberite kraće razdoblje, npr. nekoliko dana, da se prebroje svi.`,
  },
  moreThan: {
    en: (_n: number, count: string, mode: 'live' | 'test' | null) =>
      `More than ${count} ${kindInEnglish(mode)}invoices`,
    hr: (n: number, count: string, mode: 'live' | 'test' | null) =>
      `Više od ${count} ${kindIn(mode, 5)}${plural(n, 'računa', 'računa', 'računa')}`,
  },
  searchedTo: {
    en: (time: string) => `Searched up to the invoice of ${time}. The search continues on the next page.`,
    hr: (time: string) => `Pretraženi su računi do ${time}. Pretraga se nastavlja na sljedećoj stranici.`,
  },
  searchOn: { en: 'No matching invoice has been found so far.', hr: 'Zasad nije pronađen račun koji odgovara filtru.' },
  deadline: { en: (date: string) => `due ${date}`, hr: (date: string) => `rok ${date}` },
  captions: {
    newest: { en: 'Invoices, the latest first', hr: 'Računi, najnoviji prvi' },
    oldest: { en: 'Invoices, the oldest first', hr: 'Računi, najstariji prvi' },
    largest: { en: 'Invoices, the largest amount first', hr: 'Računi, najveći iznos prvi' },
    smallest: { en: 'Invoices, the smallest amount first', hr: 'Računi, najmanji iznos prvi' },
  },
  number: { en: 'Number', hr: 'Broj računa' },
  time: { en: 'Sold at', hr: 'Vrijeme prodaje' },
  place: { en: 'Device and premises', hr: 'Uređaj i prostor' },
  total: { en: 'Amount', hr: 'Iznos' },
  payment: { en: 'Payment method', hr: 'Plaćanje' },
  none: { en: 'No invoice matches your choice.', hr: 'Nema računa koji odgovaraju filtru.' },
  refund: { en: 'refund', hr: 'storno' },
  testSale: { en: 'test', hr: 'test' },
  seeFailed: { en: 'Refused invoices by cause', hr: 'Odbijeni računi po uzroku' },
  statuses: STATUS_NAMES,
  wantedStatuses: {
    waiting: { en: 'Without JIR, waiting', hr: 'Bez JIR-a, na čekanju' },
    without_jir: { en: 'Without JIR, waiting or refused', hr: 'Bez JIR-a, na čekanju ili odbijen' },
    ...STATUS_NAMES,
  },
})

export type Texts = (typeof texts)['hr']
