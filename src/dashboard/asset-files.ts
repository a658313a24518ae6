import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Views and assets lie beside the sources; the bundle has them in `dist/dashboard`. */
export const VIEWS = existsSync(join(import.meta.dirname, 'layout.eta'))
  ? import.meta.dirname
  : join(import.meta.dirname, '../dashboard')
export const ASSETS = join(VIEWS, 'assets')

/** The address of an asset names its content: browsers keep it for ever, and ask anew when it has changed. */
export function assetAddresses(): Record<string, string> {
  const addressOf = (file: string) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(ASSETS, file)))
      .digest('hex')
    return `/dashboard/assets/${file}?v=${hash.slice(0, 12)}`
  }
  // The bundle has each a second time, compressed.
  const files = readdirSync(ASSETS).filter((file) => !file.endsWith('.gz'))
  return Object.fromEntries(files.map((file) => [file, addressOf(file)]))
}
