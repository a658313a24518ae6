import { load } from '../lazy-packages.ts'

const QUIET_MODULES = 4
/** 49 modules with the margin are 588 pixels, which a screen shows at 25 mm or more without a blur. */
const PIXELS_PER_MODULE = 12

export async function screenCode(form: 'png' | 'svg', text: string): Promise<Buffer> {
  const { toBuffer, toString: drawn } = load<typeof import('qrcode')>('qrcode')
  const options = { errorCorrectionLevel: 'M', margin: QUIET_MODULES } as const
  if (form === 'svg') return Buffer.from(await drawn(text, { ...options, type: 'svg' }))
  return toBuffer(text, { ...options, type: 'png', scale: PIXELS_PER_MODULE })
}
