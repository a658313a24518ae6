import { centsOf, parseMoney } from '../../domain/money.ts'
import { isOib } from '../../domain/oib.ts'
import { isRegisterMark } from '../../domain/sale/receipt-number.ts'
import { isVatRate, MAX_CONSUMPTION_TAX_RATE } from '../../domain/sale/vat.ts'
import { isXmlText } from '../../domain/xml-text.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import type { Field, Part } from './fields.ts'
import type { texts } from './texts.ts'

/** Why a typed text is no value, by the names of the texts, and for items in which line. */
export interface Fault {
  fault: FaultName
  line?: number
}
/** Of the texts; `both` is a fault of the form. */
export type FaultName = Exclude<keyof (typeof texts)['hr']['faults'], 'both'>

/** Reads the typed text of a field, which is not empty. */
export function readTyped(field: Pick<Field, 'kind' | 'rates'>, text: string): { value: unknown } | Fault {
  const { kind } = field
  if (!isXmlText(text)) return { fault: 'letters' }
  switch (kind.as) {
    case 'choice':
      return kind.values.includes(text) ? { value: text } : { fault: 'choice' }
    case 'yes':
      return text === 'true' || text === 'false' ? { value: text === 'true' } : { fault: 'choice' }
    case 'text':
      return [...text].length <= kind.most ? { value: text } : { fault: 'long' }
    case 'oib':
      return isOib(text) ? { value: text } : { fault: 'oib' }
    case 'mark': {
      const isMark: boolean = isRegisterMark(text)
      return isMark ? { value: text } : { fault: 'mark' }
    }
    case 'amount': {
      const value = readAmount(text)
      return value === undefined ? { fault: 'amount' } : { value }
    }
    case 'paper':
      return readPaper(linesOf(text))
    case 'items':
      return readItems(field, kind.parts, linesOf(text))
  }
}

/** What a value of the right shape looks like when it is typed. */
export function typedOf({ kind }: Pick<Field, 'kind'>, value: unknown): string {
  if (kind.as === 'paper') return (value as string[]).join('\n')
  if (kind.as === 'items') {
    const rows = value as Record<Part, string>[]
    return rows
      .map((row) => kind.parts.map((part) => (part === 'name' ? row.name : comma(row[part]))).join('; '))
      .join('\n')
  }
  return kind.as === 'amount' ? comma(String(value)) : String(value)
}

/** An amount as people here write it: `0,07`, `1.234,50`, `25`. @returns with two decimals and a dot */
export function readAmount(text: string): string | undefined {
  const plain = text.includes(',') ? text.replaceAll('.', '').replace(',', '.') : text
  const [, whole, decimals = ''] = /^(-?\d{1,15})(?:\.(\d{1,2}))?$/.exec(plain.replaceAll(/[\s\u20ac%]/g, '')) ?? []
  if (whole === undefined) return undefined
  const amount = `${whole}.${decimals.padEnd(2, '0')}`
  return parseMoney(amount) === undefined ? undefined : amount
}

const comma = (amount: string) => amount.replace('.', ',')

/**
 * Without the empty ones at the end; not by a pattern, which for a text of line breaks takes the square of its length.
 */
function linesOf(text: string): string[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  while (lines.length > 1 && lines.at(-1) === '') lines.pop()
  return lines
}

function readPaper(lines: string[]): { value: string[] } | Fault {
  const long = lines.findIndex((line) => [...line].length > DASHBOARD_BOUNDS.paperLine.most)
  if (lines.length > DASHBOARD_BOUNDS.paperLines.most) return { fault: 'lines' }
  return long < 0 ? { value: lines } : { fault: 'long', line: long + 1 }
}

function readItems(field: Pick<Field, 'rates'>, parts: readonly Part[], lines: string[]): { value: unknown } | Fault {
  const items: Record<string, string>[] = []
  for (const [index, text] of lines.entries()) {
    if (text.trim() === '') continue
    const cells = cellsOf(text, parts)
    if (cells.length !== parts.length) return { fault: 'parts', line: index + 1 }
    const item: Record<string, string> = {}
    for (const [at, part] of parts.entries()) {
      const read = readPart(field, part, cells[at] ?? '')
      if (typeof read !== 'string') return { ...read, line: index + 1 }
      item[part] = read
    }
    items.push(item)
  }
  return { value: items }
}

/** A name comes first, and may have semicolons of its own. */
function cellsOf(text: string, parts: readonly Part[]): string[] {
  const cells = text.split(';')
  const extra = parts[0] === 'name' ? Math.max(cells.length - parts.length, 0) : 0
  return [cells.slice(0, extra + 1).join(';'), ...cells.slice(extra + 1)].map((cell) => cell.trim())
}

function readPart({ rates }: Pick<Field, 'rates'>, part: Part, cell: string): string | Fault {
  if (part === 'name')
    return cell !== '' && [...cell].length <= DASHBOARD_BOUNDS.taxName.most ? cell : { fault: 'name' }
  const amount = readAmount(cell)
  if (amount === undefined) return { fault: 'amount' }
  if (part === 'rate' && rates === 'vat' && !isVatRate(amount)) return { fault: 'vatRate' }
  const cents = centsOf(amount)
  if (part === 'rate' && rates === 'consumption' && (cents < 0n || cents > MAX_CONSUMPTION_TAX_RATE))
    return { fault: 'consumptionRate' }
  return amount
}
