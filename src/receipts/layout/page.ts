import type { Bitmap } from '../drawing/bitmap.ts'
import type { Block, Line, TextSize } from './blocks.ts'
import { columnsOf, type Paper } from './paper.ts'
import { wrap } from './wrap-lines.ts'

export interface LineStyle {
  align?: 'left' | 'center'
  bold?: boolean
  size?: TextSize
  /** Indented, because the line belongs to the line above. */
  indent?: boolean
}

const INDENT = 2

/** Composes blocks for a paper. */
export class Page {
  readonly blocks: Block[] = []
  private readonly paper: Paper
  private readonly letters: Paper['letters']

  constructor(paper: Paper) {
    this.paper = paper
    this.letters = paper.letters
  }

  blank(): void {
    this.blocks.push({ kind: 'line', spans: [], align: 'left', tight: false })
  }

  rule(): void {
    this.line('-'.repeat(columnsOf(this.paper)), {})
  }

  /** A picture in the middle, and a little blank paper below it. */
  picture(bitmap: Bitmap): void {
    this.blocks.push({ kind: 'picture', bitmap }, { kind: 'gap', mm: 2 })
  }

  /** A QR code alone in the middle, between blank lines. */
  qr(payload: string): void {
    this.blank()
    this.blocks.push({ kind: 'qr', payload, beside: [], tight: false })
    this.blank()
  }

  /** A QR code at the left edge with lines at its right side, as small as the law allows. */
  qrBeside(payload: string, lines: readonly string[]): void {
    const beside = lines.map((text) => ({ ...line(this.letters(text), {}), tight: true }))
    this.blocks.push({ kind: 'qr', payload, beside, tight: true })
  }

  /** A line of letters that are printable already. */
  composed(text: string): void {
    this.line(text, {})
  }

  /** Whether anything of a text can be printed. */
  shows(text: string): boolean {
    return this.letters(text).trim() !== ''
  }

  /** Adds a text, wrapped at words; an empty text is a blank line. */
  text(text: string, style: LineStyle = {}): void {
    for (const line of wrap(this.letters(text), columnsOf(this.paper, style.size))) {
      if (line === '') this.blank()
      else this.line(line, style)
    }
  }

  /** `Label: value`; a value that does not fit beside its label starts on a new line. */
  field(label: string, value: string): void {
    const whole = `${label}: ${value}`
    if (this.letters(whole).length <= columnsOf(this.paper)) this.text(whole)
    else {
      this.text(`${label}:`)
      this.text(value)
    }
  }

  /** A text at the left edge and one at the right edge, on one line where both fit. */
  pair(left: string, right: string, style: LineStyle = {}): void {
    const width = columnsOf(this.paper, style.size)
    const indent = style.indent ? INDENT : 0
    const end = this.letters(right)
    const start = wrap(this.letters(left), width - indent).map((line) => ' '.repeat(indent) + line)
    const last = start.at(-1) ?? ''
    if (last.length + 1 + end.length <= width) start[start.length - 1] = last.padEnd(width - end.length) + end
    else start.push(end.padStart(width))
    for (const line of start) this.line(line, style)
  }

  /** A pair as big as the paper allows, for the amount that must be visible. */
  bigPair(left: string, right: string): void {
    const fits = this.letters(right).length <= columnsOf(this.paper, 'double')
    this.pair(left, right, { bold: true, size: fits ? 'double' : 'tall' })
  }

  /** The first column is left-aligned, the others right-aligned; a row that is too wide is split over lines. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void {
    const columns = columnsOf(this.paper)
    const cells = [head, ...rows].map((row) => row.map(this.letters))
    const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
    const spare = columns - widths.reduce((sum, width) => sum + width + 2, -2)
    if (spare < 0) {
      for (const [label = '', ...values] of rows) {
        this.text(label)
        for (const [index, value] of values.entries()) this.pair(head[index + 1] ?? '', value, { indent: true })
      }
      return
    }
    const gap = ' '.repeat(2 + Math.floor(spare / Math.max(1, head.length - 1)))
    for (const [first = '', ...others] of cells) {
      const right = others.map((cell, index) => gap + cell.padStart(widths[index + 1] ?? 0)).join('')
      this.line(first.padEnd(columns - right.length) + right, {})
    }
  }

  private line(text: string, { align = 'left', bold = false, size = 'normal' }: LineStyle): void {
    this.blocks.push(line(text, { align, bold, size }))
  }
}

function line(text: string, { align = 'left', bold = false, size = 'normal' }: LineStyle): Line {
  return { kind: 'line', spans: [{ text, bold, size }], align, tight: false }
}
