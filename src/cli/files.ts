import { openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type Failure, wrongUse } from './failure.ts'

/** Reads a file named on the command line. @throws Failure naming the option and the reason */
export async function readInput(param: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw unreadable(param, path, error as NodeJS.ErrnoException)
  }
}

/** Opens it for somebody else to read. @throws Failure naming the option and the reason */
export function openInput(param: string, path: string): number {
  try {
    return openSync(path, 'r')
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
