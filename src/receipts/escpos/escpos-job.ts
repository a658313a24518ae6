import type { PrinterSettings } from '../../domain/printer.ts'
import type { Bitmap } from '../drawing/bitmap.ts'
import { isDrawn, placesBeside, type QrSymbol, qrBitmap, symbolOf } from '../drawing/qr.ts'
import { type Encoded, inSegments, pieceBytes } from '../encoding/encoded-job.ts'
import { type TextCommands, TextJob } from '../encoding/text-job.ts'
import type { Line, QrBlock } from '../layout/blocks.ts'
import { CHARACTER_DOTS, gapRows, hasExactFeed, STRIP_ROWS, spacingOf } from '../layout/metrics.ts'
import { encodeText } from './code-pages.ts'
import { blankColumns, columnStrips } from './columns.ts'
import { rasterBands } from './raster.ts'

const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d
const DEFAULT_SPACING = 30
const TEXT: TextCommands = {
  page: [ESC, 0x74],
  align: [ESC, 0x61],
  small: { on: [ESC, 0x4d, 1], off: [ESC, 0x4d, 0] },
  bold: { on: [ESC, 0x45, 1], off: [ESC, 0x45, 0] },
  size: (x, y) => [GS, 0x21, ((x - 1) << 4) | (y - 1)],
}

/** Begins with everything that a printer forgets without power (docs/spec/printing.md, Field failures). */
export class EscposJob extends TextJob {
  private spacing = DEFAULT_SPACING
  private unitsAreDots = false
  /** Which commands send a logo. */
  private logo: { bitmap: Bitmap; from: number; to: number } | undefined

  constructor(settings: PrinterSettings) {
    super(settings, TEXT)
    // ESC @, FS . (clones start in Chinese mode), font A. The technician's bytes come later: ESC @ would undo them.
    this.send([ESC, 0x40], [FS, 0x2e], [ESC, 0x4d, 0])
    this.send(Buffer.from(settings.beforeHex, 'hex'))
    this.send([ESC, 0x52, 0]) // the signs of ASCII, whatever country a printer was made for
    this.send([ESC, 0x32]) // default line spacing
    this.startText()
  }

  end(): Encoded {
    const { cut, feedLines, afterHex } = this.settings
    this.space(DEFAULT_SPACING)
    if (cut === 'feed') this.send([GS, 0x56, 66, 0])
    else if (feedLines > 0) this.send([ESC, 0x64, feedLines])
    if (cut === 'plain' || cut === 'eject') this.send([GS, 0x56, 0])
    if (cut === 'eject') this.send([GS, 0x65, 5])
    if (cut === 'present') this.send(presentation(this.settings))
    this.send(Buffer.from(afterHex, 'hex'))
    return this.logo ? withLogo(this.commands, this.logo) : { segments: inSegments(this.commands) }
  }

  protected spaceFor(line: Line, settings: PrinterSettings): void {
    this.space(spacingOf(line, settings))
  }

  protected gap(mm: number): void {
    const rows = gapRows(mm, this.settings)
    if (rows === DEFAULT_SPACING) {
      this.space(DEFAULT_SPACING)
      this.endLine()
    } else if (rows > 0) {
      this.makeUnitsDots()
      this.send([ESC, 0x4a, rows])
    }
  }

  /** A printer adds no margin to a code: the layout leaves blank space above and below. */
  protected qr(block: QrBlock, settings: PrinterSettings): void {
    const symbol = symbolOf(block, settings)
    if (block.beside.length > 0) this.qrBeside(symbol, block.beside, settings)
    else if (!isDrawn(block, settings)) this.nativeQr(block.payload, symbol)
    else if (settings.pictures === 'columns') this.lines(this.strips(symbol))
    else this.bands(...halved(symbol, 'both'))
  }

  private nativeQr(payload: string, { moduleDots, level }: QrSymbol): void {
    const send = (...bytes: number[]) => this.send([GS, 0x28, 0x6b, bytes.length & 0xff, bytes.length >> 8, ...bytes])
    this.alignTo('center')
    send(0x31, 0x41, 0x32, 0) // model 2
    send(0x31, 0x43, moduleDots)
    send(0x31, 0x45, level === 'M' ? 0x31 : 0x30)
    send(0x31, 0x50, 0x30, ...Buffer.from(payload))
    send(0x31, 0x51, 0x30)
  }

