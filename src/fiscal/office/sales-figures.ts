import { setImmediate } from 'node:timers/promises'
import type { EpochMs } from '../../domain/instant.ts'
import { AGES, type Age, ageSpans } from '../../domain/sale/invoice-age.ts'
import type { Figures, SalesOf } from '../ports/rows/sales.ts'

export interface HourOfSales {
  /** When the hour began. */
  at: EpochMs
  sold: number
  /** How many of the sold invoices are confirmed by now. */
  confirmed: number
}

/** The answers of the tax authority in an hour, from a sample of the messages. */
export interface HourOfAnswers {
  at: EpochMs
  messages: number
  answered: number
  /** Over the answered messages; null when there is none. */
  medianMs: number | null
  /** 95 of 100 answers took at most this long. */
  p95Ms: number | null
}

export interface SalesFigures {
  /** Invoices that will be sent automatically. */
  waiting: number
  /** Invoices that need an action first. */
  failed: number
  expired: number
  /** The oldest sale that can still be confirmed; null when there is none. */
  oldestAt: EpochMs | null
  /** Invoices without a JIR, by age. */
  ages: Record<Age, number>
  /** The last 48 hours including the current one, the oldest first. */
  hours: HourOfSales[]
  /** The last 24 hours, as `hours`. */
  answers: HourOfAnswers[]
}

const HOUR_MS = 3_600_000
const HOURS_OF_SALES = 48
const HOURS_OF_ANSWERS = 24
/** Samples are taken from this many parts of an hour, with this many sales each. */
const PARTS = 2
const PART_MS = HOUR_MS / PARTS
const SALES_OF_PART = 20
/** Hours per query. */
const HOURS_OF_SLICE = 12

/** Counts what was sold in hours that are over, or knows it already. */
export type CountEarlier = (count: () => Promise<number[]>) => Promise<number[]>

/** All figures of a tenant's sales in a mode. Pauses for other work after each query. */
export async function salesFigures(
  figures: Figures,
  part: SalesOf,
  now: EpochMs,
  countEarlier: CountEarlier = (count) => count(),
): Promise<SalesFigures> {
  const unconfirmed = await unconfirmedByAge(figures, part, now)
  const hours = await salesByHour(figures, part, now, countEarlier)
  return { ...unconfirmed, hours, answers: await answersByHour(figures, part, now) }
}

const hourOf = (at: EpochMs) => Math.floor(at / HOUR_MS) * HOUR_MS

async function unconfirmedByAge(figures: Figures, part: SalesOf, now: EpochMs) {
  const spans = ageSpans(now)
  const found = { waiting: 0, failed: 0, expired: 0, oldestAt: null as EpochMs | null }
  const ages: Record<Age, number> = { young: 0, older: 0, day_21: 0, day_25: 0, day_28: 0, too_late: 0 }
  for (const age of AGES) {
    for (const { status, count, oldestAt } of await figures.unconfirmed(part, spans[age])) {
      ages[status === 'expired' ? 'too_late' : age] += count
      found[status === 'pending' || status === 'retrying' ? 'waiting' : status] += count
      if (status !== 'expired') found.oldestAt = Math.min(found.oldestAt ?? oldestAt, oldestAt)
    }
    await setImmediate()
  }
  return { ...found, ages }
}

async function salesByHour(
  figures: Figures,
  part: SalesOf,
  now: EpochMs,
  countEarlier: CountEarlier,
): Promise<HourOfSales[]> {
  const all = lastHours(now, HOURS_OF_SALES)
  const lacking = await figures.unconfirmedByHour(part, all[0] ?? now)
  const earlier = await countEarlier(() => soldIn(figures, part, all.slice(0, -1)))
  const sold = [...earlier, ...(await soldIn(figures, part, all.slice(-1)))]
  return all.map((at, i) => {
    const count = sold[i] ?? 0
    // A sale may have been added between the queries.
    return { at, sold: count, confirmed: Math.max(0, count - (lacking.get(at) ?? 0)) }
  })
}

async function soldIn(figures: Figures, part: SalesOf, hours: EpochMs[]): Promise<number[]> {
  const counts: number[] = []
  for (const some of inSlices(hours)) {
    counts.push(...(await figures.soldByHour(part, some[0] ?? 0, some.length)))
    await setImmediate()
  }
  return counts
}

async function answersByHour(figures: Figures, part: SalesOf, now: EpochMs): Promise<HourOfAnswers[]> {
  const all = lastHours(now, HOURS_OF_ANSWERS)
  const byHour = new Map(all.map((at) => [at, [] as { durationMs: number; answered: boolean }[]]))
  for (const some of inSlices(all)) {
    const spans = some.flatMap((at) =>
      Array.from({ length: PARTS }, (_, k) => ({ from: at + k * PART_MS, to: at + (k + 1) * PART_MS })),
    )
    for (const exchange of await figures.exchanges(part, spans, SALES_OF_PART)) {
      byHour.get(hourOf(exchange.createdAt))?.push(exchange)
    }
    await setImmediate()
  }
  return [...byHour].map(([at, messages]) => ({ at, ...summaryOf(messages) }))
}

/** The starts of the last hours including the current one, the oldest first. */
function lastHours(now: EpochMs, count: number): EpochMs[] {
  return Array.from({ length: count }, (_, i) => hourOf(now) - (count - 1 - i) * HOUR_MS)
}

function* inSlices(hours: EpochMs[]): Generator<EpochMs[]> {
  for (let i = 0; i < hours.length; i += HOURS_OF_SLICE) yield hours.slice(i, i + HOURS_OF_SLICE)
}

function summaryOf(messages: { durationMs: number; answered: boolean }[]): Omit<HourOfAnswers, 'at'> {
  const times = messages.filter(({ answered }) => answered).map(({ durationMs }) => durationMs)
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? null
  return { messages: messages.length, answered: times.length, medianMs: at(0.5), p95Ms: at(0.95) }
}
