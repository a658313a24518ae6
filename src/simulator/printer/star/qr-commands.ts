import { bytes, type Commands, type Desk, taking, word } from '../command-context.ts'
import { drawQr, type QrLevel } from '../paper/qr-code.ts'

const LEVELS: QrLevel[] = ['L', 'M', 'Q', 'H']

/** QR codes: model, level, size, data and print (Star Line Mode Command Specifications, 3-119 [V]). */
export const QR_COMMANDS: Commands = {
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
  '\x1b\x1dyP': printQr,
  '\x1b\x1dyI': ({ qr, answer }) => {
    const side = drawQr(qr)?.width ?? 0
    answer(Uint8Array.of(0x1b, 0x1d, 0x79, 0x49, side & 0xff, side >> 8))
  },
}

/** What is in the line is printed first. A code that is wider than the paper is not printed. */
function printQr({ qr, carriage, roll, refuse }: Desk): void {
  if (!carriage.empty) carriage.newLine()
  const symbol = drawQr(qr)
  if (!symbol) refuse('QR of nothing, or of too much')
  else if (symbol.width > carriage.areaWidth) refuse('QR wider than the paper')
  else roll.qr(symbol, carriage.left(symbol.width), Buffer.from(qr.data).toString())
}
