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
}

/** A table whose rows come in slices. */
export interface Table {
  title: string
  columns: readonly Column[]
  rows: AsyncIterable<Cell[][]>
}

/** A table with a row for each item. */
export function tableOf<T>(title: string, columns: readonly ColumnOf<T>[], slices: AsyncIterable<readonly T[]>): Table {
  return { title, columns, rows: eachOf(slices, (item) => columns.map(({ cell }) => cell(item))) }
}

/** Slices of what is made of each item. */
export async function* eachOf<T, R>(slices: AsyncIterable<readonly T[]>, of: (item: T) => R): AsyncGenerator<R[]> {
  for await (const slice of slices) yield slice.map(of)
}

/** A moment in a cell, which may be missing. */
export const momentCell = (at: EpochMs | null): Cell => (at === null ? null : { moment: at })
