import type { PrinterSettings } from '../../domain/printer.ts'
import type { Bitmap } from '../drawing/bitmap.ts'
import { encodeText } from '../escpos/code-pages.ts'
import type { Block, Line, QrBlock, Span } from '../layout/blocks.ts'
import { SCALES } from '../layout/metrics.ts'
import type { Encoded, Job, Otherwise } from './encoded-job.ts'

/** The commands by which the command sets with letters differ; `on` and `off` enclose the letters of one style. */
export interface TextCommands {
  /** Followed by the number of the code page, or of the alignment. */
  page: readonly number[]
  align: readonly number[]
  small: { on: readonly number[]; off: readonly number[] }
  bold: { on: readonly number[]; off: readonly number[] }
  /** How many times as wide and as high as the font. */
  size: (x: number, y: number) => readonly number[]
}

const ALIGNMENTS = { left: 0, center: 1 } as const

/** A job for a printer that draws letters itself, in the order of its blocks. */
export abstract class TextJob implements Job {
  protected readonly settings: PrinterSettings
  protected readonly commands: Uint8Array[] = []
  private readonly text: TextCommands
  private align: keyof typeof ALIGNMENTS = 'left'

  constructor(settings: PrinterSettings, text: TextCommands) {
    this.settings = settings
    this.text = text
  }

  add(block: Block, otherwise: Otherwise = {}): void {
    const settings = { ...this.settings, ...otherwise }
    const isOtherPage = otherwise.encoding !== undefined
    // A printer without the page ignores its number, and would print with the page of the line before.
    if (isOtherPage) {
      this.selectPage(0)
      this.selectPage(settings.codePage)
    }
    switch (block.kind) {
      case 'line':
        this.alignTo(block.align)
        this.spaceFor(block, settings)
        this.spans(block.spans, settings)
        this.endLine()
        break
      case 'gap':
        this.gap(block.mm)
        break
      case 'qr':
        this.qr(block, settings)
        break
      case 'picture':
        this.picture(block.bitmap, settings)
    }
    if (isOtherPage) this.selectPage(this.settings.codePage)
  }

  abstract end(): Encoded

  /** Sets the distance from this line to the next one. */
  protected abstract spaceFor(line: Line, settings: PrinterSettings): void
  protected abstract gap(mm: number): void
  protected abstract qr(block: QrBlock, settings: PrinterSettings): void
  protected abstract picture(bitmap: Bitmap, settings: PrinterSettings): void

  /** Every style ends with its letters. The small font is chosen at the start of a line, as some printers ask for. */
  protected spans(spans: readonly Span[], { encoding, smallFontDots }: PrinterSettings): void {
    const { small, bold, size } = this.text
    for (const span of spans) {
      const [x, y] = SCALES[span.size]
      const isSmall = span.size === 'small' && smallFontDots > 0
      if (isSmall) this.send(small.on)
      if (span.bold) this.send(bold.on)
      if (y > 1) this.send(size(x, y))
      this.send(encodeText(span.text, encoding))
      if (span.bold) this.send(bold.off)
      if (y > 1) this.send(size(1, 1))
      if (isSmall) this.send(small.off)
    }
  }

  /** The printer centres text itself, so text and QR code have the same middle, whatever the width of the paper is. */
  protected alignTo(align: keyof typeof ALIGNMENTS): void {
    if (align !== this.align) this.send([...this.text.align, ALIGNMENTS[align]])
    this.align = align
  }

  /** Whatever it was before: aligned left, in the page of the settings. */
  protected startText(): void {
    this.send([...this.text.align, ALIGNMENTS.left])
    this.selectPage(this.settings.codePage)
  }

  protected endLine(): void {
    this.send([0x0a])
  }

  protected send(...commands: readonly ArrayLike<number>[]): void {
    for (const command of commands) if (command.length > 0) this.commands.push(Uint8Array.from(command))
  }

  private selectPage(number: number): void {
    this.send([...this.text.page, number])
  }
}
