import { broken } from './failure.ts'
import type { Io } from './io.ts'

/** Questions on a terminal. Ctrl-C at a question ends the command with exit code 1. */
export interface Prompter {
  /** @param check returns the error of an answer, or undefined for a valid answer */
  text(message: string, check?: (value: string) => string | undefined): Promise<string>
  /** Asks without showing the typed text. */
  password(message: string): Promise<string>
  confirm(message: string, initial: boolean): Promise<boolean>
  choose<T extends string>(message: string, options: { value: T; label: string }[]): Promise<T>
  /** Asks for any number of options, including none. */
  several(message: string, options: { value: string; label: string }[]): Promise<string[]>
}

export async function createPrompter(io: Io): Promise<Prompter> {
  const clack = await import('@clack/prompts')
  const streams = { input: io.stdin, output: io.stdout }
  const answered = <T>(value: T | symbol): T => {
    if (typeof value === 'symbol') throw broken('internal_error', 'Broken off.', 'What was done before stays done.')
    return value
  }
  return {
    text: async (message, check) =>
      answered<string>(
        await clack.text({ ...streams, message, validate: (value) => check?.(value?.trim() ?? '') }),
      ).trim(),
    password: async (message) => answered<string>(await clack.password({ ...streams, message })),
    confirm: async (message, initial) =>
      answered<boolean>(await clack.confirm({ ...streams, message, initialValue: initial })),
    choose: async <T extends string>(message: string, options: { value: T; label: string }[]) => {
      const answer = answered<string>(
        await clack.select<string>({
          ...streams,
          message,
          options: options.map(({ value, label }) => ({ value, label })),
        }),
      )
      return answer as T
    },
    several: async (message, options) =>
      answered<string[]>(await clack.multiselect<string>({ ...streams, message, options, required: false })),
  }
}
