import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Failure, refused, wrongUse } from './failure.ts'

/** Reads a file named on the command line. @throws Failure naming the option and the reason */
export async function readInput(param: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw unreadable(param, path, error as NodeJS.ErrnoException)
  }
}

/** A file that goes to the daemon, under its name. */
export interface Upload {
  name: string
  bytes: Buffer
}

/** One that is too large is refused here: the daemon would hang up in the middle of it. @param what else it is told */
export async function readUpload(param: string, path: string, most: number, what: string): Promise<Upload> {
  const bytes = await readInput(param, path)
  if (bytes.length > most) throw refused('file_too_large', param, `${path} is larger than ${what}`)
  return { name: basename(path), bytes }
}

/** The parts of a form; a text that is undefined is left out. */
export function formOf(texts: Record<string, string | undefined>, { name, bytes }: Upload, type: string): FormData {
  const form = new FormData()
  for (const [field, text] of Object.entries(texts)) if (text !== undefined) form.set(field, text)
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name)
  return form
}

/**
 * Opens it for another account to read. Regular files only, and no link at the end of the path: that account may have put
 * one there, to a file that it may not read itself.
 * @throws Failure naming the option and the reason
 */
export function openInput(param: string, path: string): number {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (fstatSync(fd).isFile()) return fd
    closeSync(fd)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') {
      throw unreadable(param, path, error as NodeJS.ErrnoException)
    }
  }
  throw wrongUse(param, `${path} is no regular file. Name the file itself, not a link to it.`)
}

/** @throws Failure naming the argument and the reason, before anything is asked */
export const requireReadable = (param: string, path: string) =>
  access(path, constants.R_OK).catch((error) => {
    throw unreadable(param, path, error)
  })

function unreadable(param: string, path: string, error: NodeJS.ErrnoException): Failure {
  if (error.code === 'ENOENT') return wrongUse(param, `There is no file ${path}.`)
  if (error.code === 'EISDIR') return wrongUse(param, `${path} is a directory, not a file.`)
  if (error.code === 'EACCES') return wrongUse(param, `You may not read ${path}.`)
  return wrongUse(param, `${path} cannot be read: ${error.message}`)
}