  /** The code in strips, each followed by its text in the same line. */
  private qrBeside(symbol: QrSymbol, beside: readonly Line[], settings: PrinterSettings): void {
    const strips = this.strips(symbol)
    const blank = [blankColumns((symbol.modules * symbol.moduleDots) >> 1)]
    const margin = encodeText(' '.repeat(placesBeside(symbol).left / CHARACTER_DOTS), settings.encoding)
    this.alignTo('left')
    this.space(STRIP_ROWS)
    for (let index = 0; index < Math.max(strips.length, beside.length); index += 1) {
      const spans = beside[index]?.spans ?? []
      this.send(margin, ...(strips[index] ?? blank))
      if (spans.length > 0) this.send(margin)
      this.spans(spans, settings)
      this.endLine()
    }
  }

  private strips(symbol: QrSymbol): Uint8Array[][] {
    const [bitmap, isHalf] = halved(symbol, 'width')
    return columnStrips(bitmap, isHalf ? 'half' : 'full', pieceBytes(this.settings))
  }

  protected picture(bitmap: Bitmap, { pictures, logo }: Pick<PrinterSettings, 'pictures' | 'logo'>): void {
    if (pictures === 'columns') {
      this.lines(columnStrips(bitmap, 'full', pieceBytes(this.settings)))
      return
    }
    this.alignTo('center')
    const from = this.commands.length
    this.bands(bitmap, false)
    if (logo === 'stored') this.logo = { bitmap, from, to: this.commands.length }
  }

  private bands(bitmap: Bitmap, isHalf: boolean): void {
    this.alignTo('center')
    this.send(...rasterBands(bitmap, pieceBytes(this.settings), isHalf ? 'double' : 'normal'))
  }

  private lines(strips: readonly Uint8Array[][]): void {
    this.alignTo('center')
    this.space(STRIP_ROWS)
    for (const strip of strips) {
      this.send(...strip)
      this.endLine()
    }
  }

  private space(dots: number): void {
    if (dots === this.spacing) return
    this.spacing = dots
    if (dots === DEFAULT_SPACING) this.send([ESC, 0x32])
    else {
      this.makeUnitsDots()
      this.send([ESC, 0x33, dots])
    }
  }

  /** An Epson printer takes half dots otherwise [V]. */
  private makeUnitsDots(): void {
    if (this.unitsAreDots || !hasExactFeed(this.settings)) return
    this.send([GS, 0x50, this.settings.dpi, this.settings.dpi])
    this.unitsAreDots = true
  }
}

/** The logo has segments of its own. */
function withLogo(commands: readonly Uint8Array[], { bitmap, from, to }: NonNullable<Encoded['logo']>): Encoded {
  const [above, dots, below] = [commands.slice(0, from), commands.slice(from, to), commands.slice(to)].map(inSegments)
  const start = above?.length ?? 0
  const logo = { bitmap, from: start, to: start + (dots?.length ?? 0) }
  return { segments: [above, dots, below].flatMap((part) => part ?? []), logo }
}

/**
 * `FS P`: cuts, shows 80 mm of the receipt (16 steps of 5 mm) with the lamp blinking, and after some seconds draws it in
 * or pushes it out; with 0 seconds the next receipt pushes it out [S: VKP80III command manual 915DX010100]. Where
 * drawing in is switched off in the printer, it pushes out.
 */
function presentation({ notTaken, notTakenAfterS }: PrinterSettings): number[] {
  const how = notTaken === 'retract' ? 'R' : 'E'
  return [FS, 0x50, 16, 1, how.charCodeAt(0), notTaken === 'keep' ? 0 : notTakenAfterS]
}

/** A code with modules of an even number of dots in half the width, or in half the width and height. */
function halved(symbol: QrSymbol, what: 'width' | 'both'): [Bitmap, isHalf: boolean] {
  const dots = symbol.moduleDots
  if (dots % 2 !== 0) return [qrBitmap(symbol), false]
  return [qrBitmap(symbol, { x: dots / 2, y: what === 'both' ? dots / 2 : dots }), true]
}
