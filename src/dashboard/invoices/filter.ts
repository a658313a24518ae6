import { isoDate, readDate } from '../../domain/calendar-date.ts'
import { FISCAL_ERRORS, type FiscalErrorCode, INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import { AGES } from '../../domain/sale/invoice-age.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import { readTypedAmount } from '../../domain/typed-amount.ts'
import type { ListOrder, WantedInvoices, WantedStatus } from '../../fiscal/office/invoice-list/wanted-invoices.ts'
import { chosenId } from '../ids.ts'
import { readMoment } from './moments.ts'
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

/** The word of an order in the address. */
export function wordOf({ by, direction }: ListOrder): string {
  const found = Object.entries(ORDERS).find(([, order]) => order.by === by && order.direction === direction)
  return found?.[0] ?? 'newest'
}

/** What the list is narrowed down to, from its address. */
export interface ListChoice {
  values: Record<Field, string>
  wanted: WantedInvoices
  order: ListOrder | undefined
  errors: Record<string, string>
  /** What the address of the next page repeats. */
  address: Record<string, string>
}

/** A wrong value filters nothing; `errors` says what is wrong. */
export function readFilter(query: Record<string, string>, t: Texts): ListChoice {
  const errors: Record<string, string> = {}
  const values = Object.fromEntries(FIELDS.map((name) => [name, (query[name] ?? '').trim()])) as ListChoice['values']
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
    },
    address: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
  }
}

/** A field of the type `date` shows no other form. */
function isoDay(text: string): string {
  const day = readDate(text)
  return day === undefined ? text : isoDate(day)
}
