import { bytes, type Commands, type Desk, type Steps, word } from '../command-context.ts'
import { interpreter } from '../interpreter.ts'
import { Bitmap } from '../paper/bitmap.ts'

/** What `ESC * r F` and `ESC * r E` choose (Star Line Mode Command Specifications, 3-94 [V]). */
interface Ending {
  feedToCutter: boolean
  cut: boolean
}

const ENDINGS: Record<number, Ending> = {
  1: { feedToCutter: false, cut: false },
  2: { feedToCutter: true, cut: false },
  3: { feedToCutter: true, cut: false },
  8: { feedToCutter: false, cut: true },
  9: { feedToCutter: true, cut: true },
  12: { feedToCutter: false, cut: true },
  13: { feedToCutter: true, cut: true },
}
const DEFAULT_ENDING: Ending = { feedToCutter: true, cut: true }
/** That a page has a length until `ESC * r P 0` is assumed [U]; 0 is none. */
const DEFAULT_PAGE = 1600

interface Raster {
  /** The row of dots that data are added to. */
  row: Bitmap
  rowIsEmpty: boolean
  /** Rows since the page began. */
  onPage: number
  page: number
  left: number
  right: number
  formFeed: Ending
  endOfTransmission: Ending
  ended: boolean
}

/** Raster mode, from `ESC * r A` to `ESC * r B`. Other commands are unknown in it [U]. */
export function* rasterMode(desk: Desk): Steps {
  if (!desk.carriage.empty) desk.carriage.newLine()
  const raster: Raster = { ...defaults(), row: new Bitmap(desk.roll.width), rowIsEmpty: true, onPage: 0, ended: false }
  clearRow(desk, raster)
  yield* interpreter(desk, commandsOf(raster), { text: unknownByte, ended: () => raster.ended })
}

/** Text that a printer takes for nothing that it knows. */
export function unknownByte(desk: Desk, byte: number): void {
  desk.unknown(byte)
}

function defaults() {
  return { page: DEFAULT_PAGE, left: 0, right: 0, formFeed: DEFAULT_ENDING, endOfTransmission: DEFAULT_ENDING }
}

function commandsOf(raster: Raster): Commands {
  const setting = (change: (n: number) => Partial<Raster>) => numbered((_, n) => Object.assign(raster, change(n)))
  return {
    b: function* (desk) {
      yield* addData(desk, raster)
      nextRow(desk, raster)
    },
    k: (desk) => addData(desk, raster),
    '\x1b*rA': () => {},
    '\x1b*rB': (desk) => {
      if (raster.onPage > 0 || !raster.rowIsEmpty) end(desk, raster, raster.endOfTransmission)
      raster.ended = true
    },
    '\x1b*rC': (desk) => clearRow(desk, raster),
    '\x1b*rR': (desk) => {
      Object.assign(raster, defaults())
      clearRow(desk, raster)
    },
    '\x1b*rE': setting((n) => ({ endOfTransmission: ENDINGS[n] ?? DEFAULT_ENDING })),
    '\x1b*rF': setting((n) => ({ formFeed: ENDINGS[n] ?? DEFAULT_ENDING })),
    '\x1b*rP': setting((page) => ({ page })),
    ...Object.fromEntries(['D', 'Q', 'T', 'K'].map((kind) => [`\x1b*r${kind}`, numbered(() => {})])),
    // In units of a byte of data [S].
    '\x1b*rml': setting((left) => ({ left })),
    '\x1b*rmr': setting((right) => ({ right })),
    '\x1b*rY': numbered((desk, n) => {
      for (let y = 0; y < n; y++) nextRow(desk, raster)
    }),
    '\x1b\x0c\x00': (desk) => end(desk, raster, raster.formFeed),
    '\x1b\x0c\x04': (desk) => end(desk, raster, raster.endOfTransmission),
    // They ran when they were received.
    '\x1b\x06\x01': () => {},
  }
}

/** Adds dots to the row; what is beyond the margins is dropped [V]. */
function* addData({ roll }: Desk, raster: Raster): Steps {
  const data = yield* bytes(yield* word())
  const room = Math.max(0, Math.floor(roll.width / 8) - raster.left - raster.right)
  const row = new Bitmap(room * 8, 1)
  row.drawBytes(data, 0)
  raster.row.draw(row, raster.left * 8, 0)
  raster.rowIsEmpty = false
}

function nextRow(desk: Desk, raster: Raster): void {
  desk.roll.image(raster.row, 0)
  raster.onPage++
  clearRow(desk, raster)
}

function clearRow({ roll }: Desk, raster: Raster): void {
  raster.row = new Bitmap(roll.width, 1)
  raster.rowIsEmpty = true
}

/** Feeds to the end of the page, and to the cutter. */
function end(desk: Desk, raster: Raster, { feedToCutter, cut }: Ending): void {
  const { roll, model } = desk
  if (!raster.rowIsEmpty) nextRow(desk, raster)
  const { page, onPage } = raster
  if (page > 0) roll.feed((page - (onPage % page)) % page)
  raster.onPage = 0
  if (feedToCutter) roll.feed(model.cutterDots)
  if (cut) roll.cut(model.cutterDots)
}

/** A command with a number in decimal digits that NUL ends. */
function numbered(act: (desk: Desk, n: number) => void) {
  return function* (desk: Desk): Steps {
    let digits = ''
    for (let byte = yield; byte !== 0; byte = yield) digits += String.fromCharCode(byte)
    act(desk, Number(digits))
  }
}
