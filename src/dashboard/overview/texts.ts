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

const HOUR_TEXTS = {
  heading: { en: 'Sales by hour', hr: 'Prodaja po satima' },
  chart: { en: 'Invoices by hour in the last 48 hours', hr: 'Računi po satima u posljednjih 48 sati' },
  summary: {
    en: (n: number, sold: string, confirmed: string, most: string, when: string) =>
      `${sold} ${one(n, 'invoice', 'invoices')} in total, ${confirmed} of them with JIR. Most in one hour: ${most} (${when}).`,
    hr: (n: number, sold: string, confirmed: string, most: string, when: string) =>
      `Ukupno ${sold} ${racuna(n)}, od toga ${confirmed} s JIR-om. Najviše u jednom satu: ${most} (${when}).`,
  },
  none: { en: 'Nothing was sold in the last 48 hours.', hr: 'U posljednjih 48 sati nije bilo prodaje.' },
  says: {
    en: (hour: string, sold: string, confirmed: string) =>
      `${hour} – invoices: ${sold}, of these with JIR: ${confirmed}`,
    hr: (hour: string, sold: string, confirmed: string) => `${hour} – ukupno računa: ${sold}, s JIR-om: ${confirmed}`,
  },
  confirmed: { en: 'with JIR', hr: 's JIR-om' },
  missing: { en: 'still without JIR', hr: 'još bez JIR-a' },
  table: { en: 'Show the figures as a table', hr: 'Prikaži podatke u tablici' },
  hour: { en: 'Hour', hr: 'Sat' },
  sold: { en: 'Invoices', hr: 'Računi' },
}

const ANSWER_TEXTS = {
  heading: { en: 'Response time of the tax authority', hr: 'Brzina odgovora Porezne uprave' },
  chart: { en: 'Response time by hour in the last 24 hours', hr: 'Vrijeme odgovora po satima u posljednja 24 sata' },
  summary: {
    en: (median: string, p95: string) => `In the last hour with answers: median ${median}, 95% within ${p95}.`,
    hr: (median: string, p95: string) => `U posljednjem satu s odgovorima: medijan ${median}, 95 % odgovora do ${p95}.`,
  },
  none: { en: 'There was no answer in the last 24 hours.', hr: 'U posljednja 24 sata nije bilo odgovora.' },
  says: {
    en: (hour: string, median: string, p95: string) => `${hour}: median ${median}, 95% within ${p95}`,
    hr: (hour: string, median: string, p95: string) => `${hour}: medijan ${median}, 95 % do ${p95}`,
  },
  median: { en: 'median', hr: 'medijan' },
  p95: { en: '95% of the answers', hr: '95 % odgovora' },
  table: { en: 'Show the figures as a table', hr: 'Prikaži podatke u tablici' },
  hour: { en: 'Hour', hr: 'Sat' },
  unanswered: { en: 'Unanswered', hr: 'Bez odgovora' },
  sampled: { en: 'Measured on a sample of the messages of each hour.', hr: 'Izmjereno na uzorku poruka svakog sata.' },
}

