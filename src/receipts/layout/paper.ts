import type { PrinterSettings } from '../../domain/printer.ts'
import { TEXT_SIZES, type TextSize } from './blocks.ts'
import { printable } from './letters.ts'
import { type FontSettings, fontOf, paperDots } from './metrics.ts'

/** What can stand on a line of a paper. All widths are in dots. */
export interface Paper {
  width: number
  dpi: number
  characters: Readonly<Record<TextSize, number>>
  /** Makes a text printable. Every text is converted before its characters are counted. */
  letters: (text: string) => string
}

/** The paper as a printer with these settings can fill it. */
export function paperOf(
  settings: FontSettings & Pick<PrinterSettings, 'encoding'> & Partial<Pick<PrinterSettings, 'dpi'>>,
): Paper {
  const widths = TEXT_SIZES.map((size) => [size, fontOf(size, settings).width])
  return {
    width: paperDots(settings),
    dpi: settings.dpi ?? 203,
    characters: Object.fromEntries(widths),
    letters: (text) => printable(text, settings.encoding),
  }
}

/** How many characters of a size fit on a line. */
export function columnsOf({ width, characters }: Paper, size: TextSize = 'normal'): number {
  return Math.floor(width / characters[size])
}
