import { CLOSING_WORDS } from '../../reports/closings/texts.ts'
import { inBoth, invoicesIn, plural } from '../language.ts'
import { MAIL_TEXTS, SALES_TEXTS } from '../shared-texts.ts'

const premisesHr = (n: number) => `${n} ${plural(n, 'poslovnog prostora', 'poslovna prostora', 'poslovnih prostora')}`

export const texts = inBoth({
  ...SALES_TEXTS,
  ...CLOSING_WORDS,
  title: { en: 'Closings', hr: 'Zaključci prometa' },
  about: {
    en: 'A closing contains the totals of the invoices of one premises for a day or a month. A closing never changes. A closing is not a fiscal receipt.',
    hr: 'Zaključak sadrži zbrojeve računa jednog poslovnog prostora za dan ili mjesec. Jednom izrađen više se ne mijenja. Zaključak nije fiskalni račun.',
  },
  views: {
    town: { en: 'By company and place', hr: 'Po tvrtkama i mjestima' },
    group: { en: 'By group', hr: 'Po skupinama' },
    month: { en: 'By premises', hr: 'Po prostorima' },
    day: { en: 'By day', hr: 'Po danima' },
  },
  viewsAbout: { en: 'By what', hr: 'Po čemu' },
  places: {
    town: { en: 'Company and place', hr: 'Tvrtka i mjesto' },
    group: { en: 'Company and group', hr: 'Tvrtka i skupina' },
  },
  nameless: { town: { en: 'no place', hr: 'bez mjesta' }, group: { en: 'no group', hr: 'bez skupine' } },
  basis: {
    town: {
      en: 'Turnover known here. The place is that of the address that a device has today.',
      hr: 'Promet koji je dosad ovdje zaprimljen. Mjesto je iz adrese koju uređaj ima danas.',
    },
    group: {
      en: 'Turnover known here. A device of several groups counts in each, and once in its company.',
      hr: 'Promet koji je dosad ovdje zaprimljen. Uređaj iz više skupina ubraja se u svaku, a u tvrtku jednom.',
    },
  },
  comparedUntil: {
    en: (day: string) => `Compared up to ${day} with the same days of the month before and of the year before.`,
    hr: (day: string) => `Uspoređuju se dani do ${day} s istim danima mjesec i godinu prije.`,
  },
  comparedWhole: { en: 'Whole months are compared.', hr: 'Uspoređuju se cijeli mjeseci.' },
  comparedLater: { en: 'Compared from tomorrow on.', hr: 'Usporedba počinje sutra.' },
  monthBefore: { en: 'Month before', hr: 'Mjesec prije' },
  yearBefore: { en: 'Year before', hr: 'Godina prije' },
  moneyCaption: { en: (month: string) => `Turnover: ${month}`, hr: (month: string) => `Promet: ${month}` },
  closedHead: { en: 'Closed', hr: 'Zaključeno' },
  closedOf: {
    en: (closed: number, premises: number) => `${closed} of ${premises}`,
    hr: (closed: number, premises: number) => `${closed} od ${premises}`,
  },
  closedState: { en: (closed: string) => `Closed ${closed}`, hr: (closed: string) => `Zaključeno ${closed}` },
  withoutJirNow: { en: (count: string) => `without JIR ${count}`, hr: (count: string) => `bez JIR-a ${count}` },
  sentOn: { en: (day: string) => `mailed ${day}`, hr: (day: string) => `poslano e-poštom ${day}` },
  toBookkeeper: { en: 'Send to the bookkeeper …', hr: 'Pošalji knjigovodstvu …' },
  workbook: { en: 'Download XLSX', hr: 'Preuzmi XLSX' },
  day: { en: 'Day', hr: 'Dan' },
  month: { en: 'Month', hr: 'Mjesec' },
  show: { en: 'Show', hr: 'Prikaži' },
  premises: { en: 'Premises code', hr: 'Oznaka poslovnog prostora' },
  notOver: {
    en: 'The period is not over yet. It can be closed when it has ended.',
    hr: 'Razdoblje još traje. Zaključiti se može tek kad završi.',
  },
  noSales: { en: 'There are no invoices in this period.', hr: 'U ovom razdoblju nema računa.' },
  allClosed: {
    en: (premises: number) => `The period is closed. Premises with sales: ${premises}.`,
    hr: (premises: number) => `Sve je zaključeno. Poslovnih prostora s prometom: ${premises}.`,
  },
  open: {
    en: (premises: number, invoices: number) => `Not closed yet: ${invoicesIn.en(invoices)}. Premises: ${premises}.`,
    hr: (premises: number, invoices: number) =>
      `Nije zaključeno: ${invoicesIn.hr(invoices)} iz ${premisesHr(premises)}.`,
  },
  late: {
    en: 'Invoices that came after a closing go into a supplementary one; the earlier closing does not change.',
    hr: 'Računi pristigli nakon zaključenja ulaze u dopunski zaključak; raniji se zaključak ne mijenja.',
  },
  close: { en: (period: string) => `Close ${period}`, hr: (period: string) => `Zaključi ${period}` },
  closeConfirm: {
    en: (period: string, invoices: number) =>
      `Close ${period} (${invoicesIn.en(invoices)})? A closing cannot be changed or removed.`,
    hr: (period: string, invoices: number) =>
      `Zaključuje se razdoblje ${period}, ${invoicesIn.hr(invoices)}. Zaključak se ne može promijeniti ni izbrisati.`,
  },
  running: {
    en: (done: number, of: number) => `Closing: ${done} of ${of} premises are done.`,
    hr: (done: number, of: number) => `Zaključivanje traje. Zaključeni poslovni prostori: ${done} od ${of}.`,
  },
  sums: {
    en: (closings: number) => `Total (closings: ${closings})`,
    hr: (closings: number) => `Ukupno (broj zaključaka: ${closings})`,
  },
  list: { en: 'Closings by premises', hr: 'Zaključci po poslovnim prostorima' },
  invoices: { en: 'Invoices', hr: 'Računi' },
  cash: { en: 'Cash', hr: 'Gotovina' },
  card: { en: 'Card', hr: 'Kartica' },
  corrections: { en: 'Corrected at the tax authority', hr: 'Ispravljeno kod Porezne uprave' },
  correctionsAbout: {
    en: 'The sums have these invoices as they were issued.',
    hr: 'U zbrojevima su ovi računi onakvi kakvi su izdani.',
  },
  withoutJirAbout: {
    en: 'State at the time of closing; these invoices may get a JIR later.',
    hr: 'Stanje u trenutku zaključenja; ti računi JIR mogu dobiti naknadno.',
  },
  refunds: { en: 'Of these, refunds', hr: 'Od toga storno' },
  payment: { en: 'Payment', hr: 'Način plaćanja' },
  part: { en: 'Taxes and other amounts', hr: 'Porez i ostalo' },
  base: { en: 'Base', hr: 'Osnovica' },
  tax: { en: 'Tax', hr: 'Porez' },
  amount: { en: 'Amount', hr: 'Iznos' },
  numbers: { en: 'Invoice numbers', hr: 'Brojevi računa' },
  supplement: { en: (number: number) => `supplementary ${number}`, hr: (number: number) => `dopunski ${number}` },
  closingOf: { en: (period: string) => `Closing of ${period}`, hr: (period: string) => `Zaključak za ${period}` },
  supplementOf: {
    en: (period: string) => `Supplementary closing of ${period}`,
    hr: (period: string) => `Dopunski zaključak za ${period}`,
  },
  closedAt: { en: 'Closed', hr: 'Zaključeno' },
  place: { en: 'Premises', hr: 'Poslovni prostor' },
  gateway: { en: 'Gateway', hr: 'Pristupnik' },
  gatewaySaid: {
    en: (name: string, seen: string, waiting: number | null) =>
      `${name}, last report: ${seen}${waiting ? `; records not received: ${waiting}` : ''}`,
    hr: (name: string, seen: string, waiting: number | null) =>
      `${name}, posljednje javljanje: ${seen}${waiting ? `; još neposlanih podataka: ${waiting}` : ''}`,
  },
  never: { en: 'never', hr: 'nikad' },
  verify: { en: 'Check the totals', hr: 'Provjeri zbrojeve prema računima' },
  verified: { en: 'The totals of the invoices match the closing.', hr: 'Zbrojevi računa odgovaraju zaključku.' },
  differs: {
    en: 'The closing does not match its invoices: the data were changed outside fiskd. Call your technician.',
    hr: 'Zaključak ne odgovara računima: podaci su mijenjani izvan programa.',
  },
  print: { en: (label: string) => `Print at ${label}`, hr: (label: string) => `Ispiši na pisaču uređaja ${label}` },
  ...MAIL_TEXTS,
  schedules: { en: 'Regular mailing', hr: 'Redovito slanje e-poštom' },
  back: { en: 'All closings', hr: 'Svi zaključci' },
  file: { en: 'Download for bookkeeping (CSV)', hr: 'Preuzmi za knjigovodstvo (CSV)' },
})

export type Texts = (typeof texts)['hr']
