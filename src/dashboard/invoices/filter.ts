import { readDate, startOfDay } from '../../domain/calendar-date.ts'
import { INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { InvoiceFilter } from '../../fiscal/ports/rows/sales.ts'
import { chosenId } from '../ids.ts'
import type { Texts } from './texts.ts'

const FIELDS = ['company', 'device', 'premises', 'status', 'from', 'to', 'mode'] as const

/** What the list is narrowed down to, from its address. */
export interface ListChoice {
  values: Record<(typeof FIELDS)[number], string>
  filter: Omit<InvoiceFilter, 'tenantId' | 'mode' | 'companyIds'>
  mode: Mode | null
  errors: Record<string, string>
  /** What the address of the next page repeats. */
  address: Record<string, string>
}

/** A wrong value filters nothing; `errors` says what is wrong. */
export function readFilter(query: Record<string, string>, t: Texts): ListChoice {
  const errors: Record<string, string> = {}
  const values = Object.fromEntries(FIELDS.map((name) => [name, (query[name] ?? '').trim()])) as ListChoice['values']
  const day = (field: 'from' | 'to', days: number) => {
    const read = readDate(values[field])
    if (values[field] !== '' && !read) errors[field] = t.badDate
    return read && startOfDay({ ...read, date: read.date + days })
  }
  const [from, to] = [day('from', 0), day('to', 1)]
  const { company, device, premises } = values
  if (premises !== '' && !isPremisesCode(premises)) errors.premises = t.badPremises
  return {
    values,
    errors,
    mode: values.mode === 'live' || values.mode === 'test' ? values.mode : null,
    filter: {
      from,
      to,
      companyId: chosenId(company),
      deviceId: chosenId(device),
      premisesCode: premises === '' || errors.premises ? undefined : premises,
      status: INVOICE_STATUSES.find((status) => status === values.status),
    },
    address: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')),
  }
}
