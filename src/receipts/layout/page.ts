import { invalidRequest } from '../../domain/errors.ts'
import { RECEIPT_BOUNDS } from '../bounds.ts'
import type { Bitmap } from '../drawing/bitmap.ts'
import type { Block, Line, Span, TextSize } from './blocks.ts'
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

/** From the biggest; the small font never stands beside another one. */
const AMOUNT_SIZES = ['double', 'tall', 'normal'] as const

export class Page {
  readonly blocks: Block[] = []
  private readonly paper: Paper
  private readonly letters: Paper['letters']
  private readonly tight: boolean
  private lines = 0

  /** @param tight lines stand close together */
  constructor(paper: Paper, { tight = false } = {}) {
    this.paper = paper
    this.letters = paper.letters
    this.tight = tight
  }

  blank(): void {
    this.spans([])
  }

  gap(mm: number): void {
    this.blocks.push({ kind: 'gap', mm })
  }

  rule(): void {
    this.line('-'.repeat(columnsOf(this.paper)), {})
  }

  /** A picture in the middle, and a little blank paper below it. */
  picture(bitmap: Bitmap): void {
    this.blocks.push({ kind: 'picture', bitmap }, { kind: 'gap', mm: 2 })
  }

  qr(payload: string): void {
    this.blank()
    this.blocks.push({ kind: 'qr', payload, beside: [], tight: false })
    this.blank()
  }

  /**
   * A QR code as small as the law allows, left of lines or in the middle; the blank space it needs is the caller's.
   * @param texts each fits the paper beside the code
   */
  tightQr(payload: string, texts: readonly Omit<Span, 'size'>[]): void {
    const beside = texts.map(({ text, bold }) => this.lineOf([{ text: this.letters(text), bold, size: 'normal' }]))
    this.blocks.push({ kind: 'qr', payload, beside, tight: true })
  }

  /** A line of letters that are printable already. */
  composed(text: string): void {
    this.line(text, {})
  }

  shows(text: string): boolean {
    return this.letters(text).trim() !== ''
  }

  isOneLine(text: string, size?: TextSize): boolean {
    return this.letters(text).length <= columnsOf(this.paper, size)
  }

  /** Adds a text, wrapped at words; an empty text is a blank line. */
  text(text: string, style: LineStyle = {}): void {
    for (const line of wrap(this.letters(text), columnsOf(this.paper, style.size))) {
      if (line === '') this.blank()
      else this.line(line, style)
    }
  }

  /** Adds parts of a text with commas between them; a line ends within a part only if the part is longer than a line. */
  joined(parts: readonly string[], style: LineStyle = {}): void {
    const width = columnsOf(this.paper, style.size)
    let line = ''
    for (const [index, part] of parts.map(this.letters).entries()) {
      const text = index < parts.length - 1 ? `${part},` : part
      if (line !== '' && line.length + 1 + text.length <= width) {
        line += ` ${text}`
        continue
      }
      if (line !== '') this.line(line, style)
      const lines = wrap(text, width)
      for (const whole of lines.slice(0, -1)) this.line(whole, style)
      line = lines.at(-1) ?? ''
    }
    if (line !== '') this.line(line, style)
  }

  /** A word of double size and a note in the middle of one line if they fit, otherwise on a line each. */
  banner(word: string, note: string | undefined, bold = false): void {
    const spans: Span[] = [{ text: this.letters(word), bold: true, size: 'double' }]
    if (note !== undefined) spans.push({ text: this.letters(note), bold, size: 'normal' })
    const long = spans.reduce((sum, { text, size }) => sum + (text.length + 1) * this.paper.characters[size], 0)
    if (long > this.paper.width) {
      for (const { text, bold, size } of spans) this.text(text, { bold, size, align: 'center' })
      return
    }
    const blank: Span = { text: ' ', bold: false, size: 'normal' }
    this.spans(
      spans.flatMap((span, index) => (index > 0 ? [blank, span] : [span])),
      'center',
    )
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

  /** A text at the left edge and one at the right edge, on one line where both fit; each is wrapped at words. */
  pair(left: string, right: string, style: LineStyle = {}): void {
    const width = columnsOf(this.paper, style.size)
    const indent = style.indent ? INDENT : 0
    const [end = '', ...more] = wrap(this.letters(right), width)
    const start = wrap(this.letters(left), width - indent).map((line) => ' '.repeat(indent) + line)
    const last = start.at(-1) ?? ''
    if (last.length + 1 + end.length <= width) start[start.length - 1] = last.padEnd(width - end.length) + end
    else start.push(end.padStart(width))
    start.push(...more.map((line) => line.padStart(width)))
    for (const line of start) this.line(line, style)
  }

  /** A pair of double size, for the amount that must be visible; a label that is too long for that is smaller. */
  bigPair(left: string, right: string): void {
    if (this.isOneLine(`${left} ${right}`, 'double')) this.pair(left, right, { bold: true, size: 'double' })
    else this.total(left, right)
  }

  /** The amount, as big as it can be beside its label. One that is too long for that has a line of its own, unbroken. */
  total(label: string, amount: string): void {
    const { width, characters } = this.paper
    const [start, end] = [this.letters(label), this.letters(amount)]
    const room = width - (start.length + 1) * characters.normal
    const size = AMOUNT_SIZES.find((one) => end.length * characters[one] <= room)
    if (size === undefined) {
      this.text(label, { bold: true })
      const own = AMOUNT_SIZES.find((one) => end.length * characters[one] <= width) ?? 'normal'
      this.line(end.padStart(columnsOf(this.paper, own)), { bold: true, size: own })
      return
    }
    const blanks = Math.floor((width - end.length * characters[size]) / characters.normal)
    this.spans([
      { text: start.padEnd(blanks), bold: true, size: 'normal' },
      { text: end, bold: true, size },
    ])
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
    this.spans([{ text, bold, size }], align)
  }

  private spans(spans: readonly Span[], align: Line['align'] = 'left'): void {
    // Before it is drawn, or the rest of it laid out: a receipt of a gateway may be longer than any that was sold here.
    if (++this.lines > RECEIPT_BOUNDS.lines.most) throw invalidRequest('id', 'The receipt has too many lines')
    this.blocks.push(this.lineOf(spans, align))
  }

  private lineOf(spans: readonly Span[], align: Line['align'] = 'left'): Line {
    return { kind: 'line', spans, align, tight: this.tight }
  }
}
