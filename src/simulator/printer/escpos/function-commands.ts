import { bytes, type Desk, type Steps, word } from '../command-context.ts'
import { drawQr, type QrLevel } from '../paper/qr-code.ts'

const QR = 49
const LEVELS: Record<number, QrLevel> = { 48: 'L', 49: 'M', 50: 'Q', 51: 'H' }
/** Custom counts them from 49 [S]. */
const CUSTOM_LEVELS: Record<number, QrLevel> = { 49: 'L', 50: 'M', 51: 'Q', 52: 'H' }

/** `GS (`: a letter, the length of the rest, a function and its parameters. */
export function* functionCommand(desk: Desk): Steps {
  const letter = String.fromCharCode(yield)
  const { withoutNativeQr, withoutProcessId } = desk.model
  const known = letter === 'A' || (letter === 'H' && !withoutProcessId) || (letter === 'k' && !withoutNativeQr)
  if (!known) {
    desk.unknown(0x1d, 0x28, letter.charCodeAt(0))
    for (const character of `(${letter}`) desk.carriage.put(character)
    return
  }
  const data = yield* bytes(yield* word())
  if (letter === 'k' && data[0] === QR) return qrFunction(desk, data[1] ?? 0, data.slice(2))
  if (letter === 'H' && data[0] === 48 && data.length === 6) return tellProcessId(desk, data.slice(2))
  if (letter === 'A') return testPrint(desk)
  desk.unknown(0x1d, 0x28, letter.charCodeAt(0), ...data.slice(0, 2))
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

function printQr({ qr, carriage, roll, refuse }: Desk): void {
  const symbol = drawQr(qr)
  if (!carriage.empty) refuse('QR inside of a line')
  else if (!symbol) refuse('QR of nothing, or of too much')
  else if (symbol.width > carriage.areaWidth) refuse('QR wider than the paper')
  else roll.qr(symbol, carriage.left(symbol.width), Buffer.from(qr.data).toString())
}

/** Everything before this command is printed when it runs. */
function tellProcessId({ answer }: Desk, id: number[]): void {
  answer(Uint8Array.of(0x37, 0x22, ...id, 0))
}

function testPrint({ carriage }: Desk): void {
  for (const character of '*** TEST ***') carriage.put(character)
  carriage.newLine()
}
