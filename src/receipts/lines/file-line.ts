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
 * Appends receipts to a file, which is made readable for its owner only, and opened again for every write, because it
 * may be moved away meanwhile. @throws LineError
 */
export async function openFileLine(path: string): Promise<Line> {
  await appended(path, new Uint8Array(0))
  let closed = false
  return {
    async write(bytes) {
      if (closed)
        throw new LineError(
          'broken',
          { en: `${path} is closed.`, hr: `${path} je zatvorena.` },
          { en: 'Try again.', hr: 'Pokušajte ponovno.' },
        )
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
      return new LineError(
        'missing',
        { en: `${path} is not a regular file.`, hr: `${path} nije obična datoteka.` },
        { en: 'Give the path of a file, or of none yet.', hr: 'Upišite putanju datoteke ili one koja još ne postoji.' },
        error,
      )
    case 'ENOENT':
    case 'ENOTDIR':
      return new LineError(
        'missing',
        { en: `The folder of ${path} is not there.`, hr: `Mapa za ${path} ne postoji.` },
        { en: 'Make the folder.', hr: 'Izradite mapu.' },
        error,
      )
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new LineError(
        'forbidden',
        { en: `${path} may not be written.`, hr: `U ${path} nije dopušteno pisati.` },
        { en: 'Let the user that fiskd runs as write there.', hr: 'Dopustite pisanje korisniku pod kojim fiskd radi.' },
        error,
      )
    default:
      return new LineError(
        'broken',
        { en: `${path} cannot be written: ${error.message}.`, hr: `U ${path} ne može se pisati: ${error.message}.` },
        { en: 'Check the disk.', hr: 'Provjerite disk.' },
        error,
      )
  }
}
