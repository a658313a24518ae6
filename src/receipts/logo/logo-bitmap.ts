import { attempt } from '../../domain/attempt.ts'
import { type Bitmap, blacken, blankBitmap } from '../drawing/bitmap.ts'
import { withoutCommands } from '../escpos/raster.ts'
import { type Gray, scaled } from './gray.ts'
import { DOTS_PER_MM } from './prepare-logo.ts'
import { readPng } from './read-png.ts'

/** Of each logo the pictures for some papers; they are drawn once and then the same object. */
const drawn = new Map<string, Bitmap | null>()
const MOST_DRAWN = 32

/** Shades up to here are black, and from here on white. */
const [DARK, LIGHT] = [40, 224]

/** A stored logo in dots, dithered, never wider than the paper; drawn once for each hash. @returns null for no logo */
export function logoBitmap(
  { hash, file }: { hash: string; file: Buffer },
  { width: paperWidth, dpi }: { width: number; dpi: number },
): Bitmap | null {
  // The dots are sent in whole bytes.
  const width = paperWidth & ~7
  const key = `${hash} ${width} ${dpi}`
  const known = drawn.get(key)
  if (known !== undefined) return known
  if (drawn.size >= MOST_DRAWN) drawn.clear()
  const bitmap = draw(file, width, dpi)
  drawn.set(key, bitmap)
  return bitmap
}

function draw(file: Buffer, most: number, dpi: number): Bitmap | null {
  const picture = attempt(() => readPng(file), null)
  if (picture === null) return null
  const size = Math.min(most / picture.width, dpi / 25.4 / DOTS_PER_MM)
  const [width, height] = [picture.width, picture.height].map((dots) => Math.max(1, Math.round(dots * size)))
  const bitmap = dithered(scaled(picture, Math.min(most, width ?? 1), height ?? 1))
  // A printer acts on real-time commands inside of a picture, too.
  return { ...bitmap, bits: withoutCommands(bitmap.bits) }
}

/** Black dots for shades (Floyd and Steinberg), in whole bytes: the picture is sent as it is. */
function dithered({ width, height, shades }: Gray): Bitmap {
  const spare = -width & 7
  const bitmap = blankBitmap(width + spare, height)
  const left = spare >> 1
  let here = new Float64Array(width + 2)
  for (let y = 0; y < height; y += 1) {
    const below = new Float64Array(width + 2)
    for (let x = 0; x < width; x += 1) {
      const shade = stretched(shades[y * width + x] ?? 255) + (here[x + 1] ?? 0)
      const isBlack = shade < 128
      if (isBlack) blacken(bitmap, left + x, y)
      const error = shade - (isBlack ? 0 : 255)
      here[x + 2] = (here[x + 2] ?? 0) + (error * 7) / 16
      below[x] = (below[x] ?? 0) + (error * 3) / 16
      below[x + 1] = (below[x + 1] ?? 0) + (error * 5) / 16
      below[x + 2] = (below[x + 2] ?? 0) + error / 16
    }
    here = below
  }
  return bitmap
}

/** What is nearly black or nearly white has no single dots of the other kind. */
const stretched = (shade: number): number => Math.min(255, Math.max(0, ((shade - DARK) * 255) / (LIGHT - DARK)))
