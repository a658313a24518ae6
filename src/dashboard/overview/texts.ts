import { inBoth, one, plural, racuna } from '../language.ts'
import { TASK_TEXTS } from './task-texts.ts'

const REVENUE_TEXTS = {
  today: { en: 'Revenue today', hr: 'Promet danas' },
  sales: {
    en: (n: number, s: string) => `${s} ${one(n, 'invoice', 'invoices')}`,
    hr: (n: number, s: string) => `${s} ${racuna(n)}`,
  },
  lastWeek: {
    en: (change: string, amount: string) =>
      `${change} compared with the same day last week up to this hour (${amount})`,
    hr: (change: string, amount: string) => `${change} u odnosu na isti dan prošlog tjedna do ovog sata (${amount})`,
  },
  month: { en: 'Revenue this month', hr: 'Promet ovog mjeseca' },
  lastMonth: {
    en: (change: string, amount: string) => `${change} compared with last month up to the same day (${amount})`,
    hr: (change: string, amount: string) => `${change} u odnosu na prošli mjesec do istog dana (${amount})`,
  },
  heading: { en: 'Revenue', hr: 'Promet' },
  range: { en: 'Period', hr: 'Razdoblje' },
  ranges: {
    hours: { en: 'today', hr: 'danas' },
    days: { en: '30 days', hr: '30 dana' },
    months: { en: '12 months', hr: '12 mjeseci' },
  },
  chart: {
    hours: {
      en: 'Revenue by hour today and on the same day last week',
      hr: 'Promet po satima danas i istog dana prošlog tjedna',
    },
    days: { en: 'Revenue by day in the last 30 days', hr: 'Promet po danima u posljednjih 30 dana' },
    months: { en: 'Revenue by month in the last 12 months', hr: 'Promet po mjesecima u posljednjih 12 mjeseci' },
  },
  now: { en: 'revenue', hr: 'promet' },
  before: { en: 'last week', hr: 'prošli tjedan' },
  saysBoth: {
    en: (period: string, amount: string, before: string) => `${period}: ${amount} (last week: ${before})`,
    hr: (period: string, amount: string, before: string) => `${period}: ${amount} (prošli tjedan: ${before})`,
  },
  summary: { en: (total: string) => `${total} in total.`, hr: (total: string) => `Ukupno ${total}.` },
  none: { en: 'Nothing was sold in this period.', hr: 'U tom razdoblju nije bilo prodaje.' },
  table: { en: 'Show the revenue as a table', hr: 'Prikaži promet u tablici' },
  period: { en: 'Period', hr: 'Razdoblje' },
  count: { en: 'Invoices', hr: 'Računi' },
}

export const texts = inBoth({
  title: { en: 'Overview', hr: 'Pregled' },
  modes: { en: 'Mode', hr: 'Način rada' },
  readiness: {
    all: { en: 'All devices are selling.', hr: 'Prodaja se odvija bez smetnji.' },
    sells: {
      en: (n: number, s: string, total: string) => `${s} of ${total} devices ${one(n, 'is', 'are')} selling`,
      hr: (n: number, s: string, total: string) =>
        `${s} od ${total} uređaja ${plural(n, 'prodaje', 'prodaju', 'prodaje')}`,
    },
    idle: {
      en: (n: number, s: string) => `${s} ${one(n, 'is', 'are')} not earning`,
      hr: (n: number, s: string) => `${s} ne ${plural(n, 'zarađuje', 'zarađuju', 'zarađuje')}`,
    },
    unknown: { en: (s: string) => `not known of ${s}`, hr: (s: string) => `za ${s} nije poznato` },
    nothing: { en: 'Nothing is set up for sales yet.', hr: 'Još ništa nije postavljeno za prodaju.' },
  },
  todo: { en: 'What to do', hr: 'Što treba učiniti' },
  nothingToDo: {
    en: 'Everything is fine. There is nothing to do.',
    hr: 'Sve je u redu: trenutačno ne treba učiniti ništa.',
  },
  away: {
    en: 'The tax authority is not answering. Sales go on, and invoices are sent automatically as soon as it answers again.',
    hr: 'Porezna uprava trenutačno ne odgovara. Prodaja se nastavlja, a računi će se poslati sami čim usluga ponovno proradi.',
  },
  closed: {
    en: 'The test service of the tax authority is closed now, as announced. Sales go on, and invoices are sent automatically when it opens.',
    hr: 'Testna usluga Porezne uprave sada ne radi, kako je i najavljeno. Prodaja se nastavlja, a računi će se poslati sami kad proradi.',
  },
  tasks: TASK_TEXTS,
  tiles: {
    waiting: { en: 'Waiting for a JIR', hr: 'Čeka JIR' },
    oldest: { en: (since: string) => `Oldest: ${since}`, hr: (since: string) => `Najstariji: ${since}` },
    noneWaiting: { en: 'No invoice is waiting', hr: 'Nijedan račun ne čeka' },
    failed: { en: 'Refused invoices', hr: 'Odbijeni računi' },
    failedSome: { en: 'Remove the cause and send again', hr: 'Otklonite uzrok i pošaljite ponovno' },
    expired: { en: 'Expired invoices', hr: 'Računi kojima je istekao rok' },
    expiredSome: { en: 'They can no longer be sent', hr: 'Više se ne mogu poslati' },
  },
  revenue: REVENUE_TEXTS,
  updated: {
    en: (time: string) => `As of ${time}. The figures are updated automatically.`,
    hr: (time: string) => `Stanje u ${time}. Podaci se osvježavaju automatski.`,
  },
})

export type OverviewTexts = (typeof texts)['hr']
