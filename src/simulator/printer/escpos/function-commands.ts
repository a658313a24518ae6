import { bytes, type Desk, type Steps, word } from '../command-context.ts'
import { drawQr, type QrLevel } from '../paper/qr-code.ts'

const QR = 49
const LEVELS: Record<number, QrLevel> = { 48: 'L', 49: 'M', 50: 'Q', 51: 'H' }
/** Custom counts them from 49 [S]. */
const CUSTOM_LEVELS: Record<number, QrLevel> = { 49: 'L', 50: 'M', 51: 'Q', 52: 'H' }

/** `GS ( A`. */
export function* testCommand({ carriage }: Desk): Steps {
  yield* bytes(yield* word())
  for (const character of '*** TEST ***') carriage.put(character)
  carriage.newLine()
}

/** `GS ( H`. Everything before this command is printed when it runs. */
export function* processIdCommand(desk: Desk): Steps {
  const [fn, ...id] = yield* bytes(yield* word())
  if (fn === 48 && id.length === 5) desk.answer(Uint8Array.of(0x37, 0x22, ...id.slice(1), 0))
  else desk.unknown(0x1d, 0x28, 0x48, fn ?? 0)
}

/** `GS ( k`. */
export function* qrCommand(desk: Desk): Steps {
  const [kind = 0, fn = 0, ...data] = yield* bytes(yield* word())
  if (kind === QR) qrFunction(desk, fn, data)
  else desk.unknown(0x1d, 0x28, 0x6b, kind, fn)
}

function qrFunction(desk: Desk, fn: number, data: number[]): void {
  const [first = 0] = data
  const { qr } = desk
  const levels = desk.model.maker === 'custom' ? CUSTOM_LEVELS : LEVELS
  if (fn === 65 && first !== 50) desk.refuse(`QR model ${first}`)
  else if (fn === 65) return
  else if (fn === 67 && first >= 1 && first <= 16) qr.module = first
  else if (fn === 69 && levels[first]) qr.level = levels[first]
  else if (fn === 80) qr.data = Uint8Array.from(data.slice(1))
  else if (fn === 81) printQr(desk)
  else desk.unknown(0x1d, 0x28, 0x6b, QR, fn, first)
}

/** A code that is wider than the paper is not printed. */
export function printQr({ qr, carriage, roll, refuse }: Desk): void {
  const symbol = drawQr(qr)
  if (!carriage.empty) refuse('QR inside of a line')
  else if (!symbol) refuse('QR of nothing, or of too much')
  else if (symbol.width > carriage.areaWidth) refuse('QR wider than the paper')
  else roll.qr(symbol, carriage.left(symbol.width), Buffer.from(qr.data).toString())
}
