import { type Commands, type Desk, type Steps, taking } from '../command-context.ts'

/** Commands that feed, cut and present the paper. */
export const PAPER_COMMANDS: Commands = {
  '\x1bd': taking(1, (desk, n = 0) => {
    if (n === 0) desk.carriage.print(0)
    for (let line = 0; line < n; line++) desk.carriage.newLine()
  }),
  '\x1bJ': taking(1, ({ carriage, modes, roll }, n = 0) => {
    const rows = Math.round(n * modes.unitY)
    if (carriage.empty) roll.feed(rows)
    else carriage.print(rows)
  }),
  '\x1bi': (desk) => cut(desk, 'ESC i'),
  '\x1bm': (desk) => cut(desk, 'ESC m'),
  '\x1dV': function* (desk): Steps {
    const m = yield
    if ([0, 48, 1, 49].includes(m)) return cut(desk, 'GS V')
    if (![65, 66, 97, 98, 103, 104].includes(m)) return desk.unknown(0x1d, 0x56, m)
    const n = yield
    if (!desk.carriage.empty) return desk.refuse('GS V inside of a line')
    desk.roll.feed(desk.model.cutterDots + Math.round(n * desk.modes.unitY))
    cut(desk, 'GS V')
  },
}

function cut({ carriage, roll, model, refuse }: Desk, what: string): void {
  if (carriage.empty) roll.cut(model.cutterDots)
  else refuse(`${what} inside of a line`)
}
