import { bytes, type Commands, type Desk, type Steps, word } from '../command-context.ts'
import { Bitmap } from '../paper/bitmap.ts'

export const PICTURE_COMMANDS: Commands = {
  '\x1dv': function* (desk) {
    const [kind = 0, m = 0] = yield* bytes(2)
    if (kind !== 0x30) return desk.unknown(0x1d, 0x76, kind)
    const rowBytes = yield* word()
    const rows = yield* word()
    // The image data is then interpreted as text.
    if (!desk.carriage.empty) return desk.refuse('GS v 0 inside of a line')
    yield* raster(desk, rowBytes, rows, m & 1 ? 2 : 1, m & 2 ? 2 : 1)
  },
  '\x1b*': function* (desk): Steps {
    const m = yield
    const high = m === 32 || m === 33
    if (high || m === 0 || m === 1)
      return yield* columnImage(desk, { columnBytes: high ? 3 : 1, scaleX: m & 1 ? 1 : 2 })
    yield* word()
    desk.unknown(0x1b, 0x2a, m)
  },
}

/** `GS v 0`: each row is printed when it is complete. */
function* raster(desk: Desk, rowBytes: number, rows: number, scaleX: number, scaleY: number): Steps {
  const { carriage, roll } = desk
  const width = Math.min(rowBytes * 8 * scaleX, carriage.areaWidth)
  for (let y = 0; y < rows; y++) {
    const row = yield* bytes(rowBytes)
    const dots = new Bitmap(width, scaleY)
    for (let dy = 0; dy < scaleY; dy++) dots.drawBytes(scaleX === 1 ? row : row.flatMap(twice), dy)
    roll.image(dots, carriage.left(width))
  }
}

/** Doubles each of the eight dots. */
function twice(byte: number): [number, number] {
  let wide = 0
  for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) wide |= 3 << (2 * bit)
  return [wide >> 8, wide & 0xff]
}

/** A count of columns of 8 or 24 dots, and the columns, the uppermost dot in the highest bit: `ESC *`. */
export function* columnImage(desk: Desk, { columnBytes, scaleX }: { columnBytes: 1 | 3; scaleX: number }): Steps {
  const columns = yield* word()
  const scaleY = columnBytes === 1 ? 3 : 1
  const image = new Bitmap(columns * scaleX, 24)
  for (let column = 0; column < columns; column++) {
    const data = yield* bytes(columnBytes)
    for (let y = 0; y < 24; y++) {
      const dot = Math.floor(y / scaleY)
      if (((data[dot >> 3] ?? 0) & (0x80 >> (dot & 7))) === 0) continue
      for (let dx = 0; dx < scaleX; dx++) image.set(column * scaleX + dx, y)
    }
  }
  desk.carriage.putImage(image)
}
