import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type Line, LineError } from './line.ts'

/** Does not follow a link at the end of the path, because other users may be able to make links in that folder. */
const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  constants.O_NONBLOCK |
  constants.O_NOCTTY |
  constants.O_NOFOLLOW

/**
 * A file to which receipts are appended; it never answers. A missing file is made, readable for its owner only. It is
 * opened again for every write, because it may be moved away meanwhile.
 * @throws LineError
 */
export async function openFileLine(path: string): Promise<Line> {
  await appended(path, new Uint8Array(0))
  let closed = false
  return {
    async write(bytes) {
      if (closed) throw new LineError('broken', `${path} is closed.`, 'Try again.')
      await appended(path, bytes)
    },
    onBytes() {},
    listen() {},
    broken: new Promise(() => {}),
    async close() {
      closed = true
    },
  }
}

async function appended(path: string, bytes: Uint8Array): Promise<void> {
  let file: FileHandle | undefined
  try {
    file = await open(path, APPEND, 0o600)
    if (!(await file.stat()).isFile()) throw Object.assign(new Error('It is not a regular file'), { code: 'ENOTREG' })
    await file.appendFile(bytes)
  } catch (error) {
    throw whyNot(path, error as NodeJS.ErrnoException)
  } finally {
    await file?.close()
  }
}

function whyNot(path: string, error: NodeJS.ErrnoException): LineError {
  switch (error.code) {
    case 'ENOTREG':
    case 'ELOOP':
    case 'EISDIR':
    case 'ENXIO':
      return new LineError('missing', `${path} is not a regular file.`, 'Give the path of a file, or of none yet.', {
        cause: error,
      })
    case 'ENOENT':
    case 'ENOTDIR':
      return new LineError('missing', `The folder of ${path} is not there.`, 'Make the folder.', { cause: error })
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new LineError('forbidden', `${path} may not be written.`, 'Let the user that fiskd runs as write there.', {
        cause: error,
      })
    default:
      return new LineError('broken', `${path} cannot be written: ${error.message}.`, 'Check the disk.', {
        cause: error,
      })
  }
}
