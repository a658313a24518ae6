import { bytes, type Commands, type Desk, type Steps } from '../command-context.ts'
import { interpreter } from '../interpreter.ts'
import type { Language } from '../language.ts'
import { ANSWER_COMMANDS } from './answer-commands.ts'
import { processIdCommand, qrCommand, testCommand } from './function-commands.ts'
import { GRAPHICS_COMMANDS } from './graphics-commands.ts'
import { PAPER_COMMANDS } from './paper-commands.ts'
import { PICTURE_COMMANDS } from './picture-commands.ts'
import { realtimeFinder, SEQUENCES } from './realtime.ts'
import { automaticStatus } from './status.ts'
import { STYLE_COMMANDS } from './style-commands.ts'

/** The commands that all printers with ESC/POS have in common. */
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

/**
 * ESC/POS in standard mode, as in Epson's reference. Other control characters have no effect: CR, NUL, CAN outside of
 * page mode, FF.
 */
export const ESCPOS: Language = {
  findRealtime: () => realtimeFinder(SEQUENCES),
  interpret: (desk) => interpreter(desk, commandsOf(desk, ESCPOS_COMMANDS)),
  automaticStatus: ({ condition }) => automaticStatus(condition),
}

/** The commands that the model knows. */
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
