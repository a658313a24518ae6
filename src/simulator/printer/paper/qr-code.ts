import qrcode from 'qrcode'
import { Bitmap } from './bitmap.ts'

export type QrLevel = 'L' | 'M' | 'Q' | 'H'

/** The settings and data stored by `GS ( k`; a module has 1 to 16 dots. */
export type QrSettings = ReturnType<typeof defaultQr>

export const defaultQr = () => ({ module: 3, level: 'L' as QrLevel, data: new Uint8Array() })

/** Draws the code without a margin, as printers do. @returns undefined when no data is stored or it is too long */
export function drawQr({ module, level, data }: QrSettings): Bitmap | undefined {
  if (data.length === 0) return undefined
  const ascii = data.every((byte) => byte < 0x80)
  const bytes = [{ data: new Uint8ClampedArray(data), mode: 'byte' as const }]
  const content = ascii ? Buffer.from(data).toString('latin1') : bytes
  let modules: qrcode.BitMatrix
  try {
    modules = qrcode.create(content, { errorCorrectionLevel: level }).modules
  } catch {
    return undefined
  }
  const side = modules.size * module
  const symbol = new Bitmap(side, side)
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      symbol.set(x, y, Boolean(modules.get(Math.floor(y / module), Math.floor(x / module))))
    }
  }
  return symbol
}
