import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes a file so that a reader, or a start after a power cut, finds the old content or the new one, never a part. */
export async function writeFileAtomic(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const directory = dirname(path)
  const temporary = join(directory, `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}`)
  try {
    {
      await using file = await open(temporary, 'wx', mode)
      await file.chmod(mode)
      await file.writeFile(content)
      await file.sync()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await using folder = await open(directory, 'r')
  await folder.sync()
}
