import { type Bitmap, blankBitmap, drawOn } from '../drawing/bitmap.ts'

const BAND_ROWS = 255
const DLE = 0x10
const REAL_TIME = [0x04, 0x05, 0x14]

/** `double`: each dot of the picture is two dots wide and high on paper. */
export type RasterSize = 'normal' | 'double'

/**
 * The commands (`GS v 0`) that print a picture, in bands. Printers act on real-time commands even inside of image data,
 * so that a picture could clear the buffer or ask for a status: the picture is moved by some dots, or cut into other
 * bands, until no such sequence is left. A QR code with modules of two dots or more never has one, since a byte 0x10 is
 * a single dot between two blank ones.
 * @param bandBytes bytes per band; bands are short because a printer waits for the rest of an interrupted band
 * @throws Error when no offset or band size helps, which happens only with a crafted picture
 */
export function rasterBands(picture: Bitmap, bandBytes: number, size: RasterSize = 'normal'): Uint8Array[] {
  for (let offset = 0; offset < 16; offset += 1) {
    const bitmap = moved(picture, offset)
    const most = Math.max(1, Math.min(BAND_ROWS, Math.floor(bandBytes / bitmap.rowBytes)))
    for (let rows = most; rows > Math.max(0, most - 8); rows -= 1) {
      const bands = cut(bitmap, rows, size)
      if (!hasRealTimeCommand(Buffer.concat(bands))) return bands
    }
  }
  throw new Error('the picture cannot be sent without a real-time command in it')
}

/** Adds a dot where a real-time command would be. Not for a QR code. @param head how many bytes are no dots */
export function withoutCommands(bytes: Uint8Array, head = 0): Uint8Array {
  const changed = Uint8Array.from(bytes)
  for (let at = head; at + 1 < changed.length; at += 1) {
    if (isCommand(changed, at)) changed[at] = DLE | (DLE >> 1)
  }
  return changed
}

/** Whether `DLE EOT`, `DLE ENQ` or `DLE DC4` is anywhere in the bytes. */
export function hasRealTimeCommand(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(DLE); at !== -1; at = bytes.indexOf(DLE, at + 1)) if (isCommand(bytes, at)) return true
  return false
}

function isCommand(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === DLE && REAL_TIME.includes(bytes[at + 1] ?? 0)
}

/** Centred in whole bytes, and then moved some dots to the right. */
function moved(picture: Bitmap, offset: number): Bitmap {
  const spare = -(picture.width + offset) & 7
  const wider = blankBitmap(picture.width + offset + spare, picture.rows)
  drawOn(wider, picture, offset + (spare >> 1), 0)
  return wider
}

function cut({ rowBytes, rows, bits }: Bitmap, bandRows: number, size: RasterSize): Uint8Array[] {
  const bands: Uint8Array[] = []
  for (let start = 0; start < rows; start += bandRows) {
    const data = bits.subarray(start * rowBytes, Math.min(rows, start + bandRows) * rowBytes)
    const height = data.length / rowBytes
    const m = size === 'double' ? 3 : 0
    const head = [0x1d, 0x76, 0x30, m, rowBytes & 0xff, rowBytes >> 8, height & 0xff, height >> 8]
    bands.push(Uint8Array.from([...head, ...data]))
  }
  return bands
}
