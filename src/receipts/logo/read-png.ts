import { inflateSync } from 'node:zlib'
import { invalidRequest } from '../../domain/errors.ts'
import { RECEIPT_BOUNDS } from '../bounds.ts'
import { load } from '../lazy-packages.ts'
import type { Gray } from './gray.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Length, type and check sum of a chunk, beside its data. */
const CHUNK_BYTES = 12
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * What is transparent is white, and of an animation the first picture counts. A few bytes can hold very many equal
 * dots, so that sizes are checked before anything is unpacked. @throws FiskError `invalid_request` (`file`)
 */
export function readPng(file: Buffer): Gray {
  requireSmall(file)
  const { width, height, data } = unpacked(file)
  const shades = new Uint8Array(width * height)
  for (let at = 0; at < shades.length; at += 1) {
    // By index: a million small arrays would keep sales waiting.
    const part = (channel: number) => data[at * 4 + channel] ?? 0
    const brightness = 0.299 * part(0) + 0.587 * part(1) + 0.114 * part(2)
    shades[at] = Math.round(255 - ((255 - brightness) * part(3)) / 255)
  }
  return { width, height, shades }
}

const noPng = (why: string) => invalidRequest('file', `the logo must be a PNG picture: ${why}`, 'logo_format')

function requireSmall(file: Buffer): void {
  const isPng = file.subarray(0, 8).equals(SIGNATURE) && file.subarray(12, 16).toString('latin1') === 'IHDR'
  if (!isPng || file.length < 33) throw noPng('this file is none')
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  if (width === 0 || height === 0) throw noPng('it has no dots')
  const { logoSide, logoDots } = RECEIPT_BOUNDS
  if (Math.max(width, height) > logoSide.most || width * height > logoDots.most) {
    const most = `${logoSide.most} dots to a side and ${logoDots.most} in all`
    throw invalidRequest('file', `the logo is ${width} x ${height} dots: at most ${most} are read`, 'logo_pixels')
  }
  const channels = CHANNELS[file.readUInt8(25)] ?? 4
  const rowBytes = 1 + Math.ceil((width * channels * file.readUInt8(24)) / 8)
  // Seven passes of an interlaced picture have more row heads, and rows that end with a part of a byte.
  const most = height * rowBytes * 2 + 16 * (width + height)
  try {
    inflateSync(Buffer.concat(picturesIn(file)), { maxOutputLength: most })
  } catch {
    throw noPng('it is damaged')
  }
}

/** The compressed data of the picture. @throws Error for a second size, which the decoder would use unchecked */
function picturesIn(file: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let at = SIGNATURE.length; at + CHUNK_BYTES <= file.length; ) {
    const length = file.readUInt32BE(at)
    const type = file.subarray(at + 4, at + 8).toString('latin1')
    if (type === 'IHDR' && at > SIGNATURE.length) throw new Error('a PNG file has one IHDR')
    if (type === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length))
    at += length + CHUNK_BYTES
  }
  return parts
}

/** Red, green, blue and opacity of each dot. */
function unpacked(file: Buffer): { width: number; height: number; data: Buffer } {
  const { PNG } = load<typeof import('pngjs')>('pngjs')
  try {
    return PNG.sync.read(file)
  } catch {
    throw noPng('it is damaged')
  }
}
