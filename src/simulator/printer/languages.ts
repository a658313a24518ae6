import { CUSTOM } from './custom/language.ts'
import { ESCPOS } from './escpos/language.ts'
import type { Language } from './language.ts'
import type { Model } from './model.ts'
import { STAR_LINE, STAR_RASTER } from './star/language.ts'

export function languageOf({ commands, maker }: Model): Language {
  if (commands === 'star_line') return STAR_LINE
  if (commands === 'star_raster') return STAR_RASTER
  return maker === 'custom' ? CUSTOM : ESCPOS
}
