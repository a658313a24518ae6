import { type Bitmap, blankBitmap, drawOn } from '../drawing/bitmap.ts'
import { columnsOf, STRIP_ROWS } from '../escpos/columns.ts'
import { asksByChance } from './questions-by-chance.ts'

const ESC = 0x1b

/**
 * The commands (`ESC X`, 24 dots high) that put a picture into lines, a list for each line: what follows in the same line
 * stands beside it, and the strips join when lines are 3 mm apart. The picture is moved down by some dots until it asks
 * the printer nothing by chance.
 * @param pieceBytes bytes per command
 * @throws Error when no move helps, which happens only with a crafted picture
 */
export function starStrips(picture: Bitmap, pieceBytes: number): Uint8Array[][] {
  const most = Math.max(1, Math.floor(pieceBytes / 3))
  for (let down = 0; down < STRIP_ROWS; down += 1) {
    const moved = blankBitmap(picture.width, picture.rows + down)
    drawOn(moved, picture, 0, down)
    const strips: Uint8Array[][] = []
    for (let top = 0; top < moved.rows; top += STRIP_ROWS) {
      const pieces: Uint8Array[] = []
      for (let left = 0; left < moved.width; left += most) {
        const columns = Math.min(most, moved.width - left)
        pieces.push(Uint8Array.from([ESC, 0x58, columns & 0xff, columns >> 8, ...columnsOf(moved, left, top, columns)]))
      }
      strips.push(pieces)
    }
    if (!asksByChance(Buffer.concat(strips.flat()))) return strips
  }
  throw new Error('the picture cannot be sent without a question to the printer in it')
}
