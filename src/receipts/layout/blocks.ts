import { wrap } from './wrap-lines.ts'

/** `tall`: double height; `double`: double height and width, so that half as many characters fit. */
export type TextSize = 'normal' | 'tall' | 'double'

/** A part of a receipt from top to bottom. The text of a line is composed: it fits the paper, spaces and all. */
export type Block =
  | { kind: 'line'; text: string; align: 'left' | 'center'; bold: boolean; size: TextSize }
  | { kind: 'blank' }
  | { kind: 'qr'; payload: string }

interface LineStyle {
  align?: 'left' | 'center'
  bold?: boolean
  size?: TextSize
  /** Indented, because the line belongs to the line above. */
  indent?: boolean
}

const INDENT = 2

export interface Paper {
  /** Characters of normal size on a line. */
  columns: number
  /** Characters of double size on a line; equal to `columns` when there is only one size, as in a terminal. */
  bigColumns: number
  /** Makes a text printable. Every text is converted before its characters are counted. */
  letters: (text: string) => string
}

/** Composes blocks for a paper. */
export class Page {
  readonly blocks: Block[] = []
  private readonly paper: Paper
  private readonly columns: number
  private readonly letters: Paper['letters']

  constructor(paper: Paper) {
    this.paper = paper
    this.columns = paper.columns
    this.letters = paper.letters
  }

  blank(): void {
    this.blocks.push({ kind: 'blank' })
  }

  rule(): void {
    this.line('-'.repeat(this.columns), {})
  }

  qr(payload: string): void {
    this.blocks.push({ kind: 'qr', payload })
  }

  /** Whether anything of a text can be printed. */
  shows(text: string): boolean {
    return this.letters(text).trim() !== ''
  }

  /** Adds a text, wrapped at words; an empty text is a blank line. */
  text(text: string, style: LineStyle = {}): void {
    for (const line of wrap(this.letters(text), this.width(style))) {
      if (line === '') this.blank()
      else this.line(line, style)
    }
  }

  /** `Label: value`; a value that does not fit beside its label starts on a new line. */
  field(label: string, value: string): void {
    const whole = `${label}: ${value}`
    if (this.letters(whole).length <= this.columns) this.text(whole)
    else {
      this.text(`${label}:`)
      this.text(value)
    }
  }

  /** A text at the left edge and one at the right edge, on one line where both fit. */
  pair(left: string, right: string, style: LineStyle = {}): void {
    const width = this.width(style)
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
    const fits = this.letters(right).length <= this.width({ size: 'double' })
    this.pair(left, right, { bold: true, size: fits ? 'double' : 'tall' })
  }

  /** The first column is left-aligned, the others right-aligned; a row that is too wide is split over lines. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void {
    const cells = [head, ...rows].map((row) => row.map(this.letters))
    const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
    const spare = this.columns - widths.reduce((sum, width) => sum + width + 2, -2)
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
      this.line(first.padEnd(this.columns - right.length) + right, {})
    }
  }

  private width({ size = 'normal' }: LineStyle): number {
    return size === 'double' ? this.paper.bigColumns : this.columns
  }

  private line(text: string, { align = 'left', bold = false, size = 'normal' }: LineStyle): void {
    this.blocks.push({ kind: 'line', text, align, bold, size })
  }
}
