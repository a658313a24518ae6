import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { clash, wrongUse } from './failure.ts'

/** @throws Failure when the file is there and may not be replaced */
export function refuseExisting(file: string, force: boolean): void {
  if (!force && existsSync(file)) throw clash('file', `${file} exists already.`, 'Choose another name, or add --force.')
}

/**
 * Under its own name it is whole or not there, and only its owner may read it. @param what for people: `backup`
 * @throws Failure that says why it cannot be written; what `write` throws for other reasons
 */
export async function writeOutput(
  file: string,
  { force, what }: { force: boolean; what: string },
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    const handle = await open(part, 'wx', 0o600)
    try {
      await write(handle)
      await handle.sync()
    } finally {
      await handle.close()
    }
    refuseExisting(file, force)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw asFailure(file, what, error)
  }
  await syncFolder(dirname(file))
}

function asFailure(file: string, what: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error
  const folder = dirname(resolve(file))
  if (code === 'ENOENT') return wrongUse('file', `There is no directory ${folder}.`)
  if (code === 'EACCES') return wrongUse('file', `You may not write to ${folder}.`)
  if (code === 'ENOSPC') return wrongUse('file', `There is no room for the ${what} in ${folder}.`)
  return wrongUse('file', `${file} cannot be written: ${message}`)
}

/** So that the name lasts too. Some file systems of removable disks cannot do that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  await folder.sync().catch(() => {})
  await folder.close()
}
