import { setImmediate } from 'node:timers/promises'
import { type CalendarDate, startOfDay } from '../../domain/calendar-date.ts'
import { INVOICE_STATUSES } from '../../domain/sale/invoice.ts'
import { type Turnover, TurnoverSum } from '../../domain/sale/turnover.ts'
import type { IssuedInvoice } from '../ports/invoice-lookups.ts'
import type { TurnoverFilter } from '../ports/rows/turnover.ts'
import type { Store } from '../ports/store.ts'

export type Places = Pick<TurnoverFilter, 'tenantId' | 'mode' | 'companyIds' | 'premisesCode' | 'deviceId'>

/** Rows per query; after an outage there are thousands, and sales go on meanwhile. */
const SLICE = 200
const WITHOUT_JIR = INVOICE_STATUSES.filter((status) => status !== 'confirmed')

/** Adds up the invoices of some days that have no JIR. @param to not included @param per a company has no premises then */
export async function sumsWithoutJir(
  store: Pick<Store, 'reading'>,
  { tenantId, mode, companyIds, premisesCode, deviceId }: Places,
  [from, to]: [from: CalendarDate, to: CalendarDate],
  per: 'premises' | 'company',
): Promise<Turnover> {
  const read = store.reading()
  const sum = new TurnoverSum()
  for (const status of WITHOUT_JIR) {
    const filter = { tenantId, mode, status, from: startOfDay(from), to: startOfDay(to) }
    for (let last: IssuedInvoice | undefined; ; ) {
      const after = last && { at: last.occurredAt, id: last.id }
      const rows = await read(({ lookups }) => lookups.issued(filter, { limit: SLICE, after }))
      for (const { companyId, document, ...invoice } of rows) {
        const isWanted =
          (companyIds?.includes(companyId) ?? true) &&
          (premisesCode === undefined || premisesCode === document.premisesCode) &&
          (deviceId === undefined || deviceId === invoice.deviceId)
        if (isWanted) sum.add(companyId, per === 'premises' ? document : { ...document, premisesCode: '' }, false)
      }
      last = rows.at(-1)
      if (rows.length < SLICE) break
      await setImmediate()
    }
  }
  return sum.sums()
}
