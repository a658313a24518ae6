import { invalidRequest } from '../../domain/errors.ts'
import { RECEIPT_BOUNDS } from '../bounds.ts'
import { load } from '../lazy-packages.ts'
import { type Gray, scaled } from './gray.ts'
import { readPng } from './read-png.ts'

/** Of a printer with 203 dpi; a stored logo has this size. */
export const DOTS_PER_MM = 8
/** What a logo gets by itself: the width of 80 mm paper, and a height that costs little of it. */
const [WIDEST_MM, USUAL_HEIGHT_MM] = [72, 15]
/** Darker than this something can be seen on paper. */
const VISIBLE = 200

/**
 * A logo as it is stored: a PNG in shades of gray, as large as it is printed, eight dots to the millimetre.
 * @param widthMm undefined: at most 15 mm high and never larger than the picture
 * @throws FiskError `invalid_request` (`file`, `width_mm`)
 */
export function preparedLogo(file: Buffer, widthMm?: number): Buffer {
  const picture = readPng(file)
  if (!picture.shades.some((shade) => shade < VISIBLE)) {
    throw invalidRequest('file', 'the logo is blank: on white paper nothing of it would be seen', 'logo_blank')
  }
  const { width, height } = sizeOf(picture, widthMm)
  const logo = pngOf(scaled(picture, width, height))
  if (logo.length <= RECEIPT_BOUNDS.logoStored.most) return logo
  throw invalidRequest('file', 'the logo has too many shades, as a photograph: use a drawing, or a smaller width_mm')
}

function sizeOf({ width, height }: Gray, widthMm?: number): { width: number; height: number } {
  const factor =
    widthMm === undefined
      ? Math.min(1, (WIDEST_MM * DOTS_PER_MM) / width, (USUAL_HEIGHT_MM * DOTS_PER_MM) / height)
      : (widthMm * DOTS_PER_MM) / width
  const size = { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
  const high = Math.ceil(size.height / DOTS_PER_MM)
  const { most } = RECEIPT_BOUNDS.logoHeightMm
  if (high <= most) return size
  throw invalidRequest('width_mm', `the logo would be ${high} mm high: choose a width that makes it at most ${most} mm`)
}

function pngOf({ width, height, shades }: Gray): Buffer {
  const { PNG } = load<typeof import('pngjs')>('pngjs')
  const image = { width, height, data: Buffer.from(shades) } as InstanceType<typeof PNG>
  return PNG.sync.write(image, { colorType: 0, inputColorType: 0, inputHasAlpha: false, bitDepth: 8 })
}
