import { dateAt, dateOfIso, isoDate, startOfDay } from '../../domain/calendar-date.ts'
import { type Cents, formatMoney } from '../../domain/money.ts'
import { type ClosingPeriod, periodAfter, periodAt, periodName, spanOf } from '../../domain/sale/closing-period.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Money } from '../../fiscal/office/money.ts'
import { addressOf } from '../addresses.ts'
import { NONE } from '../devices/filter.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { type Texts, texts } from './texts.ts'

/** The money of a month by company and town, or group, compared with the month before and the year before. */
export async function moneyPage(
  { office, now }: DashboardDeps,
  context: PageContext,
  { mode, ...asked }: ClosingPeriod & { mode: Mode },
): Promise<unknown> {
  const { principal, language, f, company } = context
  const t = texts[language]
  const by = context.query.by === 'group' ? 'group' : 'town'
  const month = periodAt('month', dateAt(Math.min(spanOf(asked).from, now())))
  const { from, to } = spanOf(month)
  const { companies, until, ...all } = await office.moneyOf(principal, { mode, starts: month.starts, by })
  const without = { mode, status: 'without_jir', companyId: company?.id, from, to } as const
  const withoutJir = (await office.invoiceList.tally(principal, without))[mode]
  const mails = await office.closingMails.sent(principal, { ...month, mode })
  const sent = mails.find(({ sentAt, companyId }) => sentAt !== null && [null, company?.id].includes(companyId))
  const days = { from: isoDate(dateAt(from)), to: isoDate(dateAt(to - 1)), mode }
  const invoices = (query: Record<string, string>) => addressOf('/dashboard/invoices', { ...days, ...query })
  const machines = (query: Record<string, string>) => addressOf('/dashboard/devices', query)
  const share = (now: Cents, before: Cents) => (before > 0n ? f.change(Number(now - before) / Number(before)) : '–')
  const rowOf = (row: Money) => ({
    closed: t.closedOf(row.closed.size, row.premises.size),
    // A month that goes on cannot be closed yet.
    dot: until ? ' off' : row.closed.size < row.premises.size ? ' warn' : '',
    invoices: f.count(row.invoices),
    sums: [row.cash, row.card, row.total].map((sum) => f.money(formatMoney(sum))),
    changes: [share(row.compared, row.monthBefore), share(row.compared, row.yearBefore)],
  })
  const comparedTo =
    until && startOfDay(until) < from ? t.comparedLater : until && t.comparedUntil(f.date(startOfDay(until)))
  return context.show('closings/money', {
    t,
    headline: 'closings/head',
    canMail: office.closingMails.isSet && context.may('operator') && all.closed.size > 0,
    tabs: tabsOf(t, by, month, mode),
    shownMode: mode,
    by,
    month: f.month(dateOfIso(month.starts)),
    months: [-1, 0, 1]
      .map((count) => periodAfter(month, count))
      .filter((one) => spanOf(one).from <= now())
      .map((one) => ({
        url: addressIn(by, one, mode),
        text: f.month(dateOfIso(one.starts)),
        current: one.starts === month.starts,
      })),
    withoutJir: withoutJir && {
      text: t.withoutJirNow(`${f.count(withoutJir.count)}${withoutJir.isComplete ? '' : '+'}`),
      href: invoices({ status: 'without_jir' }),
    },
    sent: sent && t.sentOn(f.date(sent.sentAt ?? 0)),
    compared: comparedTo ?? t.comparedWhole,
    companies: companies.map(({ id, name, parts, ...row }) => ({
      ...rowOf(row),
      name,
      href: `/dashboard/companies/${id}`,
      list: invoices({ company: id }),
      parts: parts.map((part) => ({
        ...rowOf(part),
        name: part.name || t.nameless[by],
        href:
          by === 'town'
            ? machines({ company: id, town: part.name || NONE })
            : part.name && machines({ company: id, tag: part.name }),
      })),
    })),
    total: { ...rowOf(all), name: t.total },
    workbook: addressOf('/dashboard/export/file', {
      what: 'turnover',
      by: 'company_month',
      ...days,
      _company: company?.id,
    }),
  })
}

/** The ways to look at a period: the money of a month, and the closings of a month or a day. */
const VIEWS = { town: 'by', group: 'by', month: 'unit', day: 'unit' } as const
type View = keyof typeof VIEWS

/** A month is no day: the closings of a day are those of yesterday then. */
const addressIn = (view: View, period: ClosingPeriod, mode: Mode) =>
  addressOf('/dashboard/closings', { [VIEWS[view]]: view, period: periodName({ ...period, unit: 'month' }), mode })

export const tabsOf = (t: Texts, current: View, period: ClosingPeriod, mode: Mode) =>
  (Object.keys(VIEWS) as View[]).map((view) => {
    return { text: t.views[view], url: addressIn(view, period, mode), current: view === current }
  })
