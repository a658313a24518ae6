const LF = 0x0a
const ESC = 0x1b
const GS = 0x1d
const MM_PER_INCH = 25.4
const CHARACTER_DOTS = 24
/** Height of a line: a sixth of an inch; some makers feed less. */
const LINE_MM = 4.3
/** A QR code that the printer draws. */
const QR_MM = 30

const is = (bytes: Uint8Array, at: number, prefix: number, letter: string) =>
  bytes[at] === prefix && bytes[at + 1] === letter.charCodeAt(0)

/**
 * Measures how far the paper moves for a job at most: lines by their height, pictures by their rows. Pass the segments
 * in order; unknown commands count as no movement.
 * @returns a function that returns the millimetres for a segment
 */
export function createPaperMeter(dpi: number): (segment: Uint8Array) => number {
  /** Height of the current letters, and of the highest letters in this line, in lines. */
  let height = 1
  let highest = 1

  function line(): number {
    const mm = Math.max(LINE_MM, (highest * CHARACTER_DOTS * MM_PER_INCH) / dpi)
    highest = height
    return mm
  }

  return (bytes) => {
    const word = (at: number) => (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
    let mm = 0
    for (let at = 0; at < bytes.length; ) {
      if (is(bytes, at, GS, 'v')) {
        const isDoubleHeight = ((bytes[at + 3] ?? 0) & 2) !== 0
        mm += (word(at + 6) * (isDoubleHeight ? 2 : 1) * MM_PER_INCH) / dpi
        at += 8 + word(at + 4) * word(at + 6)
      } else if (is(bytes, at, GS, '(')) {
        const draws = bytes[at + 2] === 0x6b && bytes[at + 6] === 81
        if (draws) mm += QR_MM
        at += 5 + word(at + 3)
      } else if (is(bytes, at, GS, '!')) {
        height = ((bytes[at + 2] ?? 0) & 7) + 1
        highest = Math.max(highest, height)
        at += 3
      } else if (is(bytes, at, ESC, '@')) {
        height = 1
        highest = 1
        at += 2
      } else if (is(bytes, at, ESC, '*')) {
        // Columns of one byte, or of three with 24 dots; they stand in a line.
        at += 5 + word(at + 3) * ((bytes[at + 2] ?? 0) >= 32 ? 3 : 1)
      } else if (is(bytes, at, ESC, 'd')) {
        for (let lines = bytes[at + 2] ?? 0; lines > 0; lines -= 1) mm += line()
        at += 3
      } else {
        if (bytes[at] === LF) mm += line()
        at += 1
      }
    }
    return mm
  }
}
