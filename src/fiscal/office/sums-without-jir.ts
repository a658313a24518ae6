import { type CalendarDate, startOfDay } from '../../domain/calendar-date.ts'
import { INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import { type Turnover, TurnoverSum } from '../../domain/sale/turnover.ts'
import type { TurnoverFilter } from '../ports/rows/turnover.ts'
import type { Store } from '../ports/store.ts'
import { issuedInSlices } from './issued-in-slices.ts'

export type SumFilter = Pick<TurnoverFilter, 'tenantId' | 'mode' | 'companyIds' | 'premisesCode' | 'deviceId'>

/** Rows per query; after an outage there are thousands, and sales go on meanwhile. */
const SLICE = 25
const WITHOUT_JIR = INVOICE_STATUSES.filter((status) => status !== 'confirmed')

/** Adds up the invoices of some days that have no JIR. @param to not included @param per a company has no premises then */
export async function sumsWithoutJir(
  store: Pick<Store, 'lookups'>,
  { tenantId, mode, companyIds, premisesCode, deviceId }: SumFilter,
  [from, to]: [from: CalendarDate, to: CalendarDate],
  per: 'premises' | 'company',
): Promise<Turnover> {
  const sum = new TurnoverSum()
  for (const status of WITHOUT_JIR) {
    const filter = { tenantId, mode, status, from: startOfDay(from), to: startOfDay(to) }
    for await (const rows of issuedInSlices(store, filter, SLICE)) {
      for (const { companyId, document, ...invoice } of rows) {
        const isWanted =
          (companyIds?.includes(companyId) ?? true) &&
          (premisesCode === undefined || premisesCode === document.premisesCode) &&
          (deviceId === undefined || deviceId === invoice.deviceId)
        if (isWanted) sum.add(companyId, per === 'premises' ? document : { ...document, premisesCode: '' }, false)
      }
    }
  }
  return sum.sums()
}
