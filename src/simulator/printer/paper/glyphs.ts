import { GLYPH_BITS, GLYPHS } from '../../../fonts/spleen-12x24.ts'
import type { Modes } from '../modes.ts'
import { Bitmap } from './bitmap.ts'

const WIDTH = 12
const HEIGHT = 24
const BYTES = (WIDTH * HEIGHT) / 8

const offsets = new Map(Array.from(GLYPHS, (character, index) => [character, index * BYTES]))

const drawn = new Map<string, Bitmap>()

/** One character with the space to its right; every font is the same drawing, scaled. Cached: do not draw on it. */
export function drawCharacter(character: string, modes: Modes): Bitmap {
  const { bold, doubleStrike, underline, width, height, inverse, characterSpacing } = modes
  const font = modes.fonts[modes.font]
  const look = [bold || doubleStrike, underline, width, height, inverse, characterSpacing]
  const key = [character, font.width, font.height, font.space, ...look].join()
  const known = drawn.get(key) ?? draw(character, modes)
  drawn.set(key, known)
  return known
}

function draw(character: string, modes: Modes): Bitmap {
  const font = modes.fonts[modes.font]
  const wide = character.length === 1 && character >= '⺀' ? 2 : 1
  const space = (font.space ?? 0) + modes.characterSpacing
  const cell = new Bitmap((font.width * wide + space) * modes.width, font.height * modes.height)
  const fat = modes.bold || modes.doubleStrike
  for (let y = 0; y < cell.height; y++) {
    const row = Math.floor((Math.floor(y / modes.height) * HEIGHT) / font.height)
    const underlined = y >= cell.height - modes.underline
    for (let x = 0; x < cell.width; x++) {
      const column = (dx: number) => Math.floor((Math.floor((x - dx) / modes.width) * WIDTH) / font.width)
      const dot = dotOf(character, column(0), row, wide) || (fat && x > 0 && dotOf(character, column(1), row, wide))
      cell.set(x, y, (dot || underlined) !== modes.inverse)
    }
  }
  return cell
}

function dotOf(character: string, x: number, y: number, wide: number): boolean {
  const width = WIDTH * wide
  if (x < 0 || x >= width) return false
  const offset = offsets.get(character)
  if (offset === undefined) return boxDot(x, y, width)
  const bit = y * WIDTH + x
  return ((GLYPH_BITS[offset + (bit >> 3)] ?? 0) & (0x80 >> (bit & 7))) !== 0
}

/** An empty box for characters missing in the font. */
function boxDot(x: number, y: number, width: number): boolean {
  if (x < 1 || x > width - 2 || y < 3 || y > 20) return false
  return x === 1 || x === width - 2 || y === 3 || y === 20
}
