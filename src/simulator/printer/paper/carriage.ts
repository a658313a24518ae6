import type { Modes } from '../modes.ts'
import { Bitmap } from './bitmap.ts'
import { drawCharacter } from './glyphs.ts'
import type { Roll } from './roll.ts'

/** Collects the current line and prints it on the paper. */
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
