import { ANSWER_COMMANDS } from './answer-commands.ts'
import { characterOf, chineseCharacterOf } from './code-pages.ts'
import { bytes, type Command, type Commands, type Desk, type Steps } from './command-context.ts'
import { functionCommand } from './function-commands.ts'
import { PAPER_COMMANDS } from './paper-commands.ts'
import { PICTURE_COMMANDS } from './picture-commands.ts'
import { STYLE_COMMANDS } from './style-commands.ts'

const COMMANDS: Commands = {
  '\x07': (desk) => desk.bell(),
  '\x09': ({ carriage }) => carriage.tab(),
  '\x0a': ({ carriage }) => carriage.newLine(),
  '\x10': skipRealtimeCommand,
  '\x1d(': functionCommand,
  ...STYLE_COMMANDS,
  ...PAPER_COMMANDS,
  ...PICTURE_COMMANDS,
  ...ANSWER_COMMANDS,
}

const PREFIXES = [0x1b, 0x1c, 0x1d]

/**
 * Interprets ESC/POS in standard mode, as in Epson's reference. Takes bytes one by one and never ends. Other control
 * characters have no effect: CR, NUL, CAN outside of page mode, FF.
 */
export function* interpreter(desk: Desk): Steps {
  for (;;) {
    const byte = yield
    if (PREFIXES.includes(byte)) yield* command(desk, byte)
    else yield* character(desk, byte)
  }
}

function* command(desk: Desk, prefix: number): Steps {
  const letter = yield
  const found = commandOf(desk, String.fromCharCode(prefix, letter))
  if (found) return yield* run(found, desk)
  desk.unknown(prefix, letter)
  yield* character(desk, letter)
}

function commandOf({ model }: Desk, name: string): Command | undefined {
  return name === '\x1dr' && model.withoutStatus ? undefined : COMMANDS[name]
}

function* character(desk: Desk, byte: number): Steps {
  if (byte < 0x20) {
    const found = COMMANDS[String.fromCharCode(byte)]
    if (found) yield* run(found, desk)
    return
  }
  const { modes, carriage } = desk
  if (modes.chinese && byte > 0x80 && byte < 0xff) carriage.put(chineseCharacterOf(byte, yield))
  else carriage.put(characterOf(byte, modes.page, modes.national))
}

function* run(found: Command, desk: Desk): Steps {
  const steps = found(desk)
  if (steps) yield* steps
}

/** A real-time command already ran when it arrived; here its bytes are data that prints nothing. */
function* skipRealtimeCommand(desk: Desk): Steps {
  const kind = yield
  if (kind === 0x04 || kind === 0x05) yield* bytes(1)
  else if (kind === 0x14) yield* bytes({ 1: 2, 2: 2, 8: 7 }[yield] ?? 0)
  else yield* character(desk, kind)
}
