import { inBoth, one, plural } from '../language.ts'
import { TASK_TEXTS } from './task-texts.ts'

const REVENUE_TEXTS = {
  today: { en: 'Revenue today', hr: 'Promet danas' },
  month: { en: 'Revenue this month', hr: 'Promet ovog mjeseca' },
  salesToday: { en: 'Invoices today', hr: 'Računi danas' },
  thanLastWeek: {
    en: (clock: string) => `than on the same day last week until ${clock}`,
    hr: (clock: string) => `prema istom danu prošlog tjedna do ${clock}`,
  },
  thanLastMonth: { en: 'than last month until the same day', hr: 'prema prošlom mjesecu do istog dana' },
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
  unfinished: { en: (clock: string) => `until ${clock}`, hr: (clock: string) => `do ${clock}` },
  before: {
    hours: { en: 'last week', hr: 'prošli tjedan' },
    days: { en: 'usual for this weekday', hr: 'uobičajeno za taj dan u tjednu' },
  },
  saysBoth: {
    hours: {
      en: (now: string, before: string) => `${now} (last week: ${before})`,
      hr: (now: string, before: string) => `${now} (prošli tjedan: ${before})`,
    },
    days: {
      en: (now: string, before: string) => `${now} (usual: ${before})`,
      hr: (now: string, before: string) => `${now} (uobičajeno: ${before})`,
    },
  },
  usualIs: {
    en: 'Usual: the average of the same weekday in the four weeks before.',
    hr: 'Uobičajeno: prosjek istog dana u četiri prethodna tjedna.',
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
    all: { en: (s: string) => `All devices are selling: ${s}`, hr: (s: string) => `Svi uređaji prodaju: ${s}` },
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
  todo: { en: 'To do', hr: 'Za napraviti' },
  nothingToDo: {
    en: 'Everything is fine. There is nothing to do.',
    hr: 'Sve je u redu: trenutačno ne treba učiniti ništa.',
  },
  away: {
    en: 'The tax authority is not answering. Sales go on, and invoices are sent automatically as soon as it answers again.',
    hr: 'Porezna uprava trenutačno ne odgovara. Prodaja se nastavlja, a računi će se poslati automatski čim usluga ponovno proradi.',
  },
  closed: {
    en: 'The test service of the tax authority is closed now, as announced. Sales go on, and invoices are sent automatically when it opens.',
    hr: 'Najavljena stanka testne usluge Porezne uprave. Prodaja se nastavlja, a računi će se poslati automatski kad proradi.',
  },
  tasks: TASK_TEXTS,
  figures: {
    withoutJir: { en: 'Without JIR', hr: 'Bez JIR-a' },
    waiting: { en: 'waiting', hr: 'na čekanju' },
    failed: { en: 'refused', hr: 'odbijeno' },
    expired: { en: 'expired', hr: 'rok istekao' },
    oldest: { en: (since: string) => `Oldest: ${since}`, hr: (since: string) => `Najstariji: ${since}` },
    noneWaiting: { en: 'No invoice is waiting', hr: 'Nijedan račun ne čeka' },
  },
  wall: {
    title: { en: 'All devices by company and town', hr: 'Svi uređaji po tvrtkama i mjestima' },
    devices: {
      en: (n: number, s: string) => `${s} ${one(n, 'device', 'devices')}`,
      hr: (n: number, s: string) => `${s} ${plural(n, 'uređaj', 'uređaja', 'uređaja')}`,
    },
    today: { en: (money: string) => `${money} today`, hr: (money: string) => `${money} danas` },
    noTown: { en: 'no town', hr: 'bez mjesta' },
    says: {
      en: (sell: string, idle: string, unknown: string) => `${sell} selling, ${idle} not earning, ${unknown} not known`,
      hr: (sell: string, idle: string, unknown: string) =>
        `prodaje: ${sell}, ne zarađuje: ${idle}, nije poznato: ${unknown}`,
    },
    states: {
      sells: { en: 'selling', hr: 'prodaje' },
      stopped: { en: 'stopped (S)', hr: 'stalo (S)' },
      isu: { en: 'without ISU number (I)', hr: 'bez ISU broja (I)' },
      suspended: { en: 'suspended (–)', hr: 'obustavljeno (–)' },
      unknown: { en: 'not known (?)', hr: 'nije poznato (?)' },
    },
    paper: { en: 'out of paper (P)', hr: 'bez papira (P)' },
  },
  ranks: {
    companies: { en: 'Revenue by company', hr: 'Promet po tvrtkama' },
    machines: { en: 'Best devices', hr: 'Najbolji uređaji' },
    stopped: { en: 'Stopped', hr: 'Stali' },
    lastSale: { en: 'last sale', hr: 'posljednja prodaja' },
    never: { en: 'none yet', hr: 'još nema' },
    others: { en: (n: number) => `${n} more`, hr: (n: number) => `Još ${n}` },
    urgent: { en: 'Urgent', hr: 'Hitno' },
  },
  start: {
    runs: { en: 'This program runs', hr: 'Program radi' },
    done: { en: 'done', hr: 'gotovo' },
    go: { en: 'Open', hr: 'Otvori' },
  },
  revenue: REVENUE_TEXTS,
  updated: {
    en: (time: string) => `As of ${time}. The figures are updated automatically.`,
    hr: (time: string) => `Stanje u ${time}. Podaci se osvježavaju automatski.`,
  },
})

export type OverviewTexts = (typeof texts)['hr']
