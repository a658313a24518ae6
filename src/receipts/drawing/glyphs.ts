import type { Span } from '../layout/blocks.ts'
import { fontOf } from '../layout/metrics.ts'
import { type Bitmap, blacken, blankBitmap } from './bitmap.ts'
import { GLYPH_BITS, GLYPHS } from './font-12x24.ts'

const [WIDTH, HEIGHT] = [12, 24]
const GLYPH_BYTES = (WIDTH * HEIGHT) / 8

const places = new Map(Array.from(GLYPHS, (char, index) => [char, index * GLYPH_BYTES]))
const drawn = new Map<string, Bitmap>()

/** A character as printers draw it; a hollow box when the font lacks it. Cached: callers must not change it. */
export function glyph(char: string, { bold, size }: Omit<Span, 'text'>, smallFontDots: 0 | 9 | 10): Bitmap {
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
