import type { CodePage } from './code-pages.ts'

/** Settings that commands change and that a power cycle or `ESC @` resets. */
export interface Modes {
  page: CodePage
  national: number
  chinese: boolean
  align: 'left' | 'center' | 'right'
  bold: boolean
  doubleStrike: boolean
  font: 'A' | 'B'
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

export function defaultModes(chinese: boolean): Modes {
  return {
    page: 'cp437',
    national: 0,
    chinese,
    align: 'left',
    bold: false,
    doubleStrike: false,
    font: 'A',
    underline: 0,
    width: 1,
    height: 1,
    inverse: false,
    lineSpacing: 30,
    characterSpacing: 0,
    leftMargin: 0,
    areaWidth: Number.POSITIVE_INFINITY,
    unitX: 1,
    unitY: 1,
  }
}
