import { characterOf, chinese } from './code-pages.ts'
import type { Commands, Desk, Steps } from './command-context.ts'

/**
 * Executes a command set: bytes that are the name of a command run it, others are text. Takes bytes one by one. Control characters that begin no command have no effect.
 * @param options.text what is done with text instead of printing it
 * @param options.ended asked after each command; true ends
 */
export function* interpreter(
  desk: Desk,
  commands: Commands,
  { text = print, ended = () => false }: { text?: Text; ended?: () => boolean } = {},
): Steps {
  const names = Object.keys(commands)
  while (!ended()) {
    let name = String.fromCharCode(yield)
    while (!commands[name] && names.some((longer) => longer.startsWith(name))) name += String.fromCharCode(yield)
    const steps = commands[name]?.(desk)
    if (steps) yield* steps
    if (commands[name]) continue
    if (name.length > 1) desk.unknown(...Buffer.from(name, 'latin1'))
    for (const byte of Buffer.from(name.slice(name.length > 1 ? 1 : 0), 'latin1')) {
      const rest = text(desk, byte)
      if (rest) yield* rest
    }
  }
}

// biome-ignore lint/suspicious/noConfusingVoidType: as for commands
type Text = (desk: Desk, byte: number) => Steps | void

function* print(desk: Desk, byte: number): Steps {
  const { modes, carriage } = desk
  if (byte < 0x20) return
  if (modes.chinese && byte > 0x80 && byte < 0xff) carriage.put(chinese.decode(Uint8Array.of(byte, yield)))
  else carriage.put(characterOf(byte, modes.page, modes.national))
}
