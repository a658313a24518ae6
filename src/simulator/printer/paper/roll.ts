import { PNG } from 'pngjs'
import { Bitmap } from './bitmap.ts'

const MARGIN_MM = 4

/** A receipt, or the paper that is not cut yet. */
export interface Paper {
  /** The printed lines; pictures and codes are named in brackets. */
  readonly text: string
  readonly cut: boolean
  readonly presented: boolean
  /** Whether a presenter has drawn it in again, because nobody took it. */
  readonly retracted: boolean
  /** The data of QR codes that the printer drew itself. */
  readonly qrs: string[]
  /** The side of each QR code in dots, without a margin. */
  readonly qrDots: number[]
  readonly height: number
  /** Each row of dots, eight to a byte, in hex. */
  rows(): string[]
  /** One pixel per dot, with a white margin of 4 mm. */
  png(): Buffer
}

interface Mark {
  top: number
  bottom: number
  text: string
  qr?: { payload: string; dots: number }
  image?: boolean
}

/** The paper roll: printing adds rows, cutting removes them. */
export class Roll {
  readonly width: number
  readonly #dpi: number
  readonly #onCut: (paper: Paper) => void
  /** Rows of dots printed or fed since the roll was loaded. */
  rows = 0
  #bitmap: Bitmap
  #marks: Mark[] = []
  #finished: Paper[] = []

  constructor(width: number, dpi: number, onCut: (paper: Paper) => void = () => {}) {
    this.#onCut = onCut
    this.width = width
    this.#dpi = dpi
    this.#bitmap = new Bitmap(width)
  }

  dotsOf(millimetres: number): number {
    return Math.round((millimetres * this.#dpi) / 25.4)
  }

  feed(rows: number): void {
    this.rows += rows
    this.#bitmap.grow(this.#bitmap.height + rows)
  }

  /** Prints a text line of `height` rows and feeds `rows`, at least the height. */
  line(cells: Bitmap, left: number, text: string, rows: number): void {
    const top = this.#bitmap.height
    this.feed(Math.max(rows, cells.height))
    this.#bitmap.draw(cells, left, top)
    this.#marks.push({ top, bottom: top + cells.height, text })
  }

  qr(symbol: Bitmap, left: number, payload: string): void {
    const top = this.#bitmap.height
    this.feed(symbol.height)
    this.#bitmap.draw(symbol, left, top)
    const qr = { payload, dots: symbol.width }
    this.#marks.push({ top, bottom: top + symbol.height, text: `[QR ${symbol.width} dots: ${payload}]`, qr })
  }

  /** Prints rows of a picture; consecutive rows form one picture. */
  image(rows: Bitmap, left: number): void {
    const top = this.#bitmap.height
    this.feed(rows.height)
    this.#bitmap.draw(rows, left, top)
    const above = this.#marks.at(-1)
    const start = above?.image && above.bottom === top ? above.top : top
    if (start !== top) this.#marks.pop()
    const bottom = top + rows.height
    this.#marks.push({ top: start, bottom, text: `[picture ${rows.width} x ${bottom - start}]`, image: true })
  }

  /** Cuts this many rows above the head. The paper below the cut stays on the roll as the start of the next receipt. */
  cut(rowsAboveHead: number): void {
    const rows = Math.max(0, this.#bitmap.height - rowsAboveHead)
    if (rows === 0) return
    // A line that the cut divides counts as part of the next receipt.
    const isAbove = (mark: Mark) => mark.bottom <= rows
    const marks = this.#marks.filter(isAbove)
    this.#marks = this.#marks
      .filter((mark) => !isAbove(mark))
      .map((mark) => ({ ...mark, top: mark.top - rows, bottom: mark.bottom - rows }))
    const bitmap = this.#bitmap.takeRows(rows)
    if (isBlank(bitmap, marks)) return
    const paper = this.#paper(bitmap, marks, true)
    this.#finished.push(paper)
    this.#onCut(paper)
  }

  /** What a presenter does with the last receipt that was cut. */
  handle(how: Partial<Pick<Paper, 'presented' | 'retracted'>>): void {
    const last = this.#finished.pop()
    if (last) this.#finished.push({ ...last, ...how })
  }

  get cuts(): number {
    return this.#finished.length
  }

  /** Whether something is printed below the last cut. */
  get begun(): boolean {
    return !isBlank(this.#bitmap, this.#marks)
  }

  get papers(): Paper[] {
    if (!this.begun) return [...this.#finished]
    return [...this.#finished, this.#paper(this.#bitmap.copy(), [...this.#marks], false)]
  }

  #paper(bitmap: Bitmap, marks: Mark[], cut: boolean): Paper {
    const codes = marks.flatMap(({ qr }) => qr ?? [])
    return {
      text: marks
        .map(({ text }) => text.trimEnd())
        .join('\n')
        .trimEnd(),
      cut,
      presented: false,
      retracted: false,
      qrs: codes.map(({ payload }) => payload),
      qrDots: codes.map(({ dots }) => dots),
      height: bitmap.height,
      rows: () => Array.from({ length: bitmap.height }, (_, y) => Buffer.from(bitmap.row(y)).toString('hex')),
      png: () => picture(bitmap, this.dotsOf(MARGIN_MM) + 1),
    }
  }
}

function isBlank(bitmap: Bitmap, marks: Mark[]): boolean {
  return bitmap.blank && marks.every(({ text }) => text.trim() === '')
}

/** A PNG with one pixel per dot and a white margin of `margin` dots. */
function picture(bitmap: Bitmap, margin: number): Buffer {
  const width = bitmap.width + 2 * margin
  const height = bitmap.height + 2 * margin
  const png = new PNG({ width, height, colorType: 0, inputColorType: 0, inputHasAlpha: false, bitDepth: 8 })
  const pixels = Buffer.alloc(width * height, 0xff)
  for (let y = 0; y < bitmap.height; y++) {
    const start = (y + margin) * width + margin
    bitmap.row(y).forEach((byte, index) => {
      for (let bit = 0; byte !== 0 && bit < 8; bit++) if (byte & (0x80 >> bit)) pixels[start + index * 8 + bit] = 0
    })
  }
  png.data = pixels
  return PNG.sync.write(png, { colorType: 0, inputColorType: 0, inputHasAlpha: false, bitDepth: 8, filterType: 0 })
}
