import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatLineAddress, type LineAddress, type PrinterSettings } from '../../domain/printer.ts'
import { alike } from '../../domain/texts/both.ts'
import { brokenNode, busyNode, deadNode, inspectNode, stalledLine } from './device-node-errors.ts'
import { watchNode } from './device-node-watch.ts'
import { type Line, LineError, type OpenLine } from './line.ts'
import { openSerialLine } from './serial-line.ts'
import { openTcpLine } from './tcp-line.ts'

/** The open lines of this process, by real name, because two names may lead to one printer. */
const held = new Map<string, string>()

export const openLine: OpenLine = async (address, settings) => {
  const name = formatLineAddress(address)
  const real = await realName(address)
  const holder = held.get(real)
  if (holder !== undefined) {
    const as = holder === name ? alike('') : { en: ` as ${holder}`, hr: ` kao ${holder}` }
    throw new LineError(
      'busy',
      {
        en: `${name} is already used by another printer of this installation${as.en}.`,
        hr: `${name} već koristi drugi pisač ove instalacije${as.hr}.`,
      },
      {
        en: 'Give each device a printer of its own, or take the printer away from the other one.',
        hr: 'Svakom uređaju postavite vlastiti pisač ili ga uklonite s drugoga.',
      },
    )
  }
  held.set(real, name)
  // Once: at a second close another line may hold the name.
  let isHeld = true
  const release = () => {
    if (isHeld) held.delete(real)
    isHeld = false
  }
  try {
    const line = await opened(address, settings)
    return { ...line, close: (deliverMs) => line.close(deliverMs).finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

function opened(address: LineAddress, settings: PrinterSettings): Promise<Line> {
  switch (address.kind) {
    case 'serial':
      return openSerialLine(address.path, settings)
    case 'usb':
      return openDeviceLine(address.path)
    case 'file':
      return openFileLine(address.path)
    case 'tcp':
      return openTcpLine(address.host, address.port)
  }
}

/** One name for each device, whatever links lead to it. What cannot be resolved fails later, with a better error. */
export async function realName(address: LineAddress): Promise<string> {
  if (address.kind === 'tcp') return formatLineAddress({ ...address, host: address.host.toLowerCase() })
  const path = await realpath(address.path).catch(() => undefined)
  if (path !== undefined) return path
  return join(await realpath(dirname(address.path)).catch(() => dirname(address.path)), basename(address.path))
}

/** Pause before a device that accepts or sends nothing is polled again. */
const AGAIN_MS = 10

/** Errors of a device that is busy; the USB printer class returns ENOSPC when the paper is out. */
const LATER = new Set(['EAGAIN', 'EWOULDBLOCK', 'EINTR', 'ENOSPC'])
/** Read errors of a device that never sends anything. */
const MUTE = new Set(['EINVAL', 'EBADF', 'ENOSYS', 'EOPNOTSUPP'])

/**
 * Opens a printer of the USB printer class (`/dev/usb/lp0`) in non-blocking mode: a blocked write would occupy a thread
 * of the pool for as long as the paper is out. The device gives no notification, so it is polled, but only while there
 * is something to write or an answer is awaited.
 * @throws LineError
 */
async function openDeviceLine(path: string): Promise<Line> {
  await inspectNode(path)
  const flags = constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY
  const device = await open(path, flags).catch((error: NodeJS.ErrnoException) =>
    Promise.reject(error.code === 'EBUSY' ? busyNode(path, error) : deadNode(path, error)),
  )
  const opened = await device.stat()

  const broken = Promise.withResolvers<LineError>()
  const closed = new AbortController()
  let listener: (bytes: Uint8Array) => void = () => {}
  let listening = false
  let isReading = false
  let reading: Promise<void> | undefined
  let writing: Promise<unknown> | undefined
  let closing: Promise<void> | undefined

  function breakOff(cause: unknown): LineError {
    const error = brokenNode(path, cause)
    broken.resolve(error)
    return error
  }

  async function read(): Promise<void> {
    const buffer = Buffer.alloc(256)
    isReading = true
    try {
      while (listening && !closed.signal.aborted) {
        const { bytesRead } = await device.read(buffer, 0, buffer.length).catch(nothingIfLater)
        if (bytesRead > 0) listener(Uint8Array.prototype.slice.call(buffer, 0, bytesRead))
        else await sleep(AGAIN_MS)
      }
    } catch (error) {
      if (!MUTE.has((error as NodeJS.ErrnoException).code ?? '')) breakOff(error)
    } finally {
      isReading = false
    }
  }

  async function write(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      if (signal?.aborted) throw stalledLine(path)
      if (closed.signal.aborted) throw brokenNode(path)
      const { bytesWritten } = await device.write(bytes, taken).catch(nothingIfLater)
      taken += bytesWritten
      if (bytesWritten === 0) await sleep(AGAIN_MS)
    }
  }

  const endWatch = watchNode(path, opened, breakOff)

  async function shut(): Promise<void> {
    endWatch()
    closed.abort()
    await Promise.allSettled([reading, writing])
    await device.close().catch(() => {})
  }

  return {
    async write(bytes, signal) {
      writing = write(bytes, signal)
      await writing.catch((error) => Promise.reject(error instanceof LineError ? error : breakOff(error)))
    },
    onBytes(given) {
      listener = given
    },
    listen(awaited) {
      listening = awaited
      if (awaited && !isReading) reading = read()
    },
    broken: broken.promise,
    close() {
      closing ??= shut()
      return closing
    },
  }
}

function nothingIfLater(error: NodeJS.ErrnoException): { bytesRead: 0; bytesWritten: 0 } {
  if (!LATER.has(error.code ?? '')) throw error
  return { bytesRead: 0, bytesWritten: 0 }
}

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
async function openFileLine(path: string): Promise<Line> {
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
        { en: 'Make the folder.', hr: 'Napravite mapu.' },
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
