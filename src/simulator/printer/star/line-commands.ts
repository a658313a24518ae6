import { type Commands, feed, set, setting, taking } from '../command-context.ts'

/** Dots in a millimetre [V]. */
const MM = 8
const ALIGNMENTS = ['left', 'center', 'right'] as const

/** Text and paper in line mode (Star Line Mode Command Specifications [V], but where marked). */
export const LINE_COMMANDS: Commands = {
  '\x1c': (desk) => desk.bell(),
  '\x09': ({ carriage }) => carriage.tab(),
  '\x0a': ({ carriage }) => carriage.newLine(),
  '\x0d': ({ carriage }) => carriage.newLine(),
  '\x1b@': (desk) => desk.initialise(),
  '\x18': ({ carriage, counters, initialise }) => {
    carriage.clear()
    initialise()
    Object.assign(counters, { ends: 0, endReached: false })
  },
  // 0 is 12 x 24, 1 is 9 x 24 [S].
  '\x1b\x1eF': setting((n) => ({ font: digit(n) === 1 ? 1 : 0 })),
  '\x1b\x1dt': setting((n, { modes, model }) => ({ page: model.codePages[n] ?? modes.page })),
  '\x1bR': setting((n) => ({ national: digit(n) })),
  '\x1b/': taking(1, () => {}),
  '\x1b ': setting((n) => ({ characterSpacing: digit(n) })),
  '\x1bM': set({ characterSpacing: 0 }),
  '\x1bg': set({ characterSpacing: 2 }),
  '\x1bp': set({ characterSpacing: 2 }),
  '\x1bP': set({ characterSpacing: 3 }),
  '\x1b:': set({ characterSpacing: 4 }),
  // First the height, then the width [S]; 0 is normal, 1 double, up to 5.
  '\x1bi': taking(2, ({ modes }, height = 0, width = 0) => {
    modes.height = timesOf(height)
    modes.width = timesOf(width)
  }),
  '\x1bW': setting((n) => ({ width: timesOf(n) })),
  '\x1bh': setting((n) => ({ height: timesOf(n) })),
  '\x0e': set({ width: 2 }),
  '\x14': set({ width: 1 }),
  '\x1b\x0e': set({ height: 2 }),
  '\x1b\x14': set({ height: 1 }),
  '\x1bE': set({ bold: true }),
  '\x1bF': set({ bold: false }),
  '\x1b-': setting((n) => ({ underline: digit(n) === 1 ? 2 : 0 })),
  '\x1b4': set({ inverse: true }),
  '\x1b5': set({ inverse: false }),
  '\x1b\x1da': taking(1, ({ modes, carriage, refuse }, n = 0) => {
    const align = ALIGNMENTS[digit(n)]
    if (!carriage.empty) refuse('ESC GS a inside of a line')
    else if (align) modes.align = align
  }),
  '\x1b\x1dA': taking(2, ({ carriage }, low = 0, high = 0) => carriage.moveTo(low + 256 * high)),
  '\x1bz': setting((n) => ({ lineSpacing: (digit(n) === 0 ? 3 : 4) * MM })),
  '\x1b0': set({ lineSpacing: 3 * MM }),
  '\x1ba': taking(1, ({ carriage }, n = 0) => {
    for (let line = 0; line < n; line++) carriage.newLine()
  }),
  '\x1bJ': taking(1, (desk, n = 0) => feed(desk, (n * MM) / 4)),
  '\x1bI': taking(1, (desk, n = 0) => feed(desk, (n * MM) / 8)),
  // 0 and 1 cut where the paper is, 2 and 3 feed it to the cutter first. What is in the line is printed before.
  '\x1bd': taking(1, ({ carriage, roll, model }, n = 0) => {
    if (!carriage.empty) carriage.newLine()
    if (digit(n) >= 2) roll.feed(model.cutterDots)
    roll.cut(model.cutterDots)
  }),
}

/** Many parameters are a number or the digit for it. */
const digit = (n: number): number => (n >= 48 && n <= 57 ? n - 48 : n)

const timesOf = (n: number): number => Math.min(digit(n), 5) + 1
