/** A picture of one colour: row by row, eight dots per byte, the leftmost dot in the highest bit; 1 is black. */
export interface Bitmap {
  /** In dots. */
  width: number
  rows: number
  /** The dots beyond the width are blank. */
  rowBytes: number
  bits: Uint8Array
}

export function blankBitmap(width: number, rows: number): Bitmap {
  const rowBytes = Math.ceil(width / 8)
  return { width, rows, rowBytes, bits: new Uint8Array(rowBytes * rows) }
}

/** Whether a dot is black; outside of the picture nothing is. */
export function hasDot({ width, rows, rowBytes, bits }: Bitmap, x: number, y: number): boolean {
  if (x < 0 || x >= width || y < 0 || y >= rows) return false
  return ((bits[y * rowBytes + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0
}

/** Blackens the dots of a row from x on; what is outside of the picture is left out. */
export function blacken({ width, rows, rowBytes, bits }: Bitmap, x: number, y: number, dots = 1): void {
  if (y < 0 || y >= rows) return
  for (let at = Math.max(0, x); at < Math.min(width, x + dots); at += 1) {
    const byte = y * rowBytes + (at >> 3)
    bits[byte] = (bits[byte] ?? 0) | (0x80 >> (at & 7))
  }
}

/** Draws the black dots of a picture on another one, its upper left corner at x and y; it must fit in width. */
export function drawOn(paper: Bitmap, picture: Bitmap, x: number, y: number): void {
  const shift = x & 7
  for (let row = Math.max(0, -y); row < Math.min(picture.rows, paper.rows - y); row += 1) {
    const start = (y + row) * paper.rowBytes + (x >> 3)
    for (let at = 0; at < picture.rowBytes; at += 1) {
      const byte = picture.bits[row * picture.rowBytes + at] ?? 0
      if (byte === 0) continue
      paper.bits[start + at] = (paper.bits[start + at] ?? 0) | (byte >> shift)
      const rest = (byte << (8 - shift)) & 0xff
      if (rest !== 0) paper.bits[start + at + 1] = (paper.bits[start + at + 1] ?? 0) | rest
    }
  }
}
