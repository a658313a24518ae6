import {
  type CalendarDate,
  croatianDate,
  dateAt,
  daysFrom,
  isoDate,
  monthsFrom,
  readDate,
} from '../../domain/calendar-date.ts'
import { FISCAL_ERRORS, type FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { AGES } from '../../domain/sale/invoice-age.ts'
import { salesChoices } from '../company-choices.ts'
import { type Entry, entriesOf, type ListFilter } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts as common } from '../texts.ts'
import { failedTexts } from './failed-texts.ts'
import { gatewayNames, type ListChoice, WANTED_STATUSES } from './filter.ts'
import { texts } from './texts.ts'

/** Names that are suggested while one types. */
export const MOST_SUGGESTED = 200

type Period = 'today' | 'yesterday' | 'thisWeek' | 'thisMonth' | 'lastMonth'

/** The first and the last day of the periods that people ask for. */
function periodsAt(today: CalendarDate): Record<Period, [from: CalendarDate, to: CalendarDate]> {
  const yesterday = daysFrom(today, -1)
  const weekday = new Date(Date.UTC(today.year, today.month - 1, today.date)).getUTCDay()
  const first = { ...today, date: 1 }
  return {
    today: [today, today],
    yesterday: [yesterday, yesterday],
    thisWeek: [daysFrom(today, -((weekday + 6) % 7)), today],
    thisMonth: [first, today],
    lastMonth: [monthsFrom(first, -1), daysFrom(first, -1)],
  }
}

/** What the list of invoices can be narrowed down to. Counts would need a search of all invoices for each. */
export async function filtersOf(
  deps: DashboardDeps,
  context: PageContext,
  { values, errors, wanted }: ListChoice,
): Promise<(ListFilter | false)[]> {
  const { language, company } = context
  const t = texts[language]
  const choices = await salesChoices(deps.v1, context.principal, wanted.deviceId)
  const gateways = deps.role === 'server' ? (await gatewayNames(deps, context)).slice(0, MOST_SUGGESTED) : null
  const causeTexts = failedTexts[language].causes
  const causes = (Object.keys(FISCAL_ERRORS) as FiscalErrorCode[]).map((value) => ({
    value,
    text: causeTexts[value].title,
  }))
  const periods = Object.entries(periodsAt(dateAt(deps.now()))).map(([name, [from, to]]) => ({
    value: `${isoDate(from)} ${isoDate(to)}`,
    text: t.periods[name as Period],
  }))
  const setPeriod = (value: string) => {
    const [from = '', to = ''] = value.split(' ')
    return { from, to, from_time: '', to_time: '' }
  }
  const typed = (name: keyof typeof values, label: string, more: object) => ({
    ...{ name, label, value: values[name], error: errors[name], autocomplete: 'off' },
    ...more,
  })
  const menu = (name: 'age' | 'cause' | 'mode', label: string, entries: readonly Entry[]) =>
    typed(name, label, { options: [{ value: '', text: '–' }, ...entries] })
  const money = { inputmode: 'decimal', maxlength: 30 }
  const day = (name: 'from' | 'to') => {
    const date = readDate(values[name])
    return typed(name, t[name], { type: 'date', ...(date && { said: croatianDate(date) }) })
  }
  const devices =
    choices.devices.length > 0
      ? { options: [{ value: '', text: t.allDevices }, ...choices.devices] }
      : { hint: t.deviceName, maxlength: 200, list: [], suggest: '/dashboard/invoices/devices' }
  return [
    {
      ...{ name: 'period', title: t.period, entries: periods, value: `${values.from} ${values.to}`, set: setPeriod },
      fields: [
        day('from'),
        typed('from_time', t.fromTime, { type: 'time' }),
        day('to'),
        typed('to_time', t.toTime, { type: 'time' }),
      ],
    },
    company === null &&
      choices.companies.length > 1 && { name: 'company', title: t.company, entries: choices.companies },
    {
      ...{ name: 'place', title: t.device },
      fields: [
        typed('device', t.device, devices),
        typed('premises', t.premises, { maxlength: 20 }),
        ...(gateways ? [typed('gateway', t.gateway, { maxlength: 63, list: gateways })] : []),
      ],
    },
    {
      ...{ name: 'total', title: t.total },
      fields: [
        typed('amount', t.amount, money),
        typed('amount_from', t.amountFrom, money),
        typed('amount_to', t.amountTo, money),
      ],
    },
    { name: 'payment', title: t.payment, entries: entriesOf(['G', 'K', 'T', 'O'], t.payments) },
    { name: 'status', title: t.status, entries: entriesOf(WANTED_STATUSES, t.wantedStatuses) },
    {
      ...{ name: 'more', title: common[language].more },
      fields: [
        menu('age', t.age, entriesOf(AGES, t.ages)),
        menu('cause', t.cause, causes),
        menu('mode', t.mode, entriesOf(['live', 'test'], t.modes)),
      ],
    },
  ]
}
