import { type Bitmap, blacken, blankBitmap } from './bitmap.ts'
import type { QrSymbol } from './qr.ts'

/** Draws a symbol without its margin. @param moduleDots dots per module, if others than it will have on paper */
export function qrBitmap(
  { modules, dark, ...symbol }: QrSymbol,
  moduleDots: { x: number; y: number } = { x: symbol.moduleDots, y: symbol.moduleDots },
): Bitmap {
  const { x, y } = moduleDots
  const bitmap = blankBitmap(modules * x, modules * y)
  for (let row = 0; row < modules; row += 1) {
    for (let column = 0; column < modules; column += 1) if (dark(row, column)) blacken(bitmap, column * x, row * y, x)
    const drawn = bitmap.bits.subarray(row * y * bitmap.rowBytes, (row * y + 1) * bitmap.rowBytes)
    for (let copy = 1; copy < y; copy += 1) bitmap.bits.set(drawn, (row * y + copy) * bitmap.rowBytes)
  }
  return bitmap
}
