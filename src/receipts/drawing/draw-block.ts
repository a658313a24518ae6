import type { PrinterSettings } from '../../domain/printer.ts'
import type { Block, Line, QrBlock } from '../layout/blocks.ts'
import { fontOf, gapRows, paperDots, rowsOf, STRIP_ROWS } from '../layout/metrics.ts'
import { type Bitmap, blankBitmap, drawOn } from './bitmap.ts'
import { glyph } from './glyphs.ts'
import { placesBeside, symbolOf } from './qr.ts'
import { qrBitmap } from './qr-bitmap.ts'

/** What the look of a block follows from. */
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
