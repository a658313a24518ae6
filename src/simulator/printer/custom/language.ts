import type { Commands } from '../command-context.ts'
import { commandsOf, ESCPOS_COMMANDS } from '../escpos/language.ts'
import { askStatus, realtimeFinder, SEQUENCES, type Sequence } from '../escpos/realtime.ts'
import { interpreter } from '../interpreter.ts'
import type { Language, RealtimeCommand } from '../language.ts'
import { COUNTER_COMMANDS } from './counter-commands.ts'
import { FONT_COMMANDS } from './font-commands.ts'
import { PRESENTER_COMMANDS } from './presenter-commands.ts'
import { automaticFullStatus, fullStatus, printStatus } from './status.ts'

const COMMANDS: Commands = { ...ESCPOS_COMMANDS, ...FONT_COMMANDS, ...PRESENTER_COMMANDS, ...COUNTER_COMMANDS }

const [, ...OTHER_SEQUENCES] = SEQUENCES
const ASK: Sequence = { bytes: [0x10, 0x04, null], command: ask }

/** ESC/POS as printers of Custom for kiosks speak it: VKP80, KPM. */
export const CUSTOM: Language = {
  findRealtime: () => realtimeFinder([ASK, ...OTHER_SEQUENCES]),
  interpret: (desk) => interpreter(desk, commandsOf(desk, COMMANDS)),
  automaticStatus: (state, _model, chosen) => automaticFullStatus(state, chosen),
}

/** `DLE EOT`: 1 to 4 as Epson, and 17 and 20 [V: KPM210]. */
function ask(n: number): RealtimeCommand | undefined {
  if (n === 17) return { kind: 'status', length: 3, answer: (state) => Uint8Array.of(printStatus(state)) }
  if (n === 20) return { kind: 'status', length: 3, answer: fullStatus }
  return askStatus(n)
}
