import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SerialPort } from 'serialport'
import { load } from '../lazy-packages.ts'
import { brokenNode, busyNode, deadNode, inspectNode, stalledLine } from './device-node-errors.ts'
import { watchNode } from './device-node-watch.ts'
import { type Line, LineError, type SerialSettings, serialMsPerByte } from './line.ts'

/** Loaded on demand, because it is large and only serial printers need it. */
export const loadSerialPort = () => load<typeof import('serialport')>('serialport')

/**
 * Locked against other programs that lock it. Never waits for the port to drain: with flow control on hold, `tcdrain`
 * would block a thread of the pool for ever. @throws LineError
 */
export async function openSerialLine(
  path: string,
  settings: SerialSettings,
  binding: Pick<typeof SerialPort.binding, 'open'> = loadSerialPort().SerialPort.binding,
): Promise<Line> {
  await inspectNode(path)
  const xonXoff = settings.flowControl === 'xon_xoff'
  const { baudRate, parity, stopBits } = settings
  const port = await binding
    .open({
      // With 7 bits no picture could be sent, and no distance of 128 dots or more.
      path,
      baudRate,
      parity,
      stopBits,
      dataBits: 8,
      rtscts: settings.flowControl === 'rts_cts',
      xon: xonXoff,
      xoff: xonXoff,
      lock: true,
    })
    .catch((error: unknown) => Promise.reject(whyNot(path, error)))
  async function orClose<T>(work: Promise<T>, error: (cause: unknown) => unknown = (cause) => cause): Promise<T> {
    return work.catch(async (cause: unknown) => {
      await port.close().catch(() => {})
      throw error(cause)
    })
  }
  const msPerByte = serialMsPerByte(settings)
  const opened = await orClose(stat(path), (cause) => brokenNode(path, cause))
  const dtrDsr = settings.flowControl === 'dtr_dsr' ? await orClose(createDtrDsr(path, port, msPerByte)) : undefined

  const broken = Promise.withResolvers<LineError>()
  let listener: (bytes: Uint8Array) => void = () => {}
  let closing: Promise<void> | undefined
  let sentAt = 0

  function breakOff(cause: unknown): LineError {
    const error = brokenNode(path, cause)
    if (!closing) broken.resolve(error)
    return error
  }

  async function read(): Promise<void> {
    const buffer = Buffer.alloc(256)
    while (!closing) {
      const { bytesRead } = await port.read(buffer, 0, buffer.length)
      listener(Uint8Array.prototype.slice.call(buffer, 0, bytesRead))
    }
  }

  // The binding does not notice a hang-up during a read, and then reads zero bytes in a loop until it is closed.
  const endWatch = watchNode(path, opened, (why) => {
    breakOff(why)
    void line.close()
  })

  async function shut(deliverMs: number): Promise<void> {
    endWatch()
    const onTheWire = Math.min(deliverMs, sentAt - performance.now())
    if (onTheWire > 0) await sleep(onTheWire)
    // Closing a port with unsent bytes may take half a minute.
    await port.flush().catch(() => {})
    await port.close().catch(() => {})
  }

  const line: Line = {
    async write(bytes, signal) {
      if (closing) throw brokenNode(path)
      const abort = () => void line.close()
      signal?.addEventListener('abort', abort)
      try {
        if (signal?.aborted) throw stalledLine(path)
        const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
        if (dtrDsr) await dtrDsr.write(content, () => closing !== undefined)
        else await port.write(content)
        // The line is closed then, also where the port has taken all bytes at the last moment.
        if (signal?.aborted) throw stalledLine(path)
        if (dtrDsr && closing) throw brokenNode(path)
        sentAt = Math.max(sentAt, performance.now()) + bytes.length * msPerByte
      } catch (error) {
        throw error instanceof LineError ? error : signal?.aborted ? stalledLine(path) : breakOff(error)
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    onBytes(given) {
      listener = given
    },
    listen() {},
    broken: broken.promise,
    close(deliverMs = 0) {
      closing ??= shut(deliverMs)
      return closing
    },
  }
  read().catch(breakOff)
  return line
}

/** The binding's errors have no codes: after the check of the node, only a lock or a defective port remains. */
function whyNot(path: string, error: unknown): LineError {
  return /lock|busy/i.test(String(error)) ? busyNode(path, error) : deadNode(path, error)
}

/** What of a serial port DTR/DSR needs. */
interface ControlLines {
  set(lines: { dtr: boolean; rts: boolean }): Promise<void>
  get(): Promise<{ dsr: boolean }>
  write(bytes: Buffer): Promise<void>
}

/** Fewer than a printer takes after it asks to wait: 128 by Epson's default [S], less by clones [U]. */
const PIECE_BYTES = 32
/** How often DSR is read while it holds. */
const AGAIN_MS = 10

/**
 * DTR says that we are ready; DSR is read before each piece, which waits until the one before has left the port: DSR
 * stops nothing that the operating system, which does not know this, has taken.
 * @throws LineError when the port has no control lines
 */
async function createDtrDsr(path: string, port: ControlLines, msPerByte: number) {
  try {
    await port.set({ dtr: true, rts: true })
    await port.get()
  } catch (error) {
    throw withoutControlLines(path, error)
  }
  return {
    /** Resolves when everything was given to the port, or when `isOver`. */
    async write(bytes: Buffer, isOver: () => boolean): Promise<void> {
      for (let at = 0; at < bytes.length && !isOver(); ) {
        const { dsr } = await port.get()
        const piece = dsr ? bytes.subarray(at, at + PIECE_BYTES) : bytes.subarray(0, 0)
        if (dsr) await port.write(piece)
        at += piece.length
        await sleep(dsr ? piece.length * msPerByte : AGAIN_MS)
      }
    },
  }
}

function withoutControlLines(path: string, cause: unknown): LineError {
  return new LineError(
    'missing',
    {
      en: `${path} has no control lines, so DTR/DSR is not possible on it.`,
      hr: `${path} nema upravljačkih vodova, pa DTR/DSR na njemu nije moguć.`,
    },
    {
      en: 'Set another flow control: fisk printer set DEVICE --flow-control none, rts_cts or xon_xoff, and the same at the printer.',
      hr: 'Postavite drugu kontrolu toka: fisk printer set DEVICE --flow-control none, rts_cts ili xon_xoff, i istu na pisaču.',
    },
    cause,
  )
}
