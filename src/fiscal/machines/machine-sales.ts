import { type CalendarDate, dateAt, daysFrom, isoDate, monthsFrom } from '../../domain/calendar-date.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Cents } from '../../domain/money.ts'
import { periodAfter } from '../../domain/sale/closing-period.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Device } from '../ports/model.ts'
import type { TurnoverSpan } from '../ports/rows/turnover.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { ListedMachine, Machine, Sold } from './machine.ts'
import type { Tags } from './tags.ts'

export interface Month {
  year: number
  /** 1 to 12. */
  month: number
}

/** What devices have sold, by mode and device; devices without sales are left out. */
type SoldIn = Record<Mode, ReadonlyMap<string, Sold>>

export interface SoldByMachine {
  today: SoldIn
  month: SoldIn
}

const NO_TAGS: readonly string[] = []
const NOTHING_SOLD: Sold = { sales: 0, cents: 0n }

/** Machines with their tags, and what each has sold in the mode of its company. */
export function listed(machines: readonly Machine[], { today, month }: SoldByMachine, tags: Tags): ListedMachine[] {
  return machines.map((machine) => {
    const { company, device } = machine
    return {
      ...machine,
      tags: tags.get(device.id) ?? NO_TAGS,
      today: today[company.mode].get(device.id) ?? NOTHING_SOLD,
      month: month[company.mode].get(device.id) ?? NOTHING_SOLD,
    }
  })
}

export const monthOf = (at: EpochMs): Month => dateAt(at)

export async function soldByMachine(
  rows: Pick<StoreTransaction, 'turnover'>,
  tenantId: string,
  { year, month }: Month,
  now: EpochMs,
): Promise<SoldByMachine> {
  const [first, today] = [{ year, month, date: 1 }, dateAt(now)]
  const [ofDay, ofMonth] = [daysFrom(today, 1), monthsFrom(first, 1)]
  return {
    today: await soldIn(rows, tenantId, { unit: 'day', from: isoDate(today), to: isoDate(ofDay) }),
    month: await soldIn(rows, tenantId, { unit: 'month', from: isoDate(first), to: isoDate(ofMonth) }),
  }
}

async function soldIn(rows: Pick<StoreTransaction, 'turnover'>, tenantId: string, span: TurnoverSpan): Promise<SoldIn> {
  const sold = async (mode: Mode) => {
    const sums = await rows.turnover.sums({ tenantId, mode, spans: [span], kinds: ['total'] }, ['deviceId'])
    return new Map(sums.map(({ deviceId, invoices, amount }) => [deviceId, { sales: invoices, cents: amount }]))
  }
  return { live: await sold('live'), test: await sold('test') }
}

/** Sales of one machine in a period, which may still go on. */
export interface SoldInPeriod extends Sold {
  /** `2026-11-22`; the first day of a month. */
  starts: string
}

export interface MachineHistory {
  /** The last 30 days including today, the oldest first; a day without sales has none. */
  days: SoldInPeriod[]
  /** The last 12 months including this one, as `days`. */
  months: SoldInPeriod[]
}

const DAYS = 30
const MONTHS = 12

export async function historyOf(
  rows: Pick<StoreTransaction, 'turnover'>,
  { tenantId, deviceId, mode }: { tenantId: string; deviceId: string; mode: Mode },
  now: EpochMs,
): Promise<MachineHistory> {
  const today = dateAt(now)
  const read = async (unit: 'day' | 'month', starts: string[], to: string) => {
    const span = { unit, from: starts[0] ?? to, to }
    const filter = { tenantId, mode, spans: [span], kinds: ['total'] as const, deviceIds: [deviceId] }
    const found = new Map((await rows.turnover.sums(filter, ['starts'])).map((sums) => [sums.starts, sums]))
    return starts.map((one) => {
      const { invoices: sales = 0, amount: cents = 0n } = found.get(one) ?? {}
      return { starts: one, sales, cents }
    })
  }
  return {
    days: await read(
      'day',
      lasts(DAYS, (back) => daysFrom(today, -back)),
      isoDate(daysFrom(today, 1)),
    ),
    months: await read(
      'month',
      lasts(MONTHS, (back) => monthsFrom(today, -back)),
      isoDate(monthsFrom(today, 1)),
    ),
  }
}

/** Of the small chart of each machine in the list. */
const SHORT_DAYS = 14

/** What each machine sold on each of the last 14 days including today, the oldest first, in the mode of its company. */
export async function lastDays(
  rows: Pick<StoreTransaction, 'turnover'>,
  tenantId: string,
  machines: readonly Machine[],
  now: EpochMs,
): Promise<ReadonlyMap<string, Cents[]>> {
  const days = lasts(SHORT_DAYS, (back) => daysFrom(dateAt(now), -back))
  const span = { unit: 'day', from: days[0] ?? '', to: isoDate(daysFrom(dateAt(now), 1)) } as const
  const found = new Map<string, Cents[]>(machines.map(({ device }) => [device.id, days.map(() => 0n)]))
  for (const mode of ['live', 'test'] as const) {
    const deviceIds = machines.flatMap(({ device, company }) => (company.mode === mode ? [device.id] : []))
    const filter = { tenantId, mode, spans: [span], kinds: ['total'] as const, deviceIds }
    for (const { deviceId, starts, amount } of await rows.turnover.sums(filter, ['deviceId', 'starts']))
      found.get(deviceId)?.splice(days.indexOf(starts), 1, amount)
  }
  return found
}

const lasts = (count: number, at: (back: number) => CalendarDate) =>
  Array.from({ length: count }, (_, i) => isoDate(at(count - 1 - i)))

const EVER: TurnoverSpan = { unit: 'month', from: '2000-01-01', to: '3000-01-01' }

/**
 * What a machine has sold since the latest closed day or month of its premises, by the days of the sales. `since` is the
 * first day that counts (`2026-11-22`), null where nothing was closed yet; `cash` is what was paid in cash, in cents.
 */
export async function soldSinceClosing(
  rows: Pick<StoreTransaction, 'closings' | 'turnover'>,
  { id, tenantId, companyId, premisesCode }: Device,
  mode: Mode,
) {
  const closed = await rows.closings.latestOf({ companyId, premisesCode, mode })
  const since =
    closed
      .map((period) => periodAfter(period).starts)
      .sort()
      .at(-1) ?? null
  const span = since === null ? EVER : { unit: 'day' as const, from: since, to: EVER.to }
  const filter = { tenantId, mode, spans: [span], kinds: ['total'] as const, deviceIds: [id] }
  const sums = await rows.turnover.sums(filter, ['paymentMethod'])
  const cash = sums.find(({ paymentMethod }) => paymentMethod === 'G')?.amount ?? 0n
  return { since, sales: sums.reduce((all, { invoices }) => all + invoices, 0), cash }
}
