/** Black dots on white, one bit each. */
export class Bitmap {
  readonly width: number
  #rows: Uint8Array[] = []

  constructor(width: number, height = 0) {
    this.width = width
    this.grow(height)
  }

  get height(): number {
    return this.#rows.length
  }

  grow(height: number): void {
    while (this.#rows.length < height) this.#rows.push(new Uint8Array(Math.ceil(this.width / 8)))
  }

  /** Dots outside the paper are ignored. */
  set(x: number, y: number, black = true): void {
    const row = this.#rows[y]
    if (!row || x < 0 || x >= this.width) return
    const bit = 0x80 >> (x & 7)
    const byteIndex = x >> 3
    row[byteIndex] = black ? (row[byteIndex] ?? 0) | bit : (row[byteIndex] ?? 0) & ~bit
  }

  get(x: number, y: number): boolean {
    return ((this.#rows[y]?.[x >> 3] ?? 0) & (0x80 >> (x & 7))) !== 0
  }

  /** Eight dots per byte, the leftmost in the highest bit. */
  row(y: number): Uint8Array {
    return this.#rows[y] ?? new Uint8Array()
  }

  get blank(): boolean {
    return this.#rows.every((row) => row.every((byte) => byte === 0))
  }

  /** Draws another bitmap with its upper left corner at x, y, both at least 0; its white dots are transparent. */
  draw(other: Bitmap, x: number, y: number): void {
    const shift = x & 7
    other.#rows.forEach((source, dy) => {
      const row = this.#rows[y + dy]
      if (!row) return
      source.forEach((byte, index) => {
        const byteIndex = (x >> 3) + index
        if (byteIndex < row.length) row[byteIndex] = (row[byteIndex] ?? 0) | (byte >> shift)
        if (byteIndex + 1 < row.length) row[byteIndex + 1] = (row[byteIndex + 1] ?? 0) | ((byte << (8 - shift)) & 0xff)
      })
      this.#clip(row)
    })
  }

  /** Draws a row of dots, eight per byte. */
  drawBytes(bytes: ArrayLike<number>, y: number): void {
    const row = this.#rows[y]
    row?.set(Array.from(bytes).slice(0, row.length))
    if (row) this.#clip(row)
  }

  #clip(row: Uint8Array): void {
    const spare = row.length * 8 - this.width
    row[row.length - 1] = ((row.at(-1) ?? 0) >> spare) << spare
  }

  /** Removes and returns the first rows. */
  takeRows(count: number): Bitmap {
    const taken = new Bitmap(this.width)
    taken.#rows = this.#rows.splice(0, count)
    return taken
  }

  copy(): Bitmap {
    const copy = new Bitmap(this.width)
    copy.#rows = this.#rows.map((row) => row.slice())
    return copy
  }
}
