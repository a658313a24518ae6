import type { PrinterSettings } from '../../domain/printer.ts'
import type { Bitmap } from '../drawing/bitmap.ts'
import { isDrawn, placesBeside, type QrSymbol, qrBitmap, symbolOf } from '../drawing/qr.ts'
import { type Encoded, inSegments, pieceBytes } from '../encoding/encoded-job.ts'
import { type TextCommands, TextJob } from '../encoding/text-job.ts'
import { encodeText } from '../escpos/code-pages.ts'
import { movedStrips } from '../escpos/columns.ts'
import type { Line, QrBlock } from '../layout/blocks.ts'
import { CHARACTER_DOTS } from '../layout/metrics.ts'
import { asksByChance } from './raster-job.ts'

const ESC = 0x1b
const RS = 0x1e
const GS = 0x1d
const TEXT: TextCommands = {
  page: [ESC, GS, 0x74],
  align: [ESC, GS, 0x61],
  small: { on: [ESC, RS, 0x46, 1], off: [ESC, RS, 0x46, 0] },
  bold: { on: [ESC, 0x45], off: [ESC, 0x46] },
  size: (x, y) => [ESC, 0x69, y - 1, x - 1],
}
/** The two distances of lines that there are: `ESC 0` is 3 mm, as high as letters and strips are, and `ESC z 1` 4 mm. */
type Spacing = 'tight' | 'usual'
const SPACINGS: Record<Spacing, number[]> = { tight: [ESC, 0x30], usual: [ESC, 0x7a, 1] }
const QUARTERS_PER_MM = 4

/**
 * A job of Star's line mode (STAR Line Mode Command Specifications Rev. 0.09, chapter 3) [V]; that `ESC RS F 1` is the
 * small font and that `ESC GS a` moves codes as well is second hand [S]. `CAN` is not among the commands: it clears the
 * counter that proves the end of a receipt.
 */
export class StarLineJob extends TextJob {
  private spacing: Spacing = 'usual'

  constructor(settings: PrinterSettings) {
    super(settings, TEXT)
    this.send([ESC, 0x40], [ESC, RS, 0x46, 0], [ESC, 0x4d]) // initialise, font A, 12 dots wide
    this.send(Buffer.from(settings.beforeHex, 'hex'))
    this.send([ESC, 0x52, 0]) // the signs of ASCII, whatever country a printer was made for
    this.send([ESC, 0x69, 0, 0], [ESC, 0x46]) // normal size, not bold
    this.send(SPACINGS.usual)
    this.startText()
  }

  end(): Encoded {
    const { cut, feedLines, afterHex } = this.settings
    this.space('usual')
    if (cut !== 'feed' && feedLines > 0) this.send([ESC, 0x61, feedLines])
    if (cut === 'feed') this.send([ESC, 0x64, 3])
    if (cut === 'plain') this.send([ESC, 0x64, 1])
    this.send(Buffer.from(afterHex, 'hex'))
    return { segments: inSegments(this.commands) }
  }

  protected spaceFor({ tight }: Line): void {
    this.space(tight ? 'tight' : 'usual')
  }

  protected gap(mm: number): void {
    const quarters = Math.round(mm * QUARTERS_PER_MM)
    if (quarters > 0) this.send([ESC, 0x4a, quarters])
  }

  protected qr(block: QrBlock, settings: PrinterSettings): void {
    const symbol = symbolOf(block, settings)
    if (block.beside.length > 0) this.qrBeside(symbol, block.beside, settings)
    else if (isDrawn(block, settings)) this.picture(qrBitmap(symbol))
    else this.nativeQr(block.payload, symbol)
  }

  private nativeQr(payload: string, { moduleDots, level }: QrSymbol): void {
    const data = Buffer.from(payload)
    const send = (...bytes: number[]) => this.send([ESC, GS, 0x79, ...bytes])
    this.alignTo('center')
    send(0x53, 0x30, 2) // model 2
    send(0x53, 0x31, level === 'M' ? 1 : 0)
    send(0x53, 0x32, moduleDots)
    send(0x44, 0x31, 0, data.length & 0xff, data.length >> 8, ...data)
    send(0x50)
  }

  /** The code in strips, each followed by its text in the same line. */
  private qrBeside(symbol: QrSymbol, beside: readonly Line[], settings: PrinterSettings): void {
    const strips = starStrips(qrBitmap(symbol), pieceBytes(this.settings))
    const { left, textLeft } = placesBeside(symbol)
    const margin = encodeText(' '.repeat(left / CHARACTER_DOTS), settings.encoding)
    // Dots from the left, for text below the last strip.
    const toText = [Uint8Array.of(ESC, GS, 0x41, textLeft & 0xff, textLeft >> 8)]
    this.alignTo('left')
    this.space('tight')
    for (let index = 0; index < Math.max(strips.length, beside.length); index += 1) {
      const spans = beside[index]?.spans ?? []
      const strip = strips[index]
      if (strip) this.send(margin, ...strip)
      if (spans.length > 0) this.send(...(strip ? [margin] : toText))
      this.spans(spans, settings)
      this.endLine()
    }
  }

  protected picture(picture: Bitmap): void {
    this.alignTo('center')
    this.space('tight')
    for (const strip of starStrips(picture, pieceBytes(this.settings))) {
      this.send(...strip)
      this.endLine()
    }
  }

  private space(spacing: Spacing): void {
    if (spacing !== this.spacing) this.send(SPACINGS[spacing])
    this.spacing = spacing
  }
}

/**
 * The commands (`ESC X`, 24 dots high) that put a picture into lines, a list for each line: what follows in the same line
 * stands beside it, and the strips join when lines are 3 mm apart. The picture is moved down by some dots until it asks
 * the printer nothing by chance.
 * @param pieceBytes bytes per command
 * @throws Error when no move helps, which happens only with a crafted picture
 */
function starStrips(picture: Bitmap, pieceBytes: number): Uint8Array[][] {
  const strips = movedStrips(picture, [ESC, 0x58], pieceBytes, (bytes) => !asksByChance(bytes))
  if (strips) return strips
  throw new Error('the picture cannot be sent without a question to the printer in it')
}
