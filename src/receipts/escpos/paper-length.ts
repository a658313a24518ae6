const LF = 0x0a
const ESC = 0x1b
const GS = 0x1d
const MM_PER_INCH = 25.4
/** Rows of font A, of font B where it is low, and of a strip of `ESC *`. */
const CHARACTER_ROWS = 24
const SMALL_ROWS = 17
/** Usual height of a line: a sixth of an inch; some makers feed less. */
const LINE_MM = 4.3
/** A QR code that the printer draws. */
const QR_MM = 30

const is = (bytes: Uint8Array, at: number, prefix: number, letter: string) =>
  bytes[at] === prefix && bytes[at + 1] === letter.charCodeAt(0)

/** How far the paper moves at most, by lines and pictures. Pass segments in order; unknown commands move nothing. */
export function createPaperMeter(dpi: number): (segment: Uint8Array) => number {
  const mmOf = (rows: number) => (rows * MM_PER_INCH) / dpi
  /** What `ESC @` sets. */
  const start = { scale: 1, font: CHARACTER_ROWS, highest: 0, spacingMm: LINE_MM }
  let state = { ...start }

  /** A line is as high as its highest letters or its picture, at least as the spacing. */
  function line(): number {
    const mm = Math.max(state.spacingMm, mmOf(state.highest))
    state.highest = 0
    return mm
  }

  function grow(rows: number): void {
    state.highest = Math.max(state.highest, rows)
  }

  return (bytes) => {
    const word = (at: number) => (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0)
    let mm = 0
    for (let at = 0; at < bytes.length; ) {
      const n = bytes[at + 2] ?? 0
      if (is(bytes, at, GS, 'v')) {
        // Twice as high where bit 1 is set.
        mm += mmOf(word(at + 6) * ((bytes[at + 3] ?? 0) & 2 ? 2 : 1))
        at += 8 + word(at + 4) * word(at + 6)
      } else if (is(bytes, at, GS, '(')) {
        const draws = n === 0x6b && bytes[at + 6] === 81
        if (draws) mm += QR_MM
        at += 5 + word(at + 3)
      } else if (is(bytes, at, GS, '!')) {
        state.scale = (n & 7) + 1
        at += 3
      } else if (is(bytes, at, GS, 'P')) {
        at += 4
      } else if (is(bytes, at, ESC, '@')) {
        state = { ...start }
        at += 2
      } else if (is(bytes, at, ESC, '2')) {
        state.spacingMm = LINE_MM
        at += 2
      } else if (is(bytes, at, ESC, '3')) {
        state.spacingMm = mmOf(n)
        at += 3
      } else if (is(bytes, at, ESC, 'M')) {
        state.font = n & 1 ? SMALL_ROWS : CHARACTER_ROWS
        at += 3
      } else if (is(bytes, at, ESC, 'J')) {
        mm += mmOf(n)
        at += 3
      } else if (is(bytes, at, ESC, '*')) {
        grow(CHARACTER_ROWS)
        at += 5 + word(at + 3) * (n >= 32 ? 3 : 1)
      } else if (is(bytes, at, ESC, 'd')) {
        for (let lines = n; lines > 0; lines -= 1) mm += line()
        at += 3
      } else if (bytes[at] === ESC || bytes[at] === GS) {
        // The byte after it is part of the command, not a letter.
        at += 2
      } else {
        if (bytes[at] === LF) mm += line()
        else grow(state.font * state.scale)
        at += 1
      }
    }
    return mm
  }
}
