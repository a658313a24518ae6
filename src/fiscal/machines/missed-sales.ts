import { setImmediate } from 'node:timers/promises'
import { dateAt, daysFrom, isoDate, monthsFrom } from '../../domain/calendar-date.ts'
import { type EpochMs, HOUR_MS } from '../../domain/instant.ts'
import type { Cents } from '../../domain/money.ts'
import { slices } from '../../domain/slices.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Machine } from './machine.ts'
import { createHoursOfWeek } from './silence.ts'

/** What a machine usually sells, and what it has missed since its last sale by the same hours of its own weeks. */
export interface Missed {
  salesPerWeek: number
  /** Null where its sales are not known to be worth anything. */
  cents: Cents | null
}

const WEEKS = 4
const WEEK_MS = 168 * HOUR_MS
/** Nothing older is counted as missed: a machine that was away for longer has other weeks now. */
const LONGEST_MS = 13 * WEEK_MS
/** Machines of one query: a sale in between waits for a few milliseconds. */
const AT_ONCE = 20
/** Months, with this one, whose sales say what one of them is worth. */
const MONTHS = 25

type Rows = Pick<StoreTransaction, 'machines' | 'turnover'>

/** @param machines of one tenant; one that has never sold has missed nothing that is known */
export async function missedSales(
  rows: Rows,
  tenantId: string,
  machines: readonly Machine[],
  now: EpochMs,
): Promise<Map<string, Missed>> {
  const hourOfWeek = createHoursOfWeek()
  const worth = await worthOf(rows, tenantId, now)
  const missed = new Map<string, Missed>()
  const sold = machines.flatMap(({ device, company, lastSaleAt }) =>
    lastSaleAt === null ? [] : [{ deviceId: device.id, mode: company.mode, lastSaleAt }],
  )
  for (const some of slices(sold, AT_ONCE)) {
    const wanted = some.map(({ lastSaleAt, ...one }) => ({ ...one, from: lastSaleAt - WEEKS * WEEK_MS }))
    const hours = await rows.machines.soldByHour(wanted)
    for (const { deviceId, mode, lastSaleAt } of some) {
      const rates = new Float64Array(168)
      let total = 0
      for (const { hour, sales } of hours.filter((one) => one.deviceId === deviceId)) {
        total += sales
        const at = hourOfWeek(hour)
        if (at !== null) rates[at] = (rates[at] ?? 0) + sales / WEEKS
      }
      let count = 0
      const until = Math.min(now, lastSaleAt + LONGEST_MS)
      for (let hour = Math.floor(lastSaleAt / HOUR_MS) + 1; (hour + 1) * HOUR_MS <= until; hour++) {
        const at = hourOfWeek(hour)
        if (at !== null) count += rates[at] ?? 0
      }
      const one = worth.get(`${mode} ${deviceId}`)
      const cents = one === undefined ? null : BigInt(Math.round(count * one))
      missed.set(deviceId, { salesPerWeek: Math.round(total / WEEKS), cents })
    }
    await setImmediate()
  }
  return missed
}

/** What a sale of each device was worth in the last two years, in cents, by mode and device. */
async function worthOf(rows: Rows, tenantId: string, now: EpochMs): Promise<Map<string, number>> {
  const tomorrow = daysFrom(dateAt(now), 1)
  const span = { unit: 'month', from: isoDate(monthsFrom(tomorrow, 1 - MONTHS)), to: isoDate(tomorrow) } as const
  const worth = new Map<string, number>()
  for (const mode of ['live', 'test'] as const) {
    const sums = await rows.turnover.sums({ tenantId, mode, spans: [span], kinds: ['total'] }, ['deviceId'])
    for (const { deviceId, invoices, amount } of sums) {
      if (invoices > 0 && amount > 0n) worth.set(`${mode} ${deviceId}`, Number(amount) / invoices)
    }
  }
  return worth
}
