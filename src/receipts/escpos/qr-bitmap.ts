import type { QrSymbol } from './qr.ts'
import type { Bitmap } from './raster.ts'

/** Draws a symbol without its margin, centred in whole bytes and then moved `offset` dots to the right. */
export function qrBitmap({ modules, moduleDots, dark }: QrSymbol, offset: number): Bitmap {
  const side = modules * moduleDots
  const rowBytes = Math.ceil((side + offset) / 8)
  const left = offset + ((rowBytes * 8 - side - offset) >> 1)
  const bits = new Uint8Array(rowBytes * side)
  for (let row = 0; row < modules; row += 1) {
    const line = bits.subarray(row * moduleDots * rowBytes, (row * moduleDots + 1) * rowBytes)
    for (let x = 0; x < side; x += 1) {
      if (!dark(row, Math.floor(x / moduleDots))) continue
      const dot = x + left
      line[dot >> 3] = (line[dot >> 3] ?? 0) | (0x80 >> (dot & 7))
    }
    for (let copy = 1; copy < moduleDots; copy += 1) bits.set(line, (row * moduleDots + copy) * rowBytes)
  }
  return { rowBytes, rows: side, bits }
}
