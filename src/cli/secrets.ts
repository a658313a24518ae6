import { buffer } from 'node:stream/consumers'
import { Option } from 'commander'
import type { Flags, Given } from './command.ts'
import { wrongUse } from './failure.ts'
import { readInput } from './files.ts'
import type { Session } from './session.ts'

/** A secret that a command needs. It never stands on the command line, where other users of the machine see it. */
export type SecretName = 'passphrase' | 'password'

export type SecretOptions<Name extends SecretName> = Given<`${Name}File`> & Flags<`${Name}Stdin`>

/** `--passphrase-file` and `--passphrase-stdin`, of which one command takes one. */
export function secretOptions(name: SecretName): Option[] {
  return [
    new Option(`--${name}-file <file>`, `a file that holds the ${name}`),
    new Option(`--${name}-stdin`, `read the ${name} from standard input`).conflicts(`${name}File`),
  ]
}

/** The secret from where the options say it is; asked for on a terminal when they say nothing. */
export async function secretFrom<Name extends SecretName>(
  name: Name,
  options: SecretOptions<Name>,
  session: Session,
  question: string,
): Promise<string> {
  const { [`${name}File`]: file, [`${name}Stdin`]: stdin } = options as Record<string, string | true | undefined>
  if (typeof file === 'string') return secretOf(await readInput(`${name}-file`, file), name, `${name}-file`)
  if (stdin) return secretOf(await buffer(session.io.stdin), name, `${name}-stdin`)
  if (!session.mayAsk()) {
    throw wrongUse(name, `The ${name} is missing.`, `Give --${name}-file FILE or --${name}-stdin.`)
  }
  const { createPrompter } = await import('./prompts.ts')
  return (await createPrompter(session)).password(question)
}

function secretOf(bytes: Buffer, name: SecretName, param: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    throw wrongUse(
      param,
      `The ${name} is not UTF-8 text.`,
      'Save the file as UTF-8: letters like "š" differ otherwise.',
    )
  }
}
