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

/** @returns how many bytes the command at a place has, and how many millimetres it moves the paper */
type ReadCommand = (bytes: Uint8Array, at: number) => [length: number, mm: number]

export const measuring =
  (read: ReadCommand) =>
  (bytes: Uint8Array): number => {
    let mm = 0
    for (let at = 0; at < bytes.length; ) {
      const [length, moved] = read(bytes, at)
      mm += moved
      at += length
    }
    return mm
  }

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

  return measuring((bytes, at) => {
    const word = (offset: number) => (bytes[at + offset] ?? 0) + 256 * (bytes[at + offset + 1] ?? 0)
    const n = bytes[at + 2] ?? 0
    if (bytes[at] === LF) return [1, line()]
    if (bytes[at] !== ESC && bytes[at] !== GS) {
      grow(state.font * state.scale)
      return [1, 0]
    }
    switch (Buffer.from(bytes.subarray(at, at + 2)).toString('latin1')) {
      case '\x1dv':
        // Twice as high where bit 1 is set.
        return [8 + word(4) * word(6), mmOf(word(6) * ((bytes[at + 3] ?? 0) & 2 ? 2 : 1))]
      case '\x1d(':
        return [5 + word(3), n === 0x6b && bytes[at + 6] === 81 ? QR_MM : 0]
      case '\x1d!':
        state.scale = (n & 7) + 1
        return [3, 0]
      case '\x1dP':
        return [4, 0]
      case '\x1b@':
        state = { ...start }
        return [2, 0]
      case '\x1b2':
        state.spacingMm = LINE_MM
        return [2, 0]
      case '\x1b3':
        state.spacingMm = mmOf(n)
        return [3, 0]
      case '\x1bM':
        state.font = n & 1 ? SMALL_ROWS : CHARACTER_ROWS
        return [3, 0]
      case '\x1bJ':
        return [3, mmOf(n)]
      case '\x1b*':
        grow(CHARACTER_ROWS)
        return [5 + word(3) * (n >= 32 ? 3 : 1), 0]
      case '\x1bd':
        return [3, Array.from({ length: n }, line).reduce((sum, mm) => sum + mm, 0)]
      default:
        // The byte after it is part of the command, not a letter.
        return [2, 0]
    }
  })
}