export const texts = inBoth({
  title: { en: 'Overview', hr: 'Pregled' },
  modes: { en: 'Mode', hr: 'Način rada' },
  readiness: {
    all: { en: 'All devices that should sell can sell.', hr: 'Prodaja se odvija bez smetnji.' },
    some: {
      en: (able: string, total: string) => `${able} of ${total} devices can sell.`,
      hr: (able: string, total: string) => `Prodaja je moguća na ${able} od ${total} uređaja.`,
    },
    none: { en: 'No device can sell at the moment.', hr: 'Prodaja trenutačno nije moguća.' },
    gateways: {
      en: (able: string, total: string) => `${able} of ${total} gateways can sell.`,
      hr: (able: string, total: string) => `Prodaja je moguća na ${able} od ${total} pristupnika.`,
    },
    unknown: {
      en: 'Some gateways are silent, so it is not known whether they can sell.',
      hr: 'Neki se pristupnici ne javljaju, pa nije poznato je li na njima prodaja moguća.',
    },
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
    sold: { en: 'Sales in the last 24 hours', hr: 'Prodaja u posljednja 24 sata' },
    confirmed: { en: (count: string) => `${count} with JIR`, hr: (count: string) => `${count} s JIR-om` },
    waiting: { en: 'Waiting for a JIR', hr: 'Čeka JIR' },
    oldest: { en: (since: string) => `Oldest: ${since}`, hr: (since: string) => `Najstariji: ${since}` },
    noneWaiting: { en: 'No invoice is waiting', hr: 'Nijedan račun ne čeka' },
    failed: { en: 'Refused invoices', hr: 'Odbijeni računi' },
    failedNone: { en: 'No invoice was refused', hr: 'Nijedan račun nije odbijen' },
    failedSome: { en: 'Remove the cause and send again', hr: 'Otklonite uzrok i pošaljite ponovno' },
    expired: { en: 'Expired invoices', hr: 'Računi kojima je istekao rok' },
    expiredNone: { en: 'No invoice has expired', hr: 'Nijednom računu nije istekao rok' },
    expiredSome: { en: 'They can no longer be sent', hr: 'Više se ne mogu poslati' },
    unsold: { en: 'Devices that sold nothing today', hr: 'Uređaji bez prodaje danas' },
    unusual: { en: (s: string) => `for an unusually long time: ${s}`, hr: (s: string) => `neuobičajeno dugo: ${s}` },
    authority: { en: 'Tax authority', hr: 'Porezna uprava' },
    reachable: { en: 'Answering', hr: 'Odgovara' },
    answersIn: { en: (time: string) => `Answers within ${time}`, hr: (time: string) => `Vrijeme odgovora: ${time}` },
    unreachable: { en: 'Not answering', hr: 'Ne odgovara' },
    closed: { en: 'Closed as announced', hr: 'Ne radi, kako je najavljeno' },
    closedWhen: {
      en: 'The test service is closed on working days from 16:00 to 17:00 and on Sundays from 08:00 to 12:00. This is not a fault.',
      hr: 'Testna usluga ne radi radnim danom od 16 do 17 sati ni nedjeljom od 8 do 12 sati. To nije kvar.',
    },
    notAsked: { en: 'Not checked yet', hr: 'Još nije provjereno' },
    askedMode: {
      test: { en: 'The test service was checked.', hr: 'Provjerena je testna usluga.' },
      live: { en: 'The live service was checked.', hr: 'Provjerena je usluga za stvarni rad.' },
    },
    lastJir: { en: (since: string) => `Last JIR: ${since}`, hr: (since: string) => `Posljednji JIR: ${since}` },
    noJir: { en: 'No invoice has a JIR yet.', hr: 'Još nijedan račun nije dobio JIR.' },
    certificates: { en: 'Certificates', hr: 'Certifikati' },
    daysLeft: {
      en: (days: number) => `${days} ${one(days, 'day', 'days')}`,
      hr: (days: number) => `${days} ${plural(days, 'dan', 'dana', 'dana')}`,
    },
    shortest: {
      en: (company: string) => `First to expire: ${company}`,
      hr: (company: string) => `Prvi istječe: ${company}`,
    },
    noCertificates: { en: 'No companies', hr: 'Nema tvrtki' },
    missing: { en: 'Missing', hr: 'Nedostaje' },
    ended: { en: 'Expired', hr: 'Istekao' },
    printers: { en: 'Printers', hr: 'Pisači' },
    noPrinters: { en: 'No printers', hr: 'Nema pisača' },
    printersFine: { en: 'All are printing', hr: 'Svi ispisuju' },
    printersOut: {
      en: (_n: number, s: string) => `${s} out of paper`,
      hr: (_n: number, s: string) => `${s} bez papira`,
    },
    printersBad: {
      en: (n: number, s: string) => `${s} ${one(n, 'is', 'are')} not printing`,
      hr: (n: number, s: string) => `${s} ${plural(n, 'ne ispisuje', 'ne ispisuju', 'ne ispisuje')}`,
    },
    nearEnd: {
      en: (_n: number, s: string) => `${s} with little paper left`,
      hr: (_n: number, s: string) => `${s} s papirom pri kraju`,
    },
    gateways: { en: 'Gateways', hr: 'Pristupnici' },
    connected: {
      en: (able: string, total: string) => `${able} of ${total} connected`,
      hr: (able: string, total: string) => `povezano: ${able} od ${total}`,
    },
    noGateways: { en: 'No gateways', hr: 'Nema pristupnika' },
    silent: {
      en: (n: number, s: string) => `${s} ${one(n, 'is', 'are')} silent`,
      hr: (n: number, s: string) => `${s} ${plural(n, 'se ne javlja', 'se ne javljaju', 'se ne javlja')}`,
    },
    allConnected: { en: 'All are connected', hr: 'Svi se javljaju' },
    alerts: { en: 'Alerts', hr: 'Upozorenja' },
    noAlerts: { en: 'No open alerts', hr: 'Nema otvorenih upozorenja' },
    urgent: { en: (s: string) => `${s} urgent`, hr: (s: string) => `hitnih: ${s}` },
    openOnes: { en: (s: string) => `${s} open`, hr: (s: string) => `otvorenih: ${s}` },
  },
  revenue: REVENUE_TEXTS,
  updated: {
    en: (time: string) => `As of ${time}. The figures are updated automatically.`,
    hr: (time: string) => `Stanje u ${time}. Podaci se osvježavaju sami.`,
  },
  ages: { en: 'Invoices without JIR by age', hr: 'Računi bez JIR-a po starosti' },
  agesCaption: { en: 'How long invoices have been waiting for a JIR', hr: 'Koliko dugo računi čekaju JIR' },
  age: { en: 'Age', hr: 'Starost' },
  count: { en: 'Invoices', hr: 'Ukupno računa' },
  ageNames: {
    young: { en: 'up to two working days', hr: 'do dva radna dana' },
    older: { en: 'longer than two working days', hr: 'dulje od dva radna dana' },
    day_21: { en: '21 days or longer', hr: '21 dan ili dulje' },
    day_25: { en: '25 days or longer', hr: '25 dana ili dulje' },
    day_28: { en: '28 days or longer', hr: '28 dana ili dulje' },
    too_late: {
      en: 'longer than 30 days: they can no longer be sent',
      hr: 'dulje od 30 dana: više se ne mogu poslati',
    },
  },
  hours: HOUR_TEXTS,
  answers: ANSWER_TEXTS,
  certificates: {
    heading: { en: 'Certificates', hr: 'Certifikati' },
    caption: { en: 'Time left, the shortest first', hr: 'Preostalo trajanje, najkraće prvo' },
    company: { en: 'Company', hr: 'Tvrtka' },
    until: { en: 'Valid until', hr: 'Vrijedi do' },
    left: { en: 'Left', hr: 'Preostalo' },
    missing: { en: 'no certificate', hr: 'nema certifikata' },
    ended: { en: 'expired', hr: 'istekao' },
    more: {
      en: (n: number, s: string) => `and ${s} more ${one(n, 'company', 'companies')}`,
      hr: (n: number, s: string) => `i još ${s} ${plural(n, 'tvrtka', 'tvrtke', 'tvrtki')}`,
    },
  },
})

export type OverviewTexts = (typeof texts)['hr']
