import { PNG } from 'pngjs'
import { DASHBOARD_BOUNDS } from '../bounds.ts'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** The first chunk of a PNG says how large its picture is. */
const SIZE = { width: 16, height: 20, end: 24 }

/** What is wrong with a file as a logo, told by its bytes; null for nothing. */
export function faultOfLogo(file: Buffer): 'large' | 'format' | 'pixels' | null {
  if (file.length > DASHBOARD_BOUNDS.logoFile.most) return 'large'
  if (file.length < SIZE.end || !file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return 'format'
  // Before it is unpacked: a few bytes can hold very many equal pixels.
  const longest = Math.max(file.readUInt32BE(SIZE.width), file.readUInt32BE(SIZE.height))
  if (longest > DASHBOARD_BOUNDS.logoPixels.most) return 'pixels'
  try {
    PNG.sync.read(file)
    return null
  } catch {
    return 'format'
  }
}
