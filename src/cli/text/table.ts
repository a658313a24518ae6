import { translate } from '../words/translate.ts'
import { columns, shorten } from './columns.ts'
import { PLAIN_SCREEN } from './screen.ts'

export interface Column {
  head: string
  /** In columns of the terminal; the one column without a width takes what is left of the screen. */
  width?: number
  /** Of figures, which are compared by their places. */
  isRight?: true
}

/** @param widths of the columns by their heads; null for the one that takes what is left */
export const layoutOf = (widths: Readonly<Record<string, number | null>>): Column[] =>
  Object.entries(widths).map(([head, width]) => ({ head, ...(width !== null && { width }) }))

/** A table without frames: long values are shortened so that it gets no wider than the screen, where that is possible. */
export function table(layout: Column[], rows: string[][], screen = PLAIN_SCREEN): string {
  return tableHead(layout, screen) + tableRows(layout, rows, screen)
}

export function tableHead(layout: Column[], screen = PLAIN_SCREEN): string {
  return tableRows(layout, [layout.map(({ head }) => translate(head, screen.language))], screen)
}

/** Rows alone, for a table that is printed bit by bit. */
export function tableRows(layout: Column[], rows: string[][], screen = PLAIN_SCREEN): string {
  const fixed = layout.reduce((sum, { width }) => sum + (width ?? 0) + GAP, 0)
  const widths = layout.map(({ width }) => width ?? Math.max(NARROWEST, screen.columns - fixed))
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => padded(cell, widths[index] ?? 0, layout[index]?.isRight))
          .join('')
          .trimEnd()}\n`,
    )
    .join('')
}

const GAP = 2
/** A name of fewer letters tells nothing; a terminal that is too narrow breaks the lines itself. */
const NARROWEST = 12

function padded(cell: string, width: number, isRight = false): string {
  const shown = shorten(cell, width)
  const rest = ' '.repeat(width - columns(shown))
  return `${' '.repeat(GAP)}${isRight ? rest + shown : shown + rest}`
}
