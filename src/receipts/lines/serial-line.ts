import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PrinterSettings } from '../../domain/printer.ts'
import { load } from '../lazy-packages.ts'
import { brokenNode, busyNode, deadNode, inspectNode, stalledLine } from './device-node-errors.ts'
import { watchNode } from './device-node-watch.ts'
import { type Line, LineError, serialMsPerByte } from './line.ts'

/** Large, and of no use to a daemon without a serial printer. */
export const loadSerialPort = () => load<typeof import('serialport')>('serialport')

/**
 * A serial port, locked against other programs that lock it. Nothing here waits for the port to run empty: where flow
 * control holds, `tcdrain` would block a thread of the pool for ever.
 * @throws LineError
 */
export async function openSerialLine(path: string, settings: PrinterSettings): Promise<Line> {
  const { SerialPort } = loadSerialPort()
  await inspectNode(path)
  const xonXoff = settings.flowControl === 'xon_xoff'
  const port = await SerialPort.binding
    .open({
      path,
      baudRate: settings.baudRate,
      rtscts: settings.flowControl === 'rts_cts',
      xon: xonXoff,
      xoff: xonXoff,
      lock: true,
    })
    .catch((error: unknown) => Promise.reject(whyNot(path, error)))
  const opened = await stat(path).catch(async (error: unknown) => {
    await port.close().catch(() => {})
    throw brokenNode(path, error)
  })

  const broken = Promise.withResolvers<LineError>()
  let listener: (bytes: Uint8Array) => void = () => {}
  let closing: Promise<void> | undefined
  let sentAt = 0
  const msPerByte = serialMsPerByte(settings.baudRate)

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

  // A hang-up that comes while it reads is not seen by the binding, which then reads nothing without end until it is closed.
  const endWatch = watchNode(path, opened, (why) => {
    breakOff(why)
    void line.close()
  })

  async function shut(deliverMs: number): Promise<void> {
    endWatch()
    const onTheWire = Math.min(deliverMs, sentAt - performance.now())
    if (onTheWire > 0) await sleep(onTheWire)
    // Closing a port that still holds bytes may take half a minute.
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
        await port.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
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

/** The binding names no codes: what `examineNode` has not found is the lock, or a port that does not work. */
function whyNot(path: string, error: unknown): LineError {
  return /lock|busy/i.test(String(error)) ? busyNode(path, error) : deadNode(path, error)
}
