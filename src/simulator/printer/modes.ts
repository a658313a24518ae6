import type { CodePage } from './code-pages.ts'
import type { Fonts } from './fonts.ts'

/** Settings that commands change and that a power cycle or `ESC @` resets. */
export interface Modes {
  page: CodePage
  national: number
  chinese: boolean
  align: 'left' | 'center' | 'right'
  bold: boolean
  doubleStrike: boolean
  /** The normal font and the small one, and which is selected. */
  fonts: Fonts
  font: 0 | 1
  /** Thickness in dots. */
  underline: number
  /** 1 to 8 times. */
  width: number
  height: number
  inverse: boolean
  /** Dots between the tops of two lines. */
  lineSpacing: number
  /** Dots to the right of each character, before scaling. */
  characterSpacing: number
  leftMargin: number
  /** The printable width in dots from the left margin; limited by the paper. */
  areaWidth: number
  /** Dots per motion unit of commands. */
  unitX: number
  unitY: number
}

export type ModeDefaults = Pick<Modes, 'chinese' | 'fonts' | 'lineSpacing'>

export function defaultModes({ chinese, fonts, lineSpacing }: ModeDefaults): Modes {
  return {
    page: 'cp437',
    national: 0,
    chinese,
    align: 'left',
    bold: false,
    doubleStrike: false,
    fonts,
    font: 0,
    underline: 0,
    width: 1,
    height: 1,
    inverse: false,
    lineSpacing,
    characterSpacing: 0,
    leftMargin: 0,
    areaWidth: Number.POSITIVE_INFINITY,
    unitX: 1,
    unitY: 1,
  }
}
