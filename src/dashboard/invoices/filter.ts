import { type CalendarDate, isoDate, readDate, startOfDay } from '../../domain/calendar-date.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { FISCAL_ERRORS, type FiscalErrorCode, INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import { AGES } from '../../domain/sale/invoice-age.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import { readTypedAmount } from '../../domain/sale/typed-amount.ts'
import { momentInZagreb } from '../../domain/zagreb.ts'
import type { ListOrder, WantedInvoices, WantedStatus } from '../../fiscal/office/invoice-list/plan.ts'
import { chosenId, UUID } from '../ids.ts'
import type { DashboardDeps, Fields, PageContext } from '../page-routes.ts'
import type { Texts } from './texts.ts'

const FIELDS = [
  ...(['company', 'device', 'premises', 'gateway', 'status', 'age', 'cause', 'payment', 'amount'] as const),
  ...(['amount_from', 'amount_to', 'from', 'from_time', 'to', 'to_time', 'mode', 'order'] as const),
]
type Field = (typeof FIELDS)[number]

export const WANTED_STATUSES: readonly WantedStatus[] = ['waiting', 'without_jir', ...INVOICE_STATUSES]
const ORDERS: Record<string, ListOrder> = {
  newest: { by: 'time', direction: 'descending' },
  oldest: { by: 'time', direction: 'ascending' },
  largest: { by: 'amount', direction: 'descending' },
  smallest: { by: 'amount', direction: 'ascending' },
}

export function wordOf({ by, direction }: ListOrder): string {
  const found = Object.entries(ORDERS).find(([, order]) => order.by === by && order.direction === direction)
  return found?.[0] ?? 'newest'
}

/** A number without a comma is one of an invoice. */
export const isAmount = (text: string) => /[,.]/.test(text) && readTypedAmount(text) !== undefined

export type ListChoice = ReturnType<typeof readFilter>

/** What the list is narrowed down to, from its address. A wrong value filters nothing; `errors` says what is wrong. */
export function readFilter(query: Fields, t: Texts) {
  const errors: Fields = {}
  const values = Object.fromEntries(FIELDS.map((name) => [name, (query[name] ?? '').trim()])) as Record<Field, string>
  const { company, device, premises, gateway } = values
  const moment = (field: 'from' | 'to') => {
    const read = readMoment(values[field], values[`${field}_time`], field === 'to')
    if (typeof read !== 'string') return read
    errors[read === 'clock' ? `${field}_time` : field] = t.wrongMoments[read]
    return undefined
  }
  const amount = (field: 'amount' | 'amount_from' | 'amount_to') => {
    const read = readTypedAmount(values[field])
    if (values[field] !== '' && read === undefined) errors[field] = t.badAmount
    return read
  }
  if (premises !== '' && !isPremisesCode(premises)) errors.premises = t.badPremises
  const exact = amount('amount')
  const [least, most] = [amount('amount_from'), amount('amount_to')]
  const hasAmount = [exact, least, most].some((one) => one !== undefined)
  return {
    values: { ...values, from: isoDay(values.from), to: isoDay(values.to) },
    errors,
    order: ORDERS[values.order],
    wanted: {
      mode: values.mode === 'live' || values.mode === 'test' ? values.mode : null,
      status: WANTED_STATUSES.find((status) => status === values.status),
      age: AGES.find((age) => age === values.age),
      cause: Object.hasOwn(FISCAL_ERRORS, values.cause) ? (values.cause as FiscalErrorCode) : undefined,
      payment: (['G', 'K', 'T', 'O'] as const).find((payment) => payment === values.payment),
      companyId: chosenId(company),
      deviceId: chosenId(device),
      premisesCode: premises === '' || errors.premises ? undefined : premises,
      gateway: gateway === '' ? undefined : gateway,
      amount: hasAmount ? { from: exact ?? least, to: exact ?? most } : undefined,
      from: moment('from'),
      to: moment('to'),
    } satisfies WantedInvoices,
    /** What the address of the next page repeats. */
    address: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
  }
}

/** A field of the type `date` shows no other form. */
function isoDay(text: string): string {
  const day = readDate(text)
  return day === undefined ? text : isoDate(day)
}

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const CLOCK = /^([01]?\d|2[0-3])[:.](\d\d)$/

/** What is wrong with a day and a time of day. */
type WrongMoment = 'date' | 'clock' | 'clock_alone'

/**
 * The first moment of a day and time of day in Zagreb, or of the day; undefined when nothing was typed.
 * @param end the first moment behind the minute, or behind the day, instead
 */
function readMoment(date: string, clock: string, end = false): EpochMs | undefined | WrongMoment {
  if (date === '') return clock === '' ? undefined : 'clock_alone'
  const day = readDate(date)
  if (day === undefined) return 'date'
  if (clock === '') return startOfDay(end ? { ...day, date: day.date + 1 } : day)
  const [, hours, minutes] = CLOCK.exec(clock) ?? []
  if (minutes === undefined || Number(minutes) > 59) return 'clock'
  return momentOf(day, Number(hours), Number(minutes), end) + (end ? MINUTE_MS : 0)
}

/** Of the hour that October has twice, the first one begins, and the second one ends. */
function momentOf({ year, month, date }: CalendarDate, hours: number, minutes: number, end: boolean): EpochMs {
  const shown = Date.UTC(year, month - 1, date, hours, minutes)
  return momentInZagreb(shown) ?? shown - (end ? 1 : 2) * HOUR_MS
}

/** What a name that is not known filters is nothing: `errors` says so, with names like it. */
export async function withKnownNames(...[deps, context, choice, t]: Parameters<typeof withNamedDevice>) {
  const found = await withNamedDevice(deps, context, choice, t)
  const { gateway } = found.values
  if (gateway === '' || deps.role !== 'server') return found
  const names = await gatewayNames(deps, context)
  // A user with fewer companies sees a gateway of several by its machines alone.
  const { machines } = deps.office
  if (names.includes(gateway) || (await machines.matching(context.principal, { gateway })).length > 0) return found
  const like = names.filter((name) => name.includes(gateway.toLowerCase()))
  const errors = { ...found.errors, gateway: t.noSuchGateway(like.slice(0, MOST_LIKE).join(', ')) }
  return { ...found, errors, wanted: { ...found.wanted, gateway: undefined } }
}

/** An error names so many. */
const MOST_LIKE = 5

export async function gatewayNames({ admin }: DashboardDeps, { principal }: Pick<PageContext, 'principal'>) {
  return (await admin.gateways.listGateways(principal)).map(({ gateway }) => gateway.name)
}

/** A device may also be named by its label, where there are too many to choose from. */
async function withNamedDevice(
  { admin, office }: DashboardDeps,
  { principal }: Pick<PageContext, 'principal'>,
  choice: ListChoice,
  t: Texts,
): Promise<ListChoice> {
  const { device, company } = choice.values
  if (device === '' || UUID.test(device.toLowerCase())) return choice
  const named = await admin.devicesNamed(principal, device)
  const [first, ...others] = named.filter(({ companyId }) => company === '' || companyId === company)
  if (first === undefined) {
    const like = (await office.machines.matching(principal, { text: device })).slice(0, MOST_LIKE)
    const said = t.noSuchDevice(like.map((one) => one.device.label).join(', '))
    return { ...choice, errors: { ...choice.errors, device: said } }
  }
  if (others.length > 0) return { ...choice, errors: { ...choice.errors, device: t.severalDevices } }
  return { ...choice, wanted: { ...choice.wanted, deviceId: first.id } }
}
