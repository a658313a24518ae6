import { tidyName } from '../../domain/texts/name.ts'

/** Without a number for a row that is wrong. */
interface Numbered {
  label: string
  isuNumber?: string | null
}

/**
 * Puts rows into an order in which each ISU number is free before another device takes it; otherwise they stay as they are.
 * @returns rows that are stored together: one, or those that hand their numbers round, where each takes the number of the
 *   next one and the last that of the first
 * @param labelOf the labels of the company's devices by their present ISU numbers
 */
export function unitsOf<Row extends Numbered>(rows: readonly Row[], labelOf: ReadonlyMap<string, string>): Row[][] {
  const byLabel = new Map(rows.map((row) => [tidyName(row.label), row]))
  /** The row that frees the number which this one takes. */
  const freeing = (row: Row): Row | undefined => {
    const other = row.isuNumber ? byLabel.get(labelOf.get(row.isuNumber) ?? '') : undefined
    return other?.isuNumber && other.isuNumber !== row.isuNumber ? other : undefined
  }
  const units: Row[][] = []
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

export function batchesOf<Row>(units: readonly Row[][]): Row[][][] {
  const batches: Row[][][] = []
  for (const unit of units) {
    const last = batches.at(-1)
    if (last && last.flat().length + unit.length <= BATCH) last.push(unit)
    else batches.push([unit])
  }
  return batches
}
