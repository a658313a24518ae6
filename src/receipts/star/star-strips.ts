import type { Bitmap } from '../drawing/bitmap.ts'
import { movedStrips } from '../escpos/columns.ts'
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
  const strips = movedStrips(picture, [ESC, 0x58], pieceBytes, (bytes) => !asksByChance(bytes))
  if (strips) return strips
  throw new Error('the picture cannot be sent without a question to the printer in it')
}
