import { type Commands, type Desk, taking, word } from '../command-context.ts'
import type { Modes } from '../modes.ts'

const ALIGNMENTS = ['left', 'center', 'right'] as const

/** Commands for the style and position of characters. */
export const STYLE_COMMANDS: Commands = {
  '\x1b@': (desk) => desk.initialise(),
  // An unknown number does not change the page.
  '\x1bt': taking(1, ({ modes, model }, n = 0) => {
    modes.page = model.codePages[n] ?? modes.page
  }),
  '\x1bR': taking(1, ({ modes }, n = 0) => {
    modes.national = n
  }),
  '\x1c.': ({ modes }) => {
    modes.chinese = false
  },
  '\x1c&': ({ modes }) => {
    modes.chinese = true
  },
  '\x1ba': taking(1, (desk, n = 0) => {
    const align = ALIGNMENTS[n & 0x0f]
    if (align && atLineStart(desk, 'ESC a')) desk.modes.align = align
  }),
  '\x1bE': taking(1, ({ modes }, n = 0) => {
    modes.bold = isOdd(n)
  }),
  '\x1bG': taking(1, ({ modes }, n = 0) => {
    modes.doubleStrike = isOdd(n)
  }),
  '\x1bM': taking(1, ({ modes }, n = 0) => {
    modes.font = isOdd(n) ? 1 : 0
  }),
  '\x1b-': taking(1, ({ modes }, n = 0) => {
    modes.underline = Math.min(n & 0x0f, 2)
  }),
  '\x1b!': taking(1, ({ modes }, n = 0) => {
    modes.font = isOdd(n) ? 1 : 0
    modes.bold = (n & 0x08) !== 0
    modes.height = n & 0x10 ? 2 : 1
    modes.width = n & 0x20 ? 2 : 1
    modes.underline = n & 0x80 ? 1 : 0
  }),
  '\x1d!': taking(1, ({ modes }, n = 0) => {
    modes.width = ((n >> 4) & 7) + 1
    modes.height = (n & 7) + 1
  }),
  '\x1dB': taking(1, ({ modes }, n = 0) => {
    modes.inverse = isOdd(n)
  }),
  '\x1b2': ({ modes }) => {
    modes.lineSpacing = 30
  },
  '\x1b3': taking(1, ({ modes }, n = 0) => {
    modes.lineSpacing = Math.round(n * modes.unitY)
  }),
  '\x1b ': taking(1, ({ modes }, n = 0) => {
    modes.characterSpacing = Math.round(n * modes.unitX)
  }),
  '\x1dL': function* (desk) {
    const units = yield* word()
    if (atLineStart(desk, 'GS L')) desk.modes.leftMargin = Math.round(units * desk.modes.unitX)
  },
  '\x1dW': function* (desk) {
    const units = yield* word()
    if (atLineStart(desk, 'GS W')) desk.modes.areaWidth = Math.max(1, Math.round(units * desk.modes.unitX))
  },
  '\x1dP': taking(2, ({ modes, model }, x = 0, y = 0) => {
    setUnits(modes, model.dpi, x, y)
  }),
}

/** Units per inch; 0 is the default of one dot. */
function setUnits(modes: Modes, dpi: number, x: number, y: number): void {
  modes.unitX = x === 0 ? 1 : dpi / x
  modes.unitY = y === 0 ? 1 : dpi / y
}

function isOdd(n: number): boolean {
  return (n & 1) === 1
}

function atLineStart({ carriage, refuse }: Desk, what: string): boolean {
  if (!carriage.empty) refuse(`${what} inside of a line`)
  return carriage.empty
}
