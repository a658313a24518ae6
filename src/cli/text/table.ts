import { columns, SCREEN_COLUMNS, shorten } from './columns.ts'

export interface Column {
  head: string
  /** In columns of the terminal; the one column without a width takes what is left of the 80. */
  width?: number
}

/** A table without frames that never gets wider than 80 columns: long values are shortened. */
export function table(layout: Column[], rows: string[][]): string {
  return tableHead(layout) + tableRows(layout, rows)
}

export function tableHead(layout: Column[]): string {
  return tableRows(layout, [layout.map(({ head }) => head)])
}

/** Rows alone, for a table that is printed bit by bit. */
export function tableRows(layout: Column[], rows: string[][]): string {
  const fixed = layout.reduce((sum, { width }) => sum + (width ?? 0) + GAP, 0)
  const widths = layout.map(({ width }) => width ?? SCREEN_COLUMNS - fixed)
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => padded(cell, widths[index] ?? 0))
          .join('')
          .trimEnd()}\n`,
    )
    .join('')
}

const GAP = 2

function padded(cell: string, width: number): string {
  const shown = shorten(cell, width)
  return `${' '.repeat(GAP)}${shown}${' '.repeat(width - columns(shown))}`
}
