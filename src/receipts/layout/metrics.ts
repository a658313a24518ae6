import type { PrinterSettings } from '../../domain/printer.ts'
import type { Line, TextSize } from './blocks.ts'

/** Font A: the paper is as wide as its characters. */
export const CHARACTER_DOTS = 12
const CHARACTER_ROWS = 24
/** Rows of a strip of a picture, which are those of a line beside a QR code. */
export const STRIP_ROWS = 24
/** Font B is 9 x 17 dots, and 10 x 24 where it has ten [V: Epson]. */
const SMALL_ROWS: Record<number, number> = { 9: 17, 10: 24 }
/** Distance from the top of a line to the top of the next, as printers have it by default (3.75 mm at 203 dpi). */
const USUAL_ROWS = 30
/** Blank rows below the letters of a tight line. */
const SMALL_LEADING = 3
const LEADING = 2

export type FontSettings = Pick<PrinterSettings, 'columns' | 'smallFontDots'>

export const paperDots = ({ columns }: Pick<PrinterSettings, 'columns'>): number => columns * CHARACTER_DOTS

/** Size of a character in dots, with the blank space around it. A printer without a small font has the normal one. */
export function fontOf(
  size: TextSize,
  { smallFontDots }: Pick<PrinterSettings, 'smallFontDots'>,
): { width: number; height: number } {
  if (size === 'small' && smallFontDots > 0)
    return { width: smallFontDots, height: SMALL_ROWS[smallFontDots] ?? CHARACTER_ROWS }
  const [x, y] = SCALES[size]
  return { width: CHARACTER_DOTS * x, height: CHARACTER_ROWS * y }
}

/** How many times as wide and as high as its font a character is. */
export const SCALES: Record<TextSize, readonly [x: number, y: number]> = {
  small: [1, 1],
  normal: [1, 1],
  tall: [1, 2],
  double: [2, 2],
}

/**
 * Whether lengths can be set to the dot. Printers with the small font know the command for it (`GS P`) [V: Epson,
 * Citizen, Bixolon; S: Xprinter]; what a unit of the others is, a dot or half of one, is unknown.
 */
export const hasExactFeed = ({ smallFontDots }: Pick<PrinterSettings, 'smallFontDots'>): boolean => smallFontDots > 0

/** The line spacing of a line, in dots; a line is at least as high as its letters. */
export function spacingOf(line: Line, settings: Pick<PrinterSettings, 'smallFontDots'>): number {
  if (!line.tight) return USUAL_ROWS
  // Where half a dot may be the unit, this is no more than the letters either way.
  if (!hasExactFeed(settings)) return CHARACTER_ROWS
  const height = lettersOf(line, settings)
  return height + (height < CHARACTER_ROWS ? SMALL_LEADING : LEADING)
}

/** How far a line moves the paper, in dots. */
export function rowsOf(line: Line, settings: Pick<PrinterSettings, 'smallFontDots'>): number {
  return Math.max(spacingOf(line, settings), lettersOf(line, settings))
}

function lettersOf({ spans }: Line, settings: Pick<PrinterSettings, 'smallFontDots'>): number {
  const heights = spans.map(({ size }) => fontOf(size, settings).height)
  return spans.length === 0 ? CHARACTER_ROWS : Math.max(...heights)
}

/** A gap in dots. Where lengths are not exact, one of half a line or more is a blank line, and a smaller one may be halved. */
export function gapRows(mm: number, settings: Pick<PrinterSettings, 'smallFontDots' | 'dpi'>): number {
  const dots = Math.round((mm * settings.dpi) / 25.4)
  return hasExactFeed(settings) || dots * 2 < USUAL_ROWS ? dots : USUAL_ROWS
}
