import { bytes, type Commands, type Desk, feed, type Steps, taking } from '../command-context.ts'
import { interpreter } from '../interpreter.ts'
import type { Language } from '../language.ts'
import { processIdCommand, qrCommand, testCommand } from './function-commands.ts'
import { GRAPHICS_COMMANDS } from './graphics-commands.ts'
import { PICTURE_COMMANDS } from './picture-commands.ts'
import { realtimeFinder, SEQUENCES } from './realtime.ts'
import { automaticStatus, paperStatus } from './status.ts'
import { STYLE_COMMANDS } from './style-commands.ts'

const PAPER_COMMANDS: Commands = {
  '\x1bd': taking(1, (desk, n = 0) => {
    if (n === 0) desk.carriage.print(0)
    for (let line = 0; line < n; line++) desk.carriage.newLine()
  }),
  '\x1bJ': taking(1, (desk, n = 0) => feed(desk, Math.round(n * desk.modes.unitY))),
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

/** Commands that are answered in their turn, so never while the printer is offline. */
const ANSWER_COMMANDS: Commands = {
  '\x1dr': taking(1, ({ condition, answer }, n = 0) => {
    if (n === 1 || n === 49) answer(Uint8Array.of(paperStatus(condition)))
    if (n === 2 || n === 50) answer(Uint8Array.of(0))
  }),
  '\x1da': taking(1, (desk, n = 0) => {
    desk.reports(n)
    if (n !== 0) desk.answer(automaticStatus(desk.condition))
  }),
  '\x1dI': taking(1, ({ answer }, n = 0) => {
    const answers: Record<number, Uint8Array> = {
      1: Uint8Array.of(0x20),
      2: Uint8Array.of(0x02),
      3: Uint8Array.of(0x01),
      65: Buffer.from('_1.00\0'),
      66: Buffer.from('_VIRTUAL\0'),
      67: Buffer.from('_PAPER\0'),
      68: Buffer.from('_000001\0'),
    }
    const said = answers[n >= 49 && n <= 51 ? n - 48 : n]
    if (said) answer(said)
  }),
}

export const ESCPOS_COMMANDS: Commands = {
  '\x07': (desk) => desk.bell(),
  '\x09': ({ carriage }) => carriage.tab(),
  '\x0a': ({ carriage }) => carriage.newLine(),
  '\x10': skipRealtimeCommand,
  '\x1d(A': testCommand,
  '\x1d(H': processIdCommand,
  '\x1d(k': qrCommand,
  ...STYLE_COMMANDS,
  ...PAPER_COMMANDS,
  ...PICTURE_COMMANDS,
  ...GRAPHICS_COMMANDS,
  ...ANSWER_COMMANDS,
}

/** Standard mode, as in Epson's reference. CR, NUL, FF, and CAN outside of page mode have no effect. */
export const ESCPOS: Language = {
  findRealtime: () => realtimeFinder(SEQUENCES),
  interpret: (desk) => interpreter(desk, commandsOf(desk, ESCPOS_COMMANDS)),
  automaticStatus: ({ condition }) => automaticStatus(condition),
}

export function commandsOf({ model }: Desk, commands: Commands): Commands {
  const missing = [
    ...(model.withoutStatus ? ['\x1dr'] : []),
    ...(model.withoutProcessId ? ['\x1d(H'] : []),
    ...(model.withoutNativeQr ? ['\x1d(k'] : []),
    ...(model.withoutRaster ? ['\x1dv'] : []),
    ...(model.withoutGraphics ? Object.keys(GRAPHICS_COMMANDS) : []),
  ]
  return Object.fromEntries(Object.entries(commands).filter(([name]) => !missing.includes(name)))
}

/** A real-time command already ran when it arrived; here its bytes are data that prints nothing. */
function* skipRealtimeCommand(desk: Desk): Steps {
  const kind = yield
  if (kind === 0x04 || kind === 0x05) yield* bytes(1)
  else if (kind === 0x14) yield* bytes({ 1: 2, 2: 2, 8: 7 }[yield] ?? 0)
  else if (kind >= 0x20) desk.carriage.put(String.fromCharCode(kind))
}
