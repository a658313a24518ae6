import { bytes, type Commands, type Desk, type Steps, taking, word } from '../command-context.ts'
import { printQr } from '../escpos/function-commands.ts'
import { columnImage } from '../escpos/picture-commands.ts'
import { realtimeFinder } from '../escpos/realtime.ts'
import { interpreter } from '../interpreter.ts'
import type { Language, RealtimeCommand, RealtimeFinder } from '../language.ts'
import { Bitmap } from '../paper/bitmap.ts'
import { drawQr, type QrLevel } from '../paper/qr-code.ts'
import { LINE_COMMANDS } from './line-commands.ts'
import { rasterMode, unknownByte } from './raster.ts'
import { automaticStatus, enqStatus, eotStatus } from './status.ts'

/** Bit images of a line's height, after which text may follow (Star Line Mode Command Specifications, 3-33 [V]). */
const PICTURE_COMMANDS: Commands = {
  '\x1bK': (desk) => columnImage(desk, { columnBytes: 1, scaleX: 3 }),
  '\x1bL': (desk) => columnImage(desk, { columnBytes: 1, scaleX: 1 }),
  '\x1bX': (desk) => columnImage(desk, { columnBytes: 3, scaleX: 1 }),
  '\x1bk': rows,
}

/** `ESC k`: 24 rows, each of this many bytes. */
function* rows(desk: Desk): Steps {
  const rowBytes = yield* word()
  const image = new Bitmap(rowBytes * 8, 24)
  for (let y = 0; y < 24; y++) image.drawBytes(yield* bytes(rowBytes), y)
  desk.carriage.putImage(image)
}

const LEVELS: QrLevel[] = ['L', 'M', 'Q', 'H']

/** QR codes: model, level, size, data and print (Star Line Mode Command Specifications, 3-119 [V]). */
const QR_COMMANDS: Commands = {
  '\x1b\x1dyS0': taking(1, ({ refuse }, n = 0) => {
    if (n !== 2) refuse(`QR model ${n}`)
  }),
  '\x1b\x1dyS1': taking(1, ({ qr }, n = 0) => {
    qr.level = LEVELS[n] ?? qr.level
  }),
  '\x1b\x1dyS2': taking(1, ({ qr }, n = 0) => {
    if (n >= 1 && n <= 8) qr.module = n
  }),
  '\x1b\x1dyD1': function* ({ qr }) {
    yield* bytes(1)
    qr.data = Uint8Array.from(yield* bytes(yield* word()))
  },
  // What is in the line is printed first.
  '\x1b\x1dyP': (desk) => {
    if (!desk.carriage.empty) desk.carriage.newLine()
    printQr(desk)
  },
  '\x1b\x1dyI': ({ qr, answer }) => {
    const side = drawQr(qr)?.width ?? 0
    answer(Uint8Array.of(0x1b, 0x1d, 0x79, 0x49, side & 0xff, side >> 8))
  },
}

/** The status that is sent by itself, and the proof that everything before was printed [V: Star Line Mode, Graphic Mode]. */
const END_COMMANDS: Commands = {
  // That the status is not sent at once is assumed [U].
  '\x1b\x1ea': taking(1, (desk, n = 0) => desk.reports(n & 1)),
  // Commands run after the paper has moved for all before them, so printing has ended.
  '\x17': (desk) =>
    desk.change(() => {
      desk.counters.ends = (desk.counters.ends + 1) % 32
      desk.counters.endReached = true
    }),
  // The cleared counter is not reported.
  '\x1b\x1eE': taking(1, ({ counters }) => {
    Object.assign(counters, { ends: 0, endReached: false })
  }),
  '\x1b\x1d\x03': printEnds,
  // They ran when they were received.
  '\x1b\x06\x01': () => {},
  '\x04': () => {},
  '\x05': () => {},
}

/** `ESC GS ETX s n1 n2`: 0 asks for the counter, 1 counts and tells it, 2 clears it, 3 and 4 enclose a document. */
function* printEnds(desk: Desk): Steps {
  const [s = 0, n1 = 0, n2 = 0] = yield* bytes(3)
  const { counters, carriage } = desk
  if ((s === 1 || s === 4) && !carriage.empty) carriage.newLine()
  if (s === 1) counters.printEnds = (counters.printEnds + 1) % 256
  if (s === 2) counters.printEnds = 0
  if (s < 2) desk.answer(Uint8Array.of(0x1b, 0x1d, 0x03, s, n1, n2, counters.printEnds, 0))
}

const COMMON_COMMANDS: Commands = {
  ...END_COMMANDS,
  '\x07': (desk) => desk.bell(),
  '\x1b\x07': taking(2, () => {}),
  // Density and speed.
  '\x1b\x1ed': taking(1, () => {}),
  '\x1b\x1er': taking(1, () => {}),
  '\x1b*rA': rasterMode,
}

const LINE_MODE: Commands = { ...LINE_COMMANDS, ...PICTURE_COMMANDS, ...QR_COMMANDS, ...COMMON_COMMANDS }

/** What a printer for raster data knows outside of raster mode (STAR Graphic Mode Command Specifications [V]). */
const GRAPHIC_MODE: Commands = { ...COMMON_COMMANDS, '\x1b\x1eA': taking(1, () => {}), '\x1b*rR': () => {} }

const ESC = 0x1b
const ACK = 0x06
const SOH = 0x01

const ASB: RealtimeCommand = { kind: 'status', length: 3, answer: automaticStatus }

/** `ESC ACK SOH`, also inside of other data, as it runs when it is received [V]. */
const askedByThreeBytes = () => realtimeFinder([{ bytes: [ESC, ACK, SOH], command: () => ASB }])

const SINGLE: Record<number, RealtimeCommand> = {
  5: { kind: 'status', length: 1, answer: enqStatus },
  4: { kind: 'status', length: 1, answer: eotStatus },
}

/** The same, and ENQ and EOT: they run when they are received, also inside of other commands and pictures [U]. */
function askedByOneByteToo(): RealtimeFinder {
  const find = askedByThreeBytes()
  return (byte) => find(byte) ?? SINGLE[byte]
}

/** TSP650, TSP700, TSP800. */
export const STAR_LINE: Language = {
  findRealtime: askedByOneByteToo,
  interpret: (desk) => interpreter(desk, LINE_MODE),
  automaticStatus,
}

/** TSP100, TSP143: they print nothing but raster data. */
export const STAR_RASTER: Language = {
  findRealtime: askedByThreeBytes,
  interpret: (desk) => interpreter(desk, GRAPHIC_MODE, { text: unknownByte }),
  automaticStatus,
}
