import type { PrinterSettings } from '../domain/printer.ts'
import type { Receipt } from '../domain/receipt.ts'
import type { Block, TextSize } from './blocks.ts'
import { GLYPH_BITS, GLYPHS } from './font-12x24.ts'
import { layOut } from './layout.ts'
import { load } from './lazy.ts'
import { paperOf } from './paper.ts'
import { CHARACTER_DOTS, qrSymbol } from './qr.ts'

export { receiptText } from './text.ts'

const CHARACTER_ROWS = 24
const GLYPH_BYTES = (CHARACTER_DOTS * CHARACTER_ROWS) / 8
/** From the top of a line to the top of the next one, as printers do it unless told otherwise (3.75 mm). */
const LINE_ROWS = 30
const MARGIN_MM = 4
const SCALES: Record<TextSize, { x: number; y: number }> = {
  normal: { x: 1, y: 1 },
  tall: { x: 1, y: 2 },
  double: { x: 2, y: 2 },
}

const places = new Map(Array.from(GLYPHS, (char, index) => [char, index * GLYPH_BYTES]))

/** Black dots on paper. */
type Plot = (x: number, y: number) => void

/** The receipt as it will look on paper: a PNG of one pixel per dot. It takes the glyphs of a font that printers lack. */
export function receiptPicture(receipt: Receipt, settings: PrinterSettings): Buffer {
  const blocks = layOut(receipt, paperOf(settings))
  const parts = blocks.map((block) => drawing(block, settings))
  const margin = Math.round((MARGIN_MM * settings.dpi) / 25.4)
  const width = settings.columns * CHARACTER_DOTS + 2 * margin
  const height = parts.reduce((sum, { rows }) => sum + rows, 2 * margin)
  const pixels = Buffer.alloc(width * height, 0xff)
  let top = margin
  for (const { rows, draw } of parts) {
    draw((x, y) => {
      pixels[(top + y) * width + margin + x] = 0
    })
    top += rows
  }
  return png(pixels, width, height)
}

function drawing(block: Block, settings: PrinterSettings): { rows: number; draw: (plot: Plot) => void } {
  if (block.kind === 'blank') return { rows: LINE_ROWS, draw: () => {} }
  if (block.kind === 'qr') {
    const { modules, moduleDots, dark } = qrSymbol(block.payload, settings)
    const side = modules * moduleDots
    const left = (settings.columns * CHARACTER_DOTS - side) >> 1
    const isDark = (x: number, y: number) => dark(Math.floor(y / moduleDots), Math.floor(x / moduleDots))
    return { rows: side, draw: (plot) => fill(side, side, isDark, (x, y) => plot(left + x, y)) }
  }
  const { x: scaleX, y: scaleY } = SCALES[block.size]
  const cell = CHARACTER_DOTS * scaleX
  const width = block.text.length * cell
  const left = block.align === 'center' ? (settings.columns * CHARACTER_DOTS - width) >> 1 : 0
  const isDark = (x: number, y: number): boolean => {
    const char = block.text[Math.floor(x / cell)] ?? ' '
    const column = x % cell
    const dot = (shift: number) => hasDot(char, Math.floor((column - shift) / scaleX), Math.floor(y / scaleY))
    return dot(0) || (block.bold && column > 0 && dot(1))
  }
  const height = CHARACTER_ROWS * scaleY
  return {
    rows: Math.max(LINE_ROWS, height),
    draw: (plot) => fill(width, height, isDark, (x, y) => plot(left + x, y)),
  }
}

function fill(width: number, height: number, isDark: (x: number, y: number) => boolean, plot: Plot): void {
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) if (isDark(x, y)) plot(x, y)
}

/** A hollow box for what the font lacks. */
function hasDot(char: string, x: number, y: number): boolean {
  const place = places.get(char)
  if (place === undefined) {
    const inside = x >= 1 && x <= CHARACTER_DOTS - 2 && y >= 3 && y <= 20
    return inside && (x === 1 || x === CHARACTER_DOTS - 2 || y === 3 || y === 20)
  }
  const bit = y * CHARACTER_DOTS + x
  return ((GLYPH_BITS[place + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0
}

function png(data: Buffer, width: number, height: number): Buffer {
  const { PNG } = load<typeof import('pngjs')>('pngjs')
  const options = { width, height, colorType: 0, inputColorType: 0, inputHasAlpha: false, bitDepth: 8 } as const
  const image = new PNG(options)
  image.data = data
  return PNG.sync.write(image, options)
}
