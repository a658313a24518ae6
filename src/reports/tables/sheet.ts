import type { EpochMs } from '../../domain/instant.ts'
import { formatMoney } from '../../domain/money.ts'
import { zagrebClock } from '../../domain/zagreb.ts'
import type { Cell, Table } from './cells.ts'

/** How cells look, in the order in which `workbook.ts` lists the styles. */
const STYLES = { plain: 0, money: 1, count: 2, rate: 3, day: 4, month: 5, clock: 6, moment: 7 } as const
/** The same in bold come behind them. */
const BOLD = Object.keys(STYLES).length

const XML =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'

/** A sheet, slice by slice: the titles stay in view, and the rows between what it is about and the totals can be filtered. */
export async function* sheetOf(
  { columns, about = [] }: Pick<Table, 'columns' | 'about'>,
  slices: AsyncIterable<Cell[][]>,
  totals: () => Cell[][],
): AsyncGenerator<string> {
  const names = columns.map((_column, i) => nameOf(i))
  const widths = columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  let rows = 0
  const written = (cells: readonly Cell[], bold = 0) => {
    rows++
    return `<row r="${rows}">${cells.map((cell, i) => cellOf(`${names[i]}${rows}`, cell, bold)).join('')}</row>`
  }
  const head = about.length + 1
  const view = `<pane ySplit="${head}" topLeftCell="A${head + 1}" activePane="bottomLeft" state="frozen"/>`
  const lines = [
    ...about.map((line) => written([line || null], BOLD)),
    written(
      columns.map(({ title }) => title),
      BOLD,
    ),
  ]
  yield `${XML}<sheetViews><sheetView workbookViewId="0">${view}</sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${lines.join('')}`
  for await (const slice of slices) yield slice.map((row) => written(row)).join('')
  const filter = `<autoFilter ref="A${head}:${names.at(-1)}${rows}"/>`
  // Spreadsheets take rows without a gap for rows of the table.
  const sums = totals().map((row, i) => (i === 0 ? written([]) : '') + written(row, BOLD))
  yield `${sums.join('')}</sheetData>${filter}</worksheet>`
}

function cellOf(reference: string, cell: Cell, bold: number): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return textCell(reference, cell, STYLES.plain + bold)
  const number = (value: string, style: keyof typeof STYLES) =>
    `<c r="${reference}" s="${STYLES[style] + bold}"><v>${value}</v></c>`
  if ('money' in cell) return number(formatMoney(cell.money), 'money')
  if ('count' in cell) return number(String(cell.count), 'count')
  if ('rate' in cell) return number(cell.rate, 'rate')
  if ('day' in cell) return number(String(Math.floor(secondsAt(cell.day) / DAY_S)), 'day')
  if ('month' in cell) return number(String(Math.floor(secondsAt(cell.month) / DAY_S)), 'month')
  if ('clock' in cell) return number(((secondsAt(cell.clock) % DAY_S) / DAY_S).toFixed(9), 'clock')
  return number((secondsAt(cell.moment) / DAY_S).toFixed(9), 'moment')
}

function textCell(reference: string, text: string, style: number): string {
  return `<c r="${reference}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}

const DAY_S = 86_400
/** What spreadsheets count days from, in days before 1970. */
const EPOCH_DAYS = 25_569

/** Since 30 December 1899 by the clock in Zagreb, for spreadsheets know no time zones. */
function secondsAt(at: EpochMs): number {
  return Math.floor(zagrebClock(at).getTime() / 1000) + EPOCH_DAYS * DAY_S
}

const MARKUP: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu
/** Spreadsheets read `_x0041_` as the letter A. */
const LOOKS_ESCAPED = /_(?=x[0-9a-f]{4}_)/gi

function escaped(text: string): string {
  return text
    .replace(NOT_XML, '\ufffd')
    .replace(LOOKS_ESCAPED, '_x005F_')
    .replace(/[&<>]/g, (sign) => MARKUP[sign] ?? '')
}

/** The name of a column: A to Z, AA to ZZ. */
function nameOf(column: number): string {
  const letter = (n: number) => String.fromCharCode(65 + n)
  return column < 26 ? letter(column) : letter(Math.floor(column / 26) - 1) + letter(column % 26)
}
