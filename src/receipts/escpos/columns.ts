import { type Bitmap, hasDot } from '../drawing/bitmap.ts'
import { STRIP_ROWS } from '../layout/metrics.ts'
import { hasRealTimeCommand, withoutCommands } from './raster.ts'

const ESC = 0x1b
const HEAD_BYTES = 5

/** `half`: each column of the picture is two dots wide on paper (`ESC * 32`). */
export type Density = 'half' | 'full'

/**
 * The commands (`ESC *`) that put a picture into lines, a list for each line: what follows in the same line stands beside
 * it, and the strips join when lines are 24 dots apart. The picture is moved down by some dots until no real-time
 * command is in it. Where no move helps, as with photographs, dots are added; a QR code never needs that.
 * @param pieceBytes bytes per command; a printer waits for the rest of an interrupted one
 */
export function columnStrips(picture: Bitmap, density: Density, pieceBytes: number): Uint8Array[][] {
  const command = [ESC, 0x2a, density === 'half' ? 32 : 33]
  const moved = movedStrips(picture, command, pieceBytes, (bytes) => !hasRealTimeCommand(bytes))
  if (moved) return moved
  return stripsOf(picture, 0, command, pieceBytes).map((pieces) =>
    pieces.map((piece) => withoutCommands(piece, HEAD_BYTES)),
  )
}

/**
 * A picture in strips of 24 rows, each a list of commands, moved down by as few dots as the bytes need to be fine.
 * @param command what each command begins with, before the number of its columns
 * @returns undefined when no move helps
 */
export function movedStrips(
  picture: Bitmap,
  command: readonly number[],
  pieceBytes: number,
  isFine: (bytes: Uint8Array) => boolean,
): Uint8Array[][] | undefined {
  for (let down = 0; down < STRIP_ROWS; down += 1) {
    const strips = stripsOf(picture, down, command, pieceBytes)
    if (isFine(Buffer.concat(strips.flat()))) return strips
  }
  return undefined
}

function stripsOf(picture: Bitmap, down: number, command: readonly number[], pieceBytes: number): Uint8Array[][] {
  return Array.from({ length: Math.ceil((picture.rows + down) / STRIP_ROWS) }, (_, index) =>
    strip(picture, index * STRIP_ROWS - down, command, pieceBytes),
  )
}

function strip(picture: Bitmap, top: number, command: readonly number[], pieceBytes: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  const most = Math.max(1, Math.floor(pieceBytes / 3))
  for (let left = 0; left < picture.width; left += most) {
    const columns = Math.min(most, picture.width - left)
    const data = columnsOf(picture, left, top, columns)
    pieces.push(Uint8Array.from([...command, columns & 0xff, columns >> 8, ...data]))
  }
  return pieces
}

/** Blank paper in a line, as wide as a picture of so many columns of half density (`ESC * 0`). */
export function blankColumns(columns: number): Uint8Array {
  return Uint8Array.from([ESC, 0x2a, 0, columns & 0xff, columns >> 8, ...new Uint8Array(columns)])
}

/** A part of a picture column by column: three bytes each, the uppermost dot in the highest bit. */
function columnsOf(picture: Bitmap, left: number, top: number, columns: number): Uint8Array {
  const data = new Uint8Array(columns * 3)
  for (let column = 0; column < columns; column += 1) {
    for (let y = 0; y < STRIP_ROWS; y += 1) {
      if (!hasDot(picture, left + column, top + y)) continue
      const at = column * 3 + (y >> 3)
      data[at] = (data[at] ?? 0) | (0x80 >> (y & 7))
    }
  }
  return data
}
