import type { PrinterSettings } from '../../domain/printer.ts'
import { placesBeside, qrSymbol } from '../drawing/qr.ts'
import { TEXT_SIZES, type TextSize } from './blocks.ts'
import { printable } from './letters.ts'
import { CHARACTER_DOTS, type FontSettings, fontOf, paperDots } from './metrics.ts'

/** What can stand on a line of a paper. All widths are in dots. */
export interface Paper {
  width: number
  dpi: number
  characters: Readonly<Record<TextSize, number>>
  /** Characters of normal size that a line beside a small QR code with this payload has. */
  besideQr: (payload: string) => number
  /** Makes a text printable. Every text is converted before its characters are counted. */
  letters: (text: string) => string
}

export function paperOf(
  settings: FontSettings & Pick<PrinterSettings, 'encoding'> & Partial<Pick<PrinterSettings, 'dpi'>>,
): Paper {
  const width = paperDots(settings)
  const dpi = settings.dpi ?? 203
  /** The conversion is the slowest part of a layout, and asked for the same texts several times. */
  const letters = new Map<string, string>()
  const widths = TEXT_SIZES.map((size) => [size, fontOf(size, settings).width])
  return {
    width,
    dpi,
    characters: Object.fromEntries(widths),
    besideQr(payload) {
      const { textLeft } = placesBeside(qrSymbol(payload, { ...settings, dpi }, { drawn: true, tight: true }))
      return Math.floor((width - textLeft) / CHARACTER_DOTS)
    },
    letters(text) {
      const known = letters.get(text) ?? printable(text, settings.encoding)
      letters.set(text, known)
      return known
    },
  }
}

/** How many characters of a size fit on a line. */
export function columnsOf({ width, characters }: Paper, size: TextSize = 'normal'): number {
  return Math.floor(width / characters[size])
}
