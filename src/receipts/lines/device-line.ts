import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { brokenNode, busyNode, deadNode, inspectNode, stalledLine } from './device-node-errors.ts'
import { watchNode } from './device-node-watch.ts'
import { type Line, LineError } from './line.ts'

/** Pause before a device that accepts or sends nothing is polled again. */
const AGAIN_MS = 10

/** Errors of a device that is busy; the USB printer class returns ENOSPC when the paper is out. */
const LATER = new Set(['EAGAIN', 'EWOULDBLOCK', 'EINTR', 'ENOSPC'])
/** Read errors of a device that never sends anything. */
const MUTE = new Set(['EINVAL', 'EBADF', 'ENOSYS', 'EOPNOTSUPP'])

/**
 * Opens a printer of the USB printer class (`/dev/usb/lp0`), non-blocking: a blocked write would occupy a thread of the
 * pool for as long as the paper is out. The device notifies nobody: it is polled while there is something to write or
 * an answer is awaited. @throws LineError
 */
export async function openDeviceLine(path: string): Promise<Line> {
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
