import type { EpochMs } from '../../domain/instant.ts'
import type { Cents } from '../../domain/money.ts'

/** A value in a table that is given away as a file: what it is stays known until it is written down. */
export type Cell =
  | string
  | null
  | { money: Cents }
  | { count: number }
  /** A percentage, such as `25.00`. */
  | { rate: string }
  /** The day of a moment in Zagreb. */
  | { day: EpochMs }
  /** Its month. */
  | { month: EpochMs }
  /** The time of the day. */
  | { clock: EpochMs }
  /** Both. */
  | { moment: EpochMs }

export interface Column {
  title: string
  /** In characters. */
  width: number
}

/** A column with what stands in it of an item. */
export interface ColumnOf<T> extends Column {
  cell(item: T): Cell
  /** What a row of totals has of it: the sum, or what all rows of its group say alike; nothing when left out. */
  total?: 'sum' | 'same'
}

/** A table whose rows come in slices. */
export interface Table {
  title: string
  columns: readonly Column[]
  rows: AsyncIterable<Cell[][]>
  /** Lines above it in a workbook, where people read what the table is about. */
  about?: readonly string[]
  /** Rows below it in a workbook, once all rows were read. */
  totals?(): Cell[][]
}

/** A table with a row for each item. */
export function tableOf<T>(title: string, columns: readonly ColumnOf<T>[], slices: AsyncIterable<readonly T[]>): Table {
  return { title, columns, rows: eachOf(slices, (item) => columns.map(({ cell }) => cell(item))) }
}

/**
 * A table with a row for each item and, below it, one with the totals of each group and, of several, one of all.
 * @param groupOf its name, by which groups are told apart and ordered
 */
export function totalledTable<T>(
  title: string,
  columns: readonly ColumnOf<T>[],
  slices: AsyncIterable<readonly T[]>,
  { groupOf, total }: { groupOf(item: T): string; total: string },
): Table {
  const groups = new Map<string, Cell[]>()
  const added = (sums: Cell[] | undefined, row: Cell[]) =>
    row.map((cell, i) => (columns[i]?.total === 'sum' ? sumOf(sums?.[i] ?? null, cell) : cell))
  const rows = eachOf(slices, (item) => {
    const row = columns.map(({ cell }) => cell(item))
    groups.set(groupOf(item), added(groups.get(groupOf(item)), row))
    return row
  })
  const rowOf = (sums: Cell[], isOfAll: boolean) =>
    columns.map(({ total: kept }, i) =>
      i === 0 ? total : kept === 'sum' || (kept === 'same' && !isOfAll) ? (sums[i] ?? null) : null,
    )
  const totals = () => {
    const ordered = [...groups].sort(([one], [other]) => one.localeCompare(other, 'hr')).map(([, sums]) => sums)
    const [first, ...others] = ordered
    const all = first && others.length > 0 ? [rowOf(others.reduce(added, first), true)] : []
    return [...ordered.map((sums) => rowOf(sums, false)), ...all]
  }
  return { title, columns, rows, totals }
}

/** An empty cell adds nothing. */
function sumOf(sum: Cell, cell: Cell): Cell {
  if (sum === null || cell === null || typeof sum === 'string' || typeof cell === 'string') return cell ?? sum
  if ('money' in sum && 'money' in cell) return { money: sum.money + cell.money }
  return 'count' in sum && 'count' in cell ? { count: sum.count + cell.count } : cell
}

/** Slices of what is made of each item. */
export async function* eachOf<T, R>(slices: AsyncIterable<readonly T[]>, of: (item: T) => R): AsyncGenerator<R[]> {
  for await (const slice of slices) yield slice.map(of)
}

/** A moment in a cell, which may be missing. */
export const momentCell = (at: EpochMs | null): Cell => (at === null ? null : { moment: at })
