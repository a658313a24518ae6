import { tidyName } from '../../domain/name.ts'
import type { ImportRow, WrongRow } from './device-import.ts'

type Row = ImportRow | WrongRow

/** Rows that are stored together: one, or those that hand their ISU numbers round. Each takes the number of the next one, the last that of the first. */
export type ImportUnit = readonly Row[]

/**
 * Puts rows into an order in which each ISU number is free before another device takes it; otherwise they stay as they are.
 * @param labelOf the labels of the company's devices by their present ISU numbers
 */
export function unitsOf(rows: readonly Row[], labelOf: ReadonlyMap<string, string>): ImportUnit[] {
  const byLabel = new Map(rows.map((row) => [tidyName(row.label), row]))
  /** The row that frees the number which this one takes. */
  const freeing = (row: Row): Row | undefined => {
    if ('refusal' in row || row.isuNumber === null) return undefined
    const other = byLabel.get(labelOf.get(row.isuNumber) ?? '')
    const isFreed = other && !('refusal' in other) && other.isuNumber !== null && other.isuNumber !== row.isuNumber
    return isFreed ? other : undefined
  }
  const units: ImportUnit[] = []
  const done = new Set<Row>()
  for (const row of rows) {
    const way = new Set<Row>()
    let next: Row | undefined = row
    for (; next && !done.has(next) && !way.has(next); next = freeing(next)) way.add(next)
    const chain = [...way]
    if (next && way.has(next)) units.push(chain.splice(chain.indexOf(next)))
    units.push(...chain.reverse().map((one) => [one]))
    for (const one of way) done.add(one)
  }
  return units
}

/** Rows per transaction: a new sale waits for at most one batch. */
const BATCH = 50

export function batchesOf(units: readonly ImportUnit[]): ImportUnit[][] {
  const batches: ImportUnit[][] = []
  for (const unit of units) {
    const last = batches.at(-1)
    if (last && last.flat().length + unit.length <= BATCH) last.push(unit)
    else batches.push([unit])
  }
  return batches
}
