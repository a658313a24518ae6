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

/** A table whose rows come in slices. */
export interface Table {
  title: string
  columns: readonly Column[]
  rows: AsyncIterable<Cell[][]>
}
