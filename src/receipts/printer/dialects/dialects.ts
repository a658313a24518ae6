import type { PrinterSettings } from '../../../domain/printer.ts'
import { CUSTOM } from './custom.ts'
import type { Dialect } from './dialect.ts'
import { EPSON } from './epson.ts'
import { STAR, STAR_RASTER } from './star.ts'

/** The language in which a printer with these settings answers. */
export function dialectOf({ commands, confirm }: Pick<PrinterSettings, 'commands' | 'confirm'>): Dialect {
  if (commands === 'star_raster') return STAR_RASTER
  if (commands === 'star_line') return STAR
  return confirm === 'custom' ? CUSTOM : EPSON
}
