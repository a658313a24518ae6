import type { PaperMeter } from '../encoding/paper-meter.ts'

export interface PrinterBufferOptions {
  elapsed: () => number
  measure: PaperMeter
  mmPerS: number
  msPerByte: number
  /** The most unprinted bytes that the printer may have. */
  mostBytes: number
}

/** Estimates which bytes the printer has, but may not have printed yet, assuming a slow printer. */
export function createPrinterBuffer({ elapsed, measure, mmPerS, msPerByte, mostBytes }: PrinterBufferOptions) {
  let waiting: { bytes: number; ms: number; outAt: number }[] = []
  let arrivedAt = 0
  let heardAt = 0

  return {
    /** Call when the segment is sent. */
    add(segment: Uint8Array): void {
      arrivedAt = Math.max(arrivedAt, elapsed()) + segment.length * msPerByte
      const ms = (measure(segment) * 1000) / mmPerS
      const beginsAt = Math.max(arrivedAt, waiting.at(-1)?.outAt ?? 0)
      waiting.push({ bytes: segment.length, ms, outAt: beginsAt + ms })
    },
    /** Milliseconds until the printer has room for that many bytes. */
    roomInMs(bytes: number): number {
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
    /** Milliseconds until everything is printed. */
    leftMs: (): number => Math.max(0, (waiting.at(-1)?.outAt ?? 0) - elapsed()),
    /** Call when the printer reported whether it prints. If it does not, nothing was printed since its last report. */
    heard(goes: boolean): void {
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
    /** Call when everything is printed. */
    clear(): void {
      waiting = []
    },
  }
}
