import { bytes, type Commands, type Desk, type Steps, word } from '../command-context.ts'
import { Bitmap } from '../paper/bitmap.ts'

/** Bit images of a line's height, after which text may follow (Star Line Mode Command Specifications, 3-33 [V]). */
export const PICTURE_COMMANDS: Commands = {
  '\x1bK': (desk) => columns(desk, { bytesPerColumn: 1, scaleX: 3, scaleY: 3 }),
  '\x1bL': (desk) => columns(desk, { bytesPerColumn: 1, scaleX: 1, scaleY: 3 }),
  '\x1bX': (desk) => columns(desk, { bytesPerColumn: 3, scaleX: 1, scaleY: 1 }),
  '\x1bk': rows,
}

interface Columns {
  bytesPerColumn: number
  scaleX: number
  scaleY: number
}

/** The uppermost dot is in the highest bit. */
function* columns(desk: Desk, { bytesPerColumn, scaleX, scaleY }: Columns): Steps {
  const count = yield* word()
  const image = new Bitmap(count * scaleX, 24)
  for (let column = 0; column < count; column++) {
    const data = yield* bytes(bytesPerColumn)
    for (let y = 0; y < 24; y++) {
      const dot = Math.floor(y / scaleY)
      const black = ((data[dot >> 3] ?? 0) & (0x80 >> (dot & 7))) !== 0
      for (let dx = 0; black && dx < scaleX; dx++) image.set(column * scaleX + dx, y)
    }
  }
  desk.carriage.putImage(image)
}

/** `ESC k`: 24 rows, each of this many bytes. */
function* rows(desk: Desk): Steps {
  const rowBytes = yield* word()
  const image = new Bitmap(rowBytes * 8, 24)
  for (let y = 0; y < 24; y++) image.drawBytes(yield* bytes(rowBytes), y)
  desk.carriage.putImage(image)
}
