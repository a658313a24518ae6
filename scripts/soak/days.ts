import { median } from '../bench/statistics.ts'
import type { Reading, Stock } from './readings.ts'

/** What was counted on a day. */
export interface Day {
  /** `2028-03-26` in Zagreb. */
  date: string
  sales: number
  /** Messages that the authority received. */
  messages: number
  /** Receipts that were cut. */
  receipts: number
  logBytes: number
  readings: Reading[]
  stock: Stock
  /** Bytes by which the database grew. */
  grown: number
  /** Seconds of real time. */
  realSeconds: number
}

const middleOf = (day: Day, name: Exclude<keyof Reading, 'at'>) => median(day.readings.map((one) => one[name]))
const mostOf = (day: Day, name: Exclude<keyof Reading, 'at'>) => Math.max(...day.readings.map((one) => one[name]))

/** What the days have to have in common: the last one must not have more than the first one and this. */
const LIMITS: { what: string; unit: string; of: (day: Day) => number; more: (first: number) => number }[] = [
  { what: 'resident memory', unit: 'MB', of: (day) => middleOf(day, 'residentMb'), more: (first) => first * 0.1 + 4 },
  {
    what: 'its own memory',
    unit: 'MB',
    of: (day) => middleOf(day, 'proportionalMb'),
    more: (first) => first * 0.1 + 4,
  },
  { what: 'heap', unit: 'MB', of: (day) => middleOf(day, 'heapMb'), more: (first) => first * 0.15 + 2 },
  { what: 'open files', unit: '', of: (day) => middleOf(day, 'openFiles'), more: () => 2 },
  { what: 'handles', unit: '', of: (day) => middleOf(day, 'handles'), more: () => 2 },
  { what: 'log of the database', unit: 'MB', of: (day) => mostOf(day, 'logMb'), more: () => 2 },
  { what: 'growth for a sale', unit: 'KB', of: perSaleKb, more: (first) => first * 0.2 },
  { what: 'log lines for a sale', unit: 'bytes', of: (day) => day.logBytes / day.sales, more: (first) => first * 0.5 },
  { what: 'files', unit: '', of: (day) => day.stock.files, more: () => 2 },
]

function perSaleKb({ grown, sales }: Day): number {
  return grown / sales / 1024
}

/**
 * Compares the last day with the first one after the restart, when both have all that a day has.
 * @returns what grew
 */
export function growing(first: Day, last: Day): string[] {
  return LIMITS.flatMap(({ what, unit, of, more }) => {
    const [before, after] = [of(first), of(last)]
    // Also where a figure is missing.
    if (after <= before + more(before)) return []
    const figures = `${before.toFixed(1)} on ${first.date}, ${after.toFixed(1)} ${unit} on ${last.date}`
    return [`${what}: ${figures}; at most ${more(before).toFixed(1)} more`]
  })
}

/** The rows of the table. */
export function rowOf(day: Day) {
  return {
    day: day.date,
    sales: day.sales,
    messages: day.messages,
    receipts: day.receipts,
    'RSS, MB': middleOf(day, 'residentMb').toFixed(1),
    'PSS, MB': middleOf(day, 'proportionalMb').toFixed(1),
    'heap, MB': middleOf(day, 'heapMb').toFixed(1),
    files: middleOf(day, 'openFiles'),
    handles: middleOf(day, 'handles'),
    'KB/sale': perSaleKb(day).toFixed(1),
    'WAL, MB': mostOf(day, 'logMb').toFixed(1),
    'in folder': day.stock.files,
    'log B/sale': Math.round(day.logBytes / day.sales),
    'real s': Math.round(day.realSeconds),
  }
}
