import { setImmediate } from 'node:timers/promises'
import { invalidRequest } from '../../domain/errors.ts'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import { RECEIPT_BOUNDS } from '../bounds.ts'
import { layOut, manyTexts } from '../layout/layout.ts'
import { paperDots } from '../layout/metrics.ts'
import { paperOf } from '../layout/paper.ts'
import { load } from '../lazy-packages.ts'
import { type Bitmap, hasDot } from './bitmap.ts'
import { drawBlock } from './draw-block.ts'

const MARGIN_MM = 4
const [BLACK, WHITE] = [0x00, 0xff]

/**
 * A PNG with one pixel per dot, in another font than the printer's. Yields to other work between its parts.
 * @throws FiskError 400 for a receipt of too many rows
 */
export async function receiptPicture(receipt: Receipt, settings: PrinterSettings): Promise<Buffer> {
  for (const name of ['pngjs', 'qrcode', 'any-ascii']) {
    load(name)
    await setImmediate()
  }
  const paper = paperOf(settings)
  for (const text of manyTexts(receipt)) {
    paper.letters(text)
    await setImmediate()
  }
  const blocks = layOut(receipt, paper)
  await setImmediate()
  const margin = Math.round((MARGIN_MM * settings.dpi) / 25.4)
  const rows: Bitmap[] = []
  let height = 2 * margin
  for (const block of blocks) {
    await setImmediate()
    const drawn = drawBlock(block, settings)
    height += drawn.rows
    if (height > RECEIPT_BOUNDS.pictureRows.most)
      throw invalidRequest('id', 'The receipt is too long for a picture; it can be seen as text')
    rows.push(drawn)
  }
  const width = paperDots(settings) + 2 * margin
  const pixels = Buffer.alloc(width * height, WHITE)
  let top = margin
  for (const part of rows) {
    await setImmediate()
    for (let y = 0; y < part.rows; y += 1) {
      const start = (top + y) * width + margin
      for (let x = 0; x < part.width; x += 1) if (hasDot(part, x, y)) pixels[start + x] = BLACK
    }
    top += part.rows
  }
  await setImmediate()
  return png(pixels, width, height)
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
