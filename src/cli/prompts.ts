import type { Readable } from 'node:stream'
import { broken } from './failure.ts'
import type { Session } from './session.ts'
import { PLAIN_SCREEN } from './text/screen.ts'
import { translate } from './words/translate.ts'

export type Prompter = Awaited<ReturnType<typeof createPrompter>>

/** Questions on a terminal. Ctrl-C at a question ends the command with exit code 1. */
export async function createPrompter({ io, screen: { language } }: Pick<Session, 'io' | 'screen'>) {
  const clack = await import('@clack/prompts')
  // A console of unknown size says that it has 0, and the library would draw one letter a line.
  const output: typeof io.stdout & { columns?: number } = io.stdout
  if (output.columns === 0) output.columns = PLAIN_SCREEN.columns
  const streams = { input: io.stdin, output }
  const say = (text: string) => translate(text, language)
  // The library explains its keys in English alone.
  const choice = (message: string, keys: string) =>
    language === 'en' ? { message } : { message: `${say(message)} (${keys})`, showInstructions: false }
  const labelled = <T extends string>(options: { value: T; label: string }[]) =>
    options.map(({ value, label }) => ({ value: value as string, label: say(label) }))
  const answered = <T>(value: T | symbol): T => {
    if (typeof value === 'symbol') throw broken('internal_error', 'Broken off.', 'What was done before stays done.')
    return value
  }
  return {
    /** @param check returns the error of an answer, or undefined for a valid answer */
    text: async (message: string, check?: (value: string) => string | undefined) => {
      const validate = (value: string | undefined) => {
        const fault = check?.(value?.trim() ?? '')
        return fault && say(fault)
      }
      return answered<string>(await clack.text({ ...streams, message: say(message), validate })).trim()
    },
    /** Asks without showing the typed text. */
    password: async (message: string) => answered<string>(await clack.password({ ...streams, message: say(message) })),
    confirm: async (message: string, initial: boolean) => {
      const words = { active: say('Yes'), inactive: say('No') }
      const ask = () => clack.confirm({ ...streams, ...words, message: say(message), initialValue: initial })
      return answered<boolean>(await (language === 'hr' ? withKeyOfYes(io.stdin, ask) : ask()))
    },
    choose: async <T extends string>(message: string, options: { value: T; label: string }[]) => {
      const ask = { ...streams, ...choice(message, '↑/↓, Enter'), options: labelled(options) }
      return answered<string>(await clack.select<string>(ask)) as T
    },
    /** Asks for any number of options, including none. */
    several: async (message: string, options: { value: string; label: string }[]) => {
      const keys = choice(message, '↑/↓, razmaknica, Enter')
      const ask = { ...streams, ...keys, options: labelled(options), required: false }
      return answered<string[]>(await clack.multiselect<string>(ask))
    },
  }
}

/** The library answers to `y` and `n` alone, and "da" begins with another letter. */
async function withKeyOfYes<T>(keyboard: Readable, ask: () => Promise<T>): Promise<T> {
  const translated = (letter: string | undefined) => {
    if (letter?.toLowerCase() === 'd') keyboard.emit('keypress', 'y', { name: 'y', sequence: 'y' })
  }
  keyboard.on('keypress', translated)
  return ask().finally(() => keyboard.off('keypress', translated))
}
