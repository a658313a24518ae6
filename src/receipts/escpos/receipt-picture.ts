import { setImmediate } from 'node:timers/promises'
import { invalidRequest } from '../../domain/errors.ts'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import { RECEIPT_BOUNDS } from '../bounds.ts'
import type { Block, Paper } from '../layout/blocks.ts'
import { layOut, manyTexts } from '../layout/layout.ts'
import { paperOf } from '../layout/paper.ts'
import { load } from '../lazy-packages.ts'
import { BLACK, glyph, glyphSize, WHITE } from './glyphs.ts'
import { CHARACTER_DOTS, qrSymbol } from './qr.ts'

/** Distance from the top of a line to the top of the next, as printers have it by default (3.75 mm). */
const LINE_ROWS = 30
const MARGIN_MM = 4

/** Puts a row of dots on paper, its first one at x. */
type Put = (x: number, y: number, row: Uint8Array) => void

interface Part {
  rows: number
  draw: (put: Put) => void
}

/**
 * The receipt as it will look on paper: a PNG with one pixel per dot, with the glyphs of another font than the
 * printer's. Yields to other work between its parts.
 * @throws FiskError 400 for a receipt of too many rows
 */
export async function receiptPicture(receipt: Receipt, settings: PrinterSettings): Promise<Buffer> {
  for (const name of ['pngjs', 'qrcode', 'any-ascii']) {
    load(name)
    await setImmediate()
  }
  const blocks = layOut(receipt, await knowing(manyTexts(receipt), paperOf(settings)))
  await setImmediate()
  const parts = blocks.map((block) => partOf(block, settings))
  const margin = Math.round((MARGIN_MM * settings.dpi) / 25.4)
  const width = settings.columns * CHARACTER_DOTS + 2 * margin
  const height = parts.reduce((sum, { rows }) => sum + rows, 2 * margin)
  if (height > RECEIPT_BOUNDS.pictureRows.most)
    throw invalidRequest('id', 'The receipt is too long for a picture; it can be seen as text')

  const pixels = Buffer.alloc(width * height, WHITE)
  let top = margin
  for (const { rows, draw } of parts) {
    await setImmediate()
    draw((x, y, row) => pixels.set(row, (top + y) * width + margin + x))
    top += rows
  }
  await setImmediate()
  return png(pixels, width, height)
}

/** Converts the letters of these texts in advance, because the conversion is the slowest part of a layout. */
async function knowing(texts: readonly string[], paper: Paper): Promise<Paper> {
  const known = new Map<string, string>()
  for (const text of texts) {
    known.set(text, paper.letters(text))
    await setImmediate()
  }
  return { ...paper, letters: (text) => known.get(text) ?? paper.letters(text) }
}

function partOf(block: Block, settings: PrinterSettings): Part {
  if (block.kind === 'blank') return { rows: LINE_ROWS, draw: () => {} }
  return block.kind === 'qr' ? code(block.payload, settings) : line(block, settings)
}

function code(payload: string, settings: PrinterSettings): Part {
  const { modules, moduleDots, dark } = qrSymbol(payload, settings)
  const side = modules * moduleDots
  const left = (settings.columns * CHARACTER_DOTS - side) >> 1
  const draw = (put: Put) => {
    for (let y = 0; y < side; y += 1) {
      const isDark = (x: number) => dark(Math.floor(y / moduleDots), Math.floor(x / moduleDots))
      put(
        left,
        y,
        Uint8Array.from({ length: side }, (_, x) => (isDark(x) ? BLACK : WHITE)),
      )
    }
  }
  return { rows: side, draw }
}

function line(block: Block & { kind: 'line' }, settings: PrinterSettings): Part {
  const { width, height } = glyphSize(block.size)
  const spare = settings.columns * CHARACTER_DOTS - block.text.length * width
  const left = block.align === 'center' ? spare >> 1 : 0
  const draw = (put: Put) => {
    for (const [index, char] of [...block.text].entries()) {
      for (const [y, row] of glyph(char, block).entries()) put(left + index * width, y, row)
    }
  }
  return { rows: Math.max(LINE_ROWS, height), draw }
}

/** Compressed by zlib in another thread. */
function png(pixels: Buffer, width: number, height: number): Promise<Buffer> {
  const { PNG } = load<typeof import('pngjs')>('pngjs')
  const image = new PNG({ colorType: 0, inputColorType: 0, inputHasAlpha: false, bitDepth: 8, filterType: 0 })
  // Set after construction: with known dimensions the library allocates four bytes per dot.
  Object.assign(image, { data: pixels, width, height })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    image.on('data', (chunk: Buffer) => chunks.push(chunk))
    image.on('error', reject)
    image.on('end', () => resolve(Buffer.concat(chunks)))
    image.pack()
  })
}
