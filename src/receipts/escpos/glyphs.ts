import type { TextSize } from '../layout/blocks.ts'
import { GLYPH_BITS, GLYPHS } from './font-12x24.ts'
import { CHARACTER_DOTS } from './qr.ts'

export const BLACK = 0x00
export const WHITE = 0xff

const CHARACTER_ROWS = 24
const GLYPH_BYTES = (CHARACTER_DOTS * CHARACTER_ROWS) / 8
const SCALES: Record<TextSize, { x: number; y: number }> = {
  normal: { x: 1, y: 1 },
  tall: { x: 1, y: 2 },
  double: { x: 2, y: 2 },
}

/** How the characters of a line look. */
export interface GlyphStyle {
  bold: boolean
  size: TextSize
}

/** The rows of one character, one byte per dot. */
export type GlyphRows = readonly Uint8Array[]

const places = new Map(Array.from(GLYPHS, (char, index) => [char, index * GLYPH_BYTES]))
const drawn = new Map<string, GlyphRows>()

/** Size of a character in dots, with the blank space around it. */
export function glyphSize(size: TextSize): { width: number; height: number } {
  return { width: CHARACTER_DOTS * SCALES[size].x, height: CHARACTER_ROWS * SCALES[size].y }
}

/** A character as printers draw it; a hollow box when the font lacks it. Cached: callers must not change it. */
export function glyph(char: string, style: GlyphStyle): GlyphRows {
  const key = `${char}${style.bold}${style.size}`
  const rows = drawn.get(key) ?? draw(char, style)
  drawn.set(key, rows)
  return rows
}

function draw(char: string, { bold, size }: GlyphStyle): GlyphRows {
  const scale = SCALES[size]
  const { width, height } = glyphSize(size)
  return Array.from({ length: height }, (_, y) => {
    const dot = (x: number) => hasDot(char, Math.floor(x / scale.x), Math.floor(y / scale.y))
    return Uint8Array.from({ length: width }, (_, x) => (dot(x) || (bold && x > 0 && dot(x - 1)) ? BLACK : WHITE))
  })
}

function hasDot(char: string, x: number, y: number): boolean {
  const place = places.get(char)
  if (place === undefined) {
    const inside = x >= 1 && x <= CHARACTER_DOTS - 2 && y >= 3 && y <= 20
    return inside && (x === 1 || x === CHARACTER_DOTS - 2 || y === 3 || y === 20)
  }
  const bit = y * CHARACTER_DOTS + x
  return ((GLYPH_BITS[place + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0
}
