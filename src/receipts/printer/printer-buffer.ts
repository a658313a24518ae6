import { createPaperMeter } from '../escpos/paper-length.ts'

/** What the printer has and, as a slow one prints, may not be on paper yet. */
export interface PrinterBuffer {
  /** It goes to the line now. */
  add(segment: Uint8Array): void
  /** How long until the printer has room for so many bytes. */
  roomInMs(bytes: number): number
  /** How long until all of it is out. */
  leftMs(): number
  /** The printer has just said whether it goes. When it stands, nothing came out since it last said something. */
  heard(goes: boolean): void
  /** All of it is out. */
  clear(): void
}

export interface PrinterBufferOptions {
  elapsed: () => number
  dpi: number
  /** How fast a slow printer is. */
  mmPerS: number
  /** How long a byte is on the wire. */
  msPerByte: number
  /** So much the printer may have. */
  mostBytes: number
}

export function createPrinterBuffer({
  elapsed,
  dpi,
  mmPerS,
  msPerByte,
  mostBytes,
}: PrinterBufferOptions): PrinterBuffer {
  const measure = createPaperMeter(dpi)
  let waiting: { bytes: number; ms: number; outAt: number }[] = []
  /** When the last byte has arrived. */
  let arrivedAt = 0
  let heardAt = 0

  return {
    add(segment) {
      arrivedAt = Math.max(arrivedAt, elapsed()) + segment.length * msPerByte
      const ms = (measure(segment) * 1000) / mmPerS
      const beginsAt = Math.max(arrivedAt, waiting.at(-1)?.outAt ?? 0)
      waiting.push({ bytes: segment.length, ms, outAt: beginsAt + ms })
    },
    roomInMs(bytes) {
      const now = elapsed()
      const left = waiting.filter(({ outAt }) => outAt > now)
      let unprinted = left.reduce((sum, piece) => sum + piece.bytes, bytes)
      let roomAt = now
      for (const piece of left) {
        if (unprinted <= mostBytes) break
        unprinted -= piece.bytes
        roomAt = piece.outAt
      }
      return roomAt - now
    },
    leftMs: () => Math.max(0, (waiting.at(-1)?.outAt ?? 0) - elapsed()),
    heard(goes) {
      const now = elapsed()
      const stoodMs = goes ? 0 : now - heardAt
      let latest = Math.max(now, arrivedAt)
      waiting = waiting
        .filter(({ outAt }) => outAt + stoodMs > now)
        .map((piece) => {
          latest += piece.ms
          return { ...piece, outAt: Math.min(piece.outAt + stoodMs, latest) }
        })
      heardAt = now
    },
    clear() {
      waiting = []
    },
  }
}
