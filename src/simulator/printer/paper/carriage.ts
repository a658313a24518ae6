import { GLYPH_BITS, GLYPHS } from '../../../fonts/spleen-12x24.ts'
import type { Modes } from '../modes.ts'
import { Bitmap } from './bitmap.ts'
import type { Roll } from './roll.ts'

const WIDTH = 12
const HEIGHT = 24
const BYTES = (WIDTH * HEIGHT) / 8

const offsets = new Map(Array.from(GLYPHS, (character, index) => [character, index * BYTES]))

const drawn = new Map<string, Bitmap>()

/** One character with the space to its right; every font is the same drawing, scaled. Cached: do not draw on it. */
function drawCharacter(character: string, modes: Modes): Bitmap {
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

export class Carriage {
  readonly #roll: Roll
  readonly #modes: () => Modes
  #cells: Bitmap[] = []
  #text = ''

  constructor(roll: Roll, modes: () => Modes) {
    this.#roll = roll
    this.#modes = modes
  }

  get empty(): boolean {
    return this.#cells.length === 0
  }

  clear(): void {
    this.#cells = []
    this.#text = ''
  }

  /** Starts a new line when the character does not fit. */
  put(character: string): void {
    this.#add(drawCharacter(character, this.#modes()))
    this.#text += character
  }

  /** Moves to the next tab stop, at every eighth character. */
  tab(): void {
    const stop = 8 * drawCharacter(' ', this.#modes()).width
    const end = (Math.floor(this.#used / stop) + 1) * stop
    while (this.#used < end && end <= this.#area.width) this.put(' ')
  }

  /** Leaves a blank up to this many dots from the left margin; a place that is printed already is not reached again. */
  moveTo(dots: number): void {
    const blank = Math.min(dots, this.#area.width) - this.#used
    if (blank <= 0) return
    this.#cells.push(new Bitmap(blank, 1))
    this.#text += ' '.repeat(Math.round(blank / 12))
  }

  /** A picture with the height of a line; the part that does not fit is cut off. */
  putImage(image: Bitmap): void {
    this.#cells.push(image)
  }

  newLine(): void {
    this.print(this.#modes().lineSpacing)
  }

  /** Prints the line if it is not empty, and feeds at least its height. */
  print(feed: number): void {
    const height = Math.max(0, ...this.#cells.map((cell) => cell.height))
    const cells = new Bitmap(Math.min(this.#used, this.#area.width), height)
    let x = 0
    for (const cell of this.#cells) {
      cells.draw(cell, x, height - cell.height)
      x += cell.width
    }
    const left = this.left(cells.width)
    const indent = ' '.repeat(Math.round(left / 12))
    this.#roll.line(cells, left, this.#text === '' ? '' : indent + this.#text, feed)
    this.clear()
  }

  /** The left edge of something with this width in the current alignment. */
  left(width: number): number {
    const { start, width: area } = this.#area
    const blank = Math.max(0, area - width)
    const { align } = this.#modes()
    return start + (align === 'left' ? 0 : align === 'center' ? Math.floor(blank / 2) : blank)
  }

  get areaWidth(): number {
    return this.#area.width
  }

  #add(cell: Bitmap): void {
    if (!this.empty && this.#used + cell.width > this.#area.width) this.newLine()
    this.#cells.push(cell)
  }

  get #used(): number {
    return this.#cells.reduce((sum, cell) => sum + cell.width, 0)
  }

  get #area(): { start: number; width: number } {
    const { leftMargin, areaWidth } = this.#modes()
    const start = Math.min(leftMargin, this.#roll.width - 1)
    return { start, width: Math.min(areaWidth, this.#roll.width - start) }
  }
}
