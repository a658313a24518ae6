import { bytes, type Commands, type Desk, type Steps, word } from '../command-context.ts'
import { Bitmap } from '../paper/bitmap.ts'

const BLOCK = 40
const NAK = 0x15
const ACK = 0x06

/** Pictures by key in permanent memory, one in the print buffer; `GS 8 L` for more than 64 KB (Epson, GS ( L [V]). */
export const GRAPHICS_COMMANDS: Commands = {
  '\x1d(L': function* (desk) {
    yield* graphics(desk, yield* bytes(yield* word()))
  },
  '\x1d8L': function* (desk) {
    const low = yield* word()
    yield* graphics(desk, yield* bytes(low + 65_536 * (yield* word())))
  },
}

/** A kind, a function and its parameters. */
function* graphics(desk: Desk, [m = 0, fn = 0, ...data]: number[]): Steps {
  const { graphics: memory, carriage } = desk
  if (m !== 48) return desk.unknown(0x1d, 0x28, 0x4c, m, fn)
  if (!carriage.empty) return desk.refuse('GS ( L inside of a line')
  const key = String.fromCharCode(...data.slice(0, 2))
  const found = memory.get(key)
  if (fn === 64) yield* tellKeys(desk)
  else if (fn === 65) for (const each of [...memory.keys()]) memory.delete(each)
  else if (fn === 66) memory.delete(key)
  else if (fn === 67) define(desk, data)
  else if (fn === 69) print(desk, found && { picture: found, scaleX: data[2] ?? 1, scaleY: data[3] ?? 1 })
  else if (fn === 112) store(desk, data)
  else if (fn === 2 || fn === 50) print(desk, desk.buffered)
  else desk.unknown(0x1d, 0x28, 0x4c, m, fn)
}

/** Keys in blocks of 40; after each the next byte is the host's response. */
function* tellKeys({ graphics: memory, answer }: Desk): Steps {
  const keys = [...memory.keys()]
  let sent = 0
  for (;;) {
    const more = keys.length - sent > BLOCK
    answer(Buffer.from(`7r${more ? 'A' : '@'}${keys.slice(sent, sent + BLOCK).join('')}\0`))
    const response = yield
    if (response === NAK) continue
    if (response !== ACK || !more) return
    sent += BLOCK
  }
}

/** Function 67: tone, key, number of colours, width and height in dots, colour, rows. */
function define(desk: Desk, [a, kc1 = 0, kc2 = 0, b, xL = 0, xH = 0, yL = 0, yH = 0, c, ...rows]: number[]): void {
  if (a !== 48 || b !== 1 || c !== 49) desk.refuse('graphics in several tones or colours')
  else desk.graphics.set(String.fromCharCode(kc1, kc2), drawn(xL + 256 * xH, yL + 256 * yH, rows))
}

/** Function 112: tone, scale, colour, width and height in dots, rows. */
function store(desk: Desk, [a, scaleX = 1, scaleY = 1, c, xL = 0, xH = 0, yL = 0, yH = 0, ...rows]: number[]): void {
  if (a !== 48 || c !== 49) desk.refuse('graphics in several tones or colours')
  else desk.buffered = { picture: drawn(xL + 256 * xH, yL + 256 * yH, rows), scaleX, scaleY }
}

function drawn(width: number, height: number, rows: number[]): Bitmap {
  const picture = new Bitmap(width, height)
  const rowBytes = Math.ceil(width / 8)
  for (let y = 0; y < height; y++) picture.drawBytes(rows.slice(y * rowBytes, (y + 1) * rowBytes), y)
  return picture
}

/** Prints a stored picture, or the one of the print buffer, which is then empty. */
function print(desk: Desk, stored: Desk['buffered']): void {
  desk.buffered = undefined
  if (stored) desk.roll.image(scaled(stored), desk.carriage.left(stored.picture.width * stored.scaleX))
  else desk.refuse('graphics that are not there')
}

function scaled({ picture, scaleX, scaleY }: NonNullable<Desk['buffered']>): Bitmap {
  const large = new Bitmap(picture.width * scaleX, picture.height * scaleY)
  for (let y = 0; y < large.height; y++) {
    for (let x = 0; x < large.width; x++) large.set(x, y, picture.get(Math.floor(x / scaleX), Math.floor(y / scaleY)))
  }
  return large
}
