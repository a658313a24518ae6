import type { CodePage } from './code-pages.ts'
import type { Model } from './model.ts'

/** Settings that commands change and that a power cycle or `ESC @` resets. */
export type Modes = ReturnType<typeof defaultModes>

export function defaultModes({ chinese, fonts, lineSpacing }: Pick<Model, 'chinese' | 'fonts' | 'lineSpacing'>) {
  return {
    page: 'cp437' as CodePage,
    national: 0,
    chinese,
    align: 'left' as 'left' | 'center' | 'right',
    bold: false,
    doubleStrike: false,
    /** The normal font and the small one, and which is selected. */
    fonts,
    font: 0 as 0 | 1,
    /** Thickness in dots. */
    underline: 0,
    /** 1 to 8 times. */
    width: 1,
    height: 1,
    inverse: false,
    /** Dots between the tops of two lines. */
    lineSpacing,
    /** Dots to the right of each character, before scaling. */
    characterSpacing: 0,
    leftMargin: 0,
    /** The printable width in dots from the left margin; limited by the paper. */
    areaWidth: Number.POSITIVE_INFINITY,
    /** Dots per motion unit of commands. */
    unitX: 1,
    unitY: 1,
  }
}
