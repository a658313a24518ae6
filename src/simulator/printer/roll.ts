import { Bitmap } from './bitmap.ts'
import { picture } from './picture.ts'

const MARGIN_MM = 4

/** A receipt, or what hangs out of the printer and is not cut yet. */
export interface Paper {
  /** Line by line as it stands on the paper, pictures and codes named in brackets. */
  readonly text: string
  readonly cut: boolean
  /** Given to the customer by a presenter. */
  readonly presented: boolean
  /** What the QR codes hold that the printer drew by itself. */
  readonly qrs: string[]
  /** The side of each in dots, without any margin. */
  readonly qrDots: number[]
  /** Rows of dots. */
  readonly height: number
  /** One pixel for a dot, 4 mm of white around. */
  png(): Buffer
}

interface Mark {
  top: number
  bottom: number
  text: string
  qr?: { payload: string; dots: number }
  image?: boolean
}

/** The roll of paper under the head: it grows at the bottom and is cut at the top. */
export class Roll {
  readonly width: number
  readonly #dpi: number
  readonly #onCut: (paper: Paper) => void
  /** Rows of dots printed or fed since it was put in. */
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

  /** Prints a line of text `height` rows high and feeds `rows`, at least the height. */
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

  /** Rows of a picture; those that follow one another are one picture. */
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

  /** Cuts so many rows above the head. What is not above the knife stays on the roll, as the next one's beginning. */
  cut(rowsAboveHead: number): void {
    const rows = Math.max(0, this.#bitmap.height - rowsAboveHead)
    if (rows === 0) return
    // What the knife goes through is on neither side whole; it is counted to the part that comes later.
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

  /** Hands out the last receipt that was cut. */
  present(): void {
    const last = this.#finished.pop()
    if (last) this.#finished.push({ ...last, presented: true })
  }

  /** Whether something is printed below the last cut. */
  get begun(): boolean {
    return !isBlank(this.#bitmap, this.#marks)
  }

  /** In the order of printing; what hangs out uncut is the last one. */
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
      qrs: codes.map(({ payload }) => payload),
      qrDots: codes.map(({ dots }) => dots),
      height: bitmap.height,
      png: () => picture(bitmap, this.dotsOf(MARGIN_MM) + 1),
    }
  }
}

function isBlank(bitmap: Bitmap, marks: Mark[]): boolean {
  return bitmap.blank && marks.every(({ text }) => text.trim() === '')
}
