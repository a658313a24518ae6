import { SCREEN_COLUMNS, shorten } from './text.ts'

export interface Column {
  head: string
  /** In columns of the terminal; the one column without a width takes what is left of the 80. */
  width?: number
}

/** A table without frames that never gets wider than 80 columns: long values are shortened. */
export async function table(columns: Column[], rows: string[][]): Promise<string> {
  const { default: Table } = await import('cli-table3')
  const fixed = columns.reduce((sum, { width }) => sum + (width ?? 0) + 2, 2)
  const widths = columns.map(({ width }) => width ?? SCREEN_COLUMNS - fixed)
  const cells = (row: string[]) => row.map((cell, index) => shorten(cell, widths[index] ?? 0))
  const drawn = new Table({
    head: cells(columns.map(({ head }) => head)),
    colWidths: widths.map((width) => width + 2),
    chars: NO_FRAME,
    style: { 'padding-left': 2, 'padding-right': 0, head: [], border: [] },
  })
  drawn.push(...rows.map(cells))
  return `${drawn
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`
}

const NO_FRAME = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
}
