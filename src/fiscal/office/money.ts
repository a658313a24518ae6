import { setImmediate } from 'node:timers/promises'
import { type CalendarDate, dateAt, dateOfIso, daysFrom, isoDate, monthsFrom } from '../../domain/calendar-date.ts'
import { townOf } from '../../domain/premises/town.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Principal } from '../access/principal.ts'
import type { createMachines } from '../machines/machines.ts'
import type { Clock } from '../ports/clock.ts'
import { premisesKey } from '../ports/gateways.ts'
import type { TurnoverColumn } from '../ports/rows/turnover.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { issuerOf } from './issuers.ts'
import { spansOf } from './sums-by-period.ts'

export interface MoneyDeps {
  store: StoreTransaction
  clock: Pick<Clock, 'now'>
  machines: Pick<ReturnType<typeof createMachines>, 'matching'>
}

const nothing = () => ({
  ...{ invoices: 0, total: 0n, cash: 0n, card: 0n },
  /** The total of the days that are compared, and of the same days a month and a year before. */
  ...{ compared: 0n, monthBefore: 0n, yearBefore: 0n },
  /** With sales, and those of them of which closings hold each invoice. */
  premises: new Set<string>(),
  closed: new Set<string>(),
})
export type Money = ReturnType<typeof nothing>

type Days = readonly [from: CalendarDate, before: CalendarDate]

/**
 * The turnover of a month by company, and in it by the towns of the addresses that machines have today, or by group; what has none
 * has an empty name. A machine of several groups counts in each, and once in its company.
 * @param starts the first day of the month, which is not to come
 * @returns with the last day that is compared while the month goes on, else null
 */
export function createMoney({ store, clock, machines }: MoneyDeps) {
  return async (principal: Principal, { mode, starts, by }: { mode: Mode; starts: string; by: 'town' | 'group' }) => {
    const { tenantId, companyIds } = principal
    const [begins, today] = [dateOfIso(starts), dateAt(clock.now())]
    const next = monthsFrom(begins, 1)
    const isOver = isoDate(next) <= isoDate(today)
    const end = isOver ? next : today
    /** The same days of an earlier month; a day that it does not have comes behind all of its days. */
    const earlier = (months: number): Days => {
      const from = monthsFrom(begins, -months)
      return [from, isOver ? monthsFrom(from, 1) : { ...from, date: end.date }]
    }
    const sums = async <C extends TurnoverColumn>([from, to]: Days, columns: C[]) => {
      const filter = { tenantId, mode, companyIds: companyIds ?? undefined, kinds: ['total'] as const }
      const rows = await store.turnover.sums({ ...filter, spans: spansOf(from, to) }, columns)
      // A sale waits for one query, and not for all of them.
      await setImmediate()
      return rows
    }
    const partsOf = new Map<string, readonly string[]>()
    for (const { device, tags } of await machines.matching(principal, {})) {
      partsOf.set(device.id, by === 'town' ? [townOf(device.premisesAddress)] : tags)
    }
    const all = nothing()
    const companies = new Map<string, Money & { parts: Map<string, Money> }>()
    const rowsOf = ({ companyId, deviceId }: { companyId: string; deviceId: string }): Money[] => {
      const company = found(companies, companyId, () => ({ ...nothing(), parts: new Map() }))
      const parts = partsOf.get(deviceId) ?? []
      return [all, company, ...(parts.length > 0 ? parts : ['']).map((name) => found(company.parts, name, nothing))]
    }
    const held = await store.closings.held({ tenantId, mode, unit: 'month', starts, companyIds })
    const open = new Map(held.map((one) => [premisesKey(one), -one.invoices]))
    const sold = await sums([begins, next], ['companyId', 'deviceId', 'premisesCode', 'paymentMethod'])
    for (const one of sold) open.set(premisesKey(one), (open.get(premisesKey(one)) ?? 0) + one.invoices)
    for (const one of sold) {
      for (const row of rowsOf(one)) {
        row.invoices += one.invoices
        row.total += one.amount
        if (one.paymentMethod === 'G') row.cash += one.amount
        if (one.paymentMethod === 'K') row.card += one.amount
        row.premises.add(premisesKey(one))
        if (open.get(premisesKey(one)) === 0) row.closed.add(premisesKey(one))
      }
    }
    const compared: [field: 'compared' | 'monthBefore' | 'yearBefore', days: Days][] = [
      ['compared', [begins, end]],
      ['monthBefore', earlier(1)],
      ['yearBefore', earlier(12)],
    ]
    for (const [field, days] of compared) {
      for (const one of await sums(days, ['companyId', 'deviceId'])) {
        for (const row of rowsOf(one)) row[field] += one.amount
      }
    }
    const named = [...companies].map(async ([id, { parts, ...money }]) => ({
      ...money,
      ...(await issuerOf(store, id)),
      parts: [...parts].map(([name, part]) => ({ ...part, name })).sort(byName),
    }))
    return { ...all, until: isOver ? null : daysFrom(end, -1), companies: (await Promise.all(named)).sort(byName) }
  }
}

/** By name, and what has none as the last. */
const byName = (one: { name: string }, other: { name: string }) =>
  Number(one.name === '') - Number(other.name === '') || one.name.localeCompare(other.name, 'hr')

function found<T>(rows: Map<string, T>, key: string, make: () => T): T {
  const row = rows.get(key) ?? make()
  rows.set(key, row)
  return row
}
