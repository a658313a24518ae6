import { measuring } from '../escpos/paper-length.ts'

const ESC = 0x1b
const LF = 0x0a
const ROW = 0x62
const MM_PER_DOT = 25.4 / 203
/** `ESC z 1`; lines of 3 mm count as much. */
const LINE_MM = 4
const LETTER_MM = 3
/** A QR code that the printer draws. */
const QR_MM = 30

/** Measures how far a job moves the paper at most. Pass the segments in order, each of whole commands. */
export function createStarMeter(): (segment: Uint8Array) => number {
  let inRaster = false
  /** How many times as high as usual the highest letters in this line are. */
  let highest = 1

  function line(): number {
    const mm = Math.max(LINE_MM, highest * LETTER_MM)
    highest = 1
    return mm
  }

  return measuring((bytes, at) => {
    const word = (offset: number) => (bytes[at + offset] ?? 0) + 256 * (bytes[at + offset + 1] ?? 0)
    if (inRaster && bytes[at] === ROW) return [3 + word(1), MM_PER_DOT]
    if (bytes[at] === LF) return [1, line()]
    if (bytes[at] !== ESC) return [1, 0]
    const letters = Buffer.from(bytes.subarray(at + 1, at + 4)).toString('latin1')
    if (letters.startsWith('*r')) {
      if (letters === '*rA') inRaster = true
      if (letters === '*rB') inRaster = false
      if (letters !== '*rY') return [4, 0]
      return [4, Number.parseInt(Buffer.from(bytes.subarray(at + 4, at + 9)).toString('latin1'), 10) * MM_PER_DOT]
    }
    if (letters.startsWith('X')) return [4 + 3 * word(2), 0]
    if (letters.startsWith('J')) return [3, (bytes[at + 2] ?? 0) / 4]
    if (letters.startsWith('a')) return [3, (bytes[at + 2] ?? 0) * LINE_MM]
    if (letters.startsWith('i')) {
      highest = Math.max(highest, (bytes[at + 2] ?? 0) + 1)
      return [4, 0]
    }
    if (letters === '\x1dyP') return [4, QR_MM]
    if (letters === '\x1dyD') return [8 + word(6), 0]
    return [2, 0]
  })
}
