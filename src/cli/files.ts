import { readFile } from 'node:fs/promises'
import { type Failure, wrongUse } from './failure.ts'
import type { Io } from './io.ts'

/** Reads a file named on the command line. @throws Failure naming the option and the reason */
export async function readInput(param: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw unreadable(param, path, error as NodeJS.ErrnoException)
  }
}

function unreadable(param: string, path: string, error: NodeJS.ErrnoException): Failure {
  if (error.code === 'ENOENT') return wrongUse(param, `There is no file ${path}.`)
  if (error.code === 'EISDIR') return wrongUse(param, `${path} is a directory, not a file.`)
  if (error.code === 'EACCES') return wrongUse(param, `You may not read ${path}.`)
  return wrongUse(param, `${path} cannot be read: ${error.message}`)
}

/** The passphrase a file holds: its text without the newline that editors put at the end. */
export async function passphraseFile(path: string): Promise<string> {
  return passphraseOf(await readInput('passphrase-file', path), 'passphrase-file')
}

export async function passphraseStdin(io: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk))
  return passphraseOf(Buffer.concat(chunks), 'passphrase-stdin')
}

function passphraseOf(bytes: Buffer, param: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
  } catch {
    throw wrongUse(
      param,
      'The passphrase is not UTF-8 text.',
      'Save the file as UTF-8: letters like "š" differ otherwise.',
    )
  }
}
