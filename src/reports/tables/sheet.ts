import type { EpochMs } from '../../domain/instant.ts'
import { formatMoney } from '../../domain/money.ts'
import { zagrebClock } from '../../domain/zagreb.ts'
import type { Cell, Column } from './cells.ts'

/** How cells look, in the order in which `workbook.ts` lists the styles. */
const STYLES = { plain: 0, title: 1, money: 2, count: 3, rate: 4, day: 5, clock: 6, moment: 7 } as const

const HEAD =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '</sheetView></sheetViews>'

/** A sheet, slice by slice: the titles stay in view, and can be filtered by. */
export async function* sheetOf(columns: readonly Column[], slices: AsyncIterable<Cell[][]>): AsyncGenerator<string> {
  const names = columns.map((_column, i) => nameOf(i))
  const widths = columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  const titles = columns.map(({ title }, i) => textCell(`${names[i]}1`, title, STYLES.title))
  yield `${HEAD}<cols>${widths.join('')}</cols><sheetData><row r="1">${titles.join('')}</row>`
  let rows = 1
  for await (const slice of slices) {
    let text = ''
    for (const row of slice) {
      rows++
      text += `<row r="${rows}">`
      for (const [i, cell] of row.entries()) text += cellOf(`${names[i]}${rows}`, cell)
      text += '</row>'
    }
    yield text
  }
  yield `</sheetData><autoFilter ref="A1:${names.at(-1)}${rows}"/></worksheet>`
}

function cellOf(reference: string, cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return textCell(reference, cell, STYLES.plain)
  if ('money' in cell) return numberCell(reference, formatMoney(cell.money), STYLES.money)
  if ('count' in cell) return numberCell(reference, String(cell.count), STYLES.count)
  if ('rate' in cell) return numberCell(reference, cell.rate, STYLES.rate)
  if ('day' in cell) return numberCell(reference, String(Math.floor(secondsAt(cell.day) / DAY_S)), STYLES.day)
  if ('clock' in cell) return numberCell(reference, ((secondsAt(cell.clock) % DAY_S) / DAY_S).toFixed(9), STYLES.clock)
  return numberCell(reference, (secondsAt(cell.moment) / DAY_S).toFixed(9), STYLES.moment)
}

function numberCell(reference: string, value: string, style: number): string {
  return `<c r="${reference}" s="${style}"><v>${value}</v></c>`
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
