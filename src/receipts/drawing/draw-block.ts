import type { PrinterSettings } from '../../domain/printer.ts'
import { GLYPH_BITS, GLYPHS } from '../../fonts/spleen-12x24.ts'
import type { Block, Line, QrBlock, Span } from '../layout/blocks.ts'
import { fontOf, gapRows, paperDots, rowsOf, STRIP_ROWS } from '../layout/metrics.ts'
import { type Bitmap, blacken, blankBitmap, drawOn } from './bitmap.ts'
import { placesBeside, qrBitmap, symbolOf } from './qr.ts'

export type DrawingSettings = Pick<PrinterSettings, 'columns' | 'dpi' | 'qr' | 'smallFontDots'>

/** The rows of paper that a printer makes of a block: as wide as the paper, one dot per dot. */
export function drawBlock(block: Block, settings: DrawingSettings): Bitmap {
  const width = paperDots(settings)
  switch (block.kind) {
    case 'line':
      return drawLine(block, settings)
    case 'gap':
      return blankBitmap(width, gapRows(block.mm, settings))
    case 'qr':
      return drawQr(block, settings)
    case 'picture': {
      const paper = blankBitmap(width, block.bitmap.rows)
      drawOn(paper, block.bitmap, (width - block.bitmap.width) >> 1, 0)
      return paper
    }
  }
}

function drawLine(line: Line, settings: DrawingSettings): Bitmap {
  const paper = blankBitmap(paperDots(settings), rowsOf(line, settings))
  const long = line.spans.reduce((sum, { text, size }) => sum + text.length * fontOf(size, settings).width, 0)
  drawSpans(paper, line, line.align === 'center' ? Math.max(0, paper.width - long) >> 1 : 0, 0, settings)
  return paper
}

/** Letters of different heights stand on one line at the bottom. */
function drawSpans(paper: Bitmap, { spans }: Line, left: number, top: number, settings: DrawingSettings): void {
  const high = Math.max(0, ...spans.map(({ size }) => fontOf(size, settings).height))
  let x = left
  for (const span of spans) {
    for (const char of span.text) {
      const picture = glyph(char, span, settings.smallFontDots)
      drawOn(paper, picture, x, top + high - picture.rows)
      x += picture.width
    }
  }
}

function drawQr(block: QrBlock, settings: DrawingSettings): Bitmap {
  const symbol = symbolOf(block, settings)
  const code = qrBitmap(symbol)
  const { beside } = block
  const width = paperDots(settings)
  const strips = Math.max(beside.length, Math.ceil(code.rows / STRIP_ROWS))
  const paper = blankBitmap(width, beside.length > 0 ? strips * STRIP_ROWS : code.rows)
  const { left, textLeft } = placesBeside(symbol)
  // In the middle, at an even dot: a printer doubles the dots of the picture.
  const middle = ((width - code.width) >> 2) << 1
  drawOn(paper, code, beside.length > 0 ? left : middle, 0)
  for (const [index, line] of beside.entries()) drawSpans(paper, line, textLeft, index * STRIP_ROWS, settings)
  return paper
}

const [WIDTH, HEIGHT] = [12, 24]
const GLYPH_BYTES = (WIDTH * HEIGHT) / 8

const places = new Map(Array.from(GLYPHS, (char, index) => [char, index * GLYPH_BYTES]))
const drawn = new Map<string, Bitmap>()

/** A character as printers draw it; a hollow box when the font lacks it. Cached: callers must not change it. */
function glyph(char: string, { bold, size }: Omit<Span, 'text'>, smallFontDots: 0 | 9 | 10): Bitmap {
  const { width, height } = fontOf(size, { smallFontDots })
  const key = `${char}${bold}${width}x${height}`
  const picture = drawn.get(key) ?? draw(char, bold, width, height)
  drawn.set(key, picture)
  return picture
}

function draw(char: string, bold: boolean, width: number, height: number): Bitmap {
  const picture = blankBitmap(width, height)
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * HEIGHT) / height)
    const isBlack = (x: number) => x >= 0 && hasDot(char, Math.floor((x * WIDTH) / width), row)
    for (let x = 0; x < width; x += 1) if (isBlack(x) || (bold && isBlack(x - 1))) blacken(picture, x, y)
  }
  return picture
}

function hasDot(char: string, x: number, y: number): boolean {
  const place = places.get(char)
  if (place === undefined) {
    const inside = x >= 1 && x <= WIDTH - 2 && y >= 3 && y <= 20
    return inside && (x === 1 || x === WIDTH - 2 || y === 3 || y === 20)
  }
  const bit = y * WIDTH + x
  return ((GLYPH_BITS[place + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0
}
