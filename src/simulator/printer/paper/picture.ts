import { PNG } from 'pngjs'
import type { Bitmap } from './bitmap.ts'

/** A PNG with one pixel per dot and a white margin of `margin` dots. */
export function picture(bitmap: Bitmap, margin: number): Buffer {
  const width = bitmap.width + 2 * margin
  const height = bitmap.height + 2 * margin
  const png = new PNG({ width, height, colorType: 0, inputColorType: 0, inputHasAlpha: false, bitDepth: 8 })
  const pixels = Buffer.alloc(width * height, 0xff)
  for (let y = 0; y < bitmap.height; y++) {
    const start = (y + margin) * width + margin
    bitmap.row(y).forEach((byte, index) => {
      for (let bit = 0; byte !== 0 && bit < 8; bit++) if (byte & (0x80 >> bit)) pixels[start + index * 8 + bit] = 0
    })
  }
  png.data = pixels
  return PNG.sync.write(png, { colorType: 0, inputColorType: 0, inputHasAlpha: false, bitDepth: 8, filterType: 0 })
}
