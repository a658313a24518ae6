import { expect, onTestFinished, test } from 'vitest'
import type { PrinterSettings } from '../../../src/domain/printer.ts'
import { LineError, serialMsPerByte } from '../../../src/receipts/lines/line.ts'
import { openSerialLine } from '../../../src/receipts/lines/serial-line.ts'
import { startPrinter } from '../../support/printer.ts'
import { hastySettings } from '../../support/receipt-printer.ts'

const atTheEnd = (close: () => void | Promise<void>) => onTestFinished(close)
type Binding = NonNullable<Parameters<typeof openSerialLine>[2]>

/** A port with control lines, which a pseudo terminal lacks. */
async function openPort(settings: Partial<PrinterSettings>) {
  const machine = await startPrinter({}, atTheEnd)
  const port = { dsr: true, pieces: [] as number[], opened: {}, lines: {} }
  const binding = {
    open: async (options: object) => {
      port.opened = options
      return {
        write: async (bytes: Buffer) => void port.pieces.push(bytes.length),
        read: () => new Promise(() => {}),
        set: async (lines: object) => void Object.assign(port.lines, lines),
        get: async () => ({ dsr: port.dsr }),
        flush: async () => {},
        close: async () => {},
      }
    },
  } as unknown as Binding
  const line = await openSerialLine(machine.path, hastySettings(settings), binding)
  atTheEnd(() => line.close())
  return { line, port }
}

test('a port is opened with parity and stop bits as they are set, and with 8 data bits', async () => {
  const { port } = await openPort({ parity: 'even', stopBits: 2 })
  expect(port.opened).toMatchObject({ parity: 'even', dataBits: 8, stopBits: 2, rtscts: false, xon: false })
})

test('a byte takes as long as all its bits', () => {
  const usual = { baudRate: 1000, parity: 'none', stopBits: 1 } as const
  expect(serialMsPerByte(usual)).toBe(10)
  expect(serialMsPerByte({ ...usual, parity: 'odd', stopBits: 2 })).toBe(12)
})

test.each(['even', 'odd'] as const)('a real port takes %s parity and two stop bits', async (parity) => {
  const machine = await startPrinter({}, atTheEnd)
  const line = await openSerialLine(machine.path, hastySettings({ parity, stopBits: 2 }))
  atTheEnd(() => line.close())
  await line.write(Buffer.from('all is sent\n'))
  await expect.poll(() => machine.receivedBytes).toBe(12)
})

test('under DTR/DSR we are ready, and nothing is sent while the printer is not', async () => {
  const { line, port } = await openPort({ flowControl: 'dtr_dsr' })
  expect(port.lines).toMatchObject({ dtr: true })
  port.dsr = false
  const writing = line.write(Buffer.alloc(100))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(port.pieces).toEqual([])
  port.dsr = true
  await writing
  expect(port.pieces).toEqual([32, 32, 32, 4])
})

test('under DTR/DSR a printer that stays away is given up when its time is over', async () => {
  const { line, port } = await openPort({ flowControl: 'dtr_dsr' })
  port.dsr = false
  const stop = new AbortController()
  const writing = line.write(Buffer.alloc(100), stop.signal)
  stop.abort()
  await expect(writing).rejects.toMatchObject({ code: 'stalled' })
  expect(port.pieces).toEqual([])
})

test('a port without control lines is refused for DTR/DSR with what to do', async () => {
  const machine = await startPrinter({}, atTheEnd)
  const error = await openSerialLine(machine.path, hastySettings({ flowControl: 'dtr_dsr' })).catch((cause) => cause)
  expect(error).toBeInstanceOf(LineError)
  expect(error).toMatchObject({ code: 'missing', fix: { en: expect.stringContaining('--flow-control') } })
})
