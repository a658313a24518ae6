import { dateAt, isoDate } from '../../domain/calendar-date.ts'
import { isOver, periodAfter, periodAt, periodName, shownPeriod, spanOf } from '../../domain/sale/closing-period.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { addressOf } from '../addresses.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'

const MONTHS = [0, -1, -2]

/** The last months of a company: what of each is closed, what lacks a JIR, and when its closings were mailed. */
export function monthsOf(
  { office, now }: DashboardDeps,
  { principal, language, f }: PageContext,
  { id, mode }: Company,
) {
  const t = texts[language]
  const read = async (back: number) => {
    const period = periodAfter(periodAt('month', dateAt(now())), back)
    const wanted = { ...period, mode, companyId: id }
    const { premises, open } = await office.closings.state(principal, wanted)
    const { from, to } = spanOf(period)
    const missing = async (status: 'without_jir' | 'expired') => {
      const tally = (await office.invoiceList.tally(principal, { mode, companyId: id, status, from, to }))[mode]
      const span = { from: period.starts, to: isoDate(dateAt(to - 1)) }
      const href = addressOf('/dashboard/invoices', { company: id, mode, status, ...span })
      return {
        count: tally?.count ?? 0,
        href,
        text: t.missing[status](`${f.count(tally?.count ?? 0)}${tally?.isComplete === false ? '+' : ''}`),
      }
    }
    const mails = await office.closingMails.sent(principal, wanted)
    const mail = mails.find(({ companyId }) => companyId === null || companyId === id)
    return {
      name: shownPeriod(period, language),
      href: addressOf('/dashboard/closings', { unit: 'month', period: periodName(period), company: id, mode }),
      closed:
        premises === 0 ? t.noSales : isOver(period, now()) ? t.closedOf(premises - open.length, premises) : t.goesOn,
      missing: [await missing('without_jir'), await missing('expired')].filter(({ count }) => count > 0),
      sent: mail && `${mail.recipient}, ${mail.sentAt === null ? t.mailStates[mail.status] : f.time(mail.sentAt)}`,
    }
  }
  return Promise.all(MONTHS.map(read))
}
