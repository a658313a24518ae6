import { type Commands, type Desk, set, setting, taking, word } from '../command-context.ts'

const ALIGNMENTS = ['left', 'center', 'right'] as const

export const STYLE_COMMANDS: Commands = {
  '\x1b@': (desk) => desk.initialise(),
  // An unknown number does not change the page.
  '\x1bt': setting((n, { modes, model }) => ({ page: model.codePages[n] ?? modes.page })),
  '\x1bR': setting((national) => ({ national })),
  '\x1c.': set({ chinese: false }),
  '\x1c&': set({ chinese: true }),
  '\x1ba': taking(1, (desk, n = 0) => {
    const align = ALIGNMENTS[n & 0x0f]
    if (align && atLineStart(desk, 'ESC a')) desk.modes.align = align
  }),
  '\x1bE': setting((n) => ({ bold: isOdd(n) })),
  '\x1bG': setting((n) => ({ doubleStrike: isOdd(n) })),
  '\x1bM': setting((n) => ({ font: isOdd(n) ? 1 : 0 })),
  '\x1b-': setting((n) => ({ underline: Math.min(n & 0x0f, 2) })),
  '\x1b!': setting((n) => ({
    font: isOdd(n) ? 1 : 0,
    bold: (n & 0x08) !== 0,
    height: n & 0x10 ? 2 : 1,
    width: n & 0x20 ? 2 : 1,
    underline: n & 0x80 ? 1 : 0,
  })),
  '\x1d!': setting((n) => ({ width: ((n >> 4) & 7) + 1, height: (n & 7) + 1 })),
  '\x1dB': setting((n) => ({ inverse: isOdd(n) })),
  '\x1b2': set({ lineSpacing: 30 }),
  '\x1b3': setting((n, { modes }) => ({ lineSpacing: Math.round(n * modes.unitY) })),
  '\x1b ': setting((n, { modes }) => ({ characterSpacing: Math.round(n * modes.unitX) })),
  '\x1dL': function* (desk) {
    const units = yield* word()
    if (atLineStart(desk, 'GS L')) desk.modes.leftMargin = Math.round(units * desk.modes.unitX)
  },
  '\x1dW': function* (desk) {
    const units = yield* word()
    if (atLineStart(desk, 'GS W')) desk.modes.areaWidth = Math.max(1, Math.round(units * desk.modes.unitX))
  },
  // Units per inch; 0 is the default of one dot.
  '\x1dP': taking(2, ({ modes, model: { dpi } }, x = 0, y = 0) => {
    modes.unitX = x === 0 ? 1 : dpi / x
    modes.unitY = y === 0 ? 1 : dpi / y
  }),
}

const isOdd = (n: number): boolean => (n & 1) === 1

function atLineStart({ carriage, refuse }: Desk, what: string): boolean {
  if (!carriage.empty) refuse(`${what} inside of a line`)
  return carriage.empty
}
