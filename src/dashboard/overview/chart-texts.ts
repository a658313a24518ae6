import { one, racuna } from './counted.ts'

/** Entries of the table of the overview for its charts. */
export const REVENUE_TEXTS = {
  today_hr: 'Promet danas',
  today_en: 'Revenue today',
  sales_hr: (n: number, s: string) => `${s} ${racuna(n)}`,
  sales_en: (n: number, s: string) => `${s} ${one(n, 'invoice', 'invoices')}`,
  lastWeek_hr: (change: string, amount: string) =>
    `${change} u odnosu na isti dan prošlog tjedna do ovog sata (${amount})`,
  lastWeek_en: (change: string, amount: string) =>
    `${change} compared with the same day last week up to this hour (${amount})`,
  month_hr: 'Promet ovog mjeseca',
  month_en: 'Revenue this month',
  lastMonth_hr: (change: string, amount: string) => `${change} u odnosu na prošli mjesec do istog dana (${amount})`,
  lastMonth_en: (change: string, amount: string) => `${change} compared with last month up to the same day (${amount})`,
  heading_hr: 'Promet',
  heading_en: 'Revenue',
  range_hr: 'Razdoblje',
  range_en: 'Period',
  ranges: {
    hours_hr: 'danas',
    hours_en: 'today',
    days_hr: '30 dana',
    days_en: '30 days',
    months_hr: '12 mjeseci',
    months_en: '12 months',
  },
  chart: {
    hours_hr: 'Promet po satima danas i istog dana prošlog tjedna',
    hours_en: 'Revenue by hour today and on the same day last week',
    days_hr: 'Promet po danima u posljednjih 30 dana',
    days_en: 'Revenue by day in the last 30 days',
    months_hr: 'Promet po mjesecima u posljednjih 12 mjeseci',
    months_en: 'Revenue by month in the last 12 months',
  },
  now_hr: 'promet',
  now_en: 'revenue',
  before_hr: 'prošli tjedan',
  before_en: 'last week',
  says_hr: (period: string, amount: string) => `${period}: ${amount}`,
  says_en: (period: string, amount: string) => `${period}: ${amount}`,
  saysBoth_hr: (period: string, amount: string, before: string) => `${period}: ${amount} (prošli tjedan: ${before})`,
  saysBoth_en: (period: string, amount: string, before: string) => `${period}: ${amount} (last week: ${before})`,
  summary_hr: (total: string) => `Ukupno ${total}.`,
  summary_en: (total: string) => `${total} in total.`,
  none_hr: 'U tom razdoblju nije bilo prodaje.',
  none_en: 'Nothing was sold in this period.',
  table_hr: 'Prikaži promet u tablici',
  table_en: 'Show the revenue as a table',
  period_hr: 'Razdoblje',
  period_en: 'Period',
  count_hr: 'Računi',
  count_en: 'Invoices',
}

/** Sales by hour. */
export const HOUR_TEXTS = {
  heading_hr: 'Prodaja po satima',
  heading_en: 'Sales by hour',
  chart_hr: 'Računi po satima u posljednjih 48 sati',
  chart_en: 'Invoices by hour in the last 48 hours',
  summary_hr: (n: number, sold: string, confirmed: string, most: string, when: string) =>
    `Ukupno ${sold} ${racuna(n)}, od toga ${confirmed} s JIR-om. Najviše u jednom satu: ${most} (${when}).`,
  summary_en: (n: number, sold: string, confirmed: string, most: string, when: string) =>
    `${sold} ${one(n, 'invoice', 'invoices')} in total, ${confirmed} of them with JIR. Most in one hour: ${most} (${when}).`,
  none_hr: 'U posljednjih 48 sati nije bilo prodaje.',
  none_en: 'Nothing was sold in the last 48 hours.',
  says_hr: (hour: string, sold: string, confirmed: string) =>
    `${hour} – ukupno računa: ${sold}, s JIR-om: ${confirmed}`,
  says_en: (hour: string, sold: string, confirmed: string) =>
    `${hour} – invoices: ${sold}, of these with JIR: ${confirmed}`,
  confirmed_hr: 's JIR-om',
  confirmed_en: 'with JIR',
  missing_hr: 'još bez JIR-a',
  missing_en: 'still without JIR',
  table_hr: 'Prikaži podatke u tablici',
  table_en: 'Show the figures as a table',
  hour_hr: 'Sat',
  hour_en: 'Hour',
  sold_hr: 'Računi',
  sold_en: 'Invoices',
}

/** How fast the tax authority answers. */
export const ANSWER_TEXTS = {
  heading_hr: 'Brzina odgovora Porezne uprave',
  heading_en: 'Response time of the tax authority',
  chart_hr: 'Vrijeme odgovora po satima u posljednja 24 sata',
  chart_en: 'Response time by hour in the last 24 hours',
  summary_hr: (median: string, p95: string) =>
    `U posljednjem satu s odgovorima: medijan ${median}, 95 % odgovora do ${p95}.`,
  summary_en: (median: string, p95: string) => `In the last hour with answers: median ${median}, 95% within ${p95}.`,
  none_hr: 'U posljednja 24 sata nije bilo odgovora.',
  none_en: 'There was no answer in the last 24 hours.',
  says_hr: (hour: string, median: string, p95: string) => `${hour}: medijan ${median}, 95 % do ${p95}`,
  says_en: (hour: string, median: string, p95: string) => `${hour}: median ${median}, 95% within ${p95}`,
  median_hr: 'medijan',
  median_en: 'median',
  p95_hr: '95 % odgovora',
  p95_en: '95% of the answers',
  table_hr: 'Prikaži podatke u tablici',
  table_en: 'Show the figures as a table',
  hour_hr: 'Sat',
  hour_en: 'Hour',
  unanswered_hr: 'Bez odgovora',
  unanswered_en: 'Unanswered',
  sampled_hr: 'Izmjereno na uzorku poruka svakog sata.',
  sampled_en: 'Measured on a sample of the messages of each hour.',
}
