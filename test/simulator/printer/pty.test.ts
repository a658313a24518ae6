import { closeSync, constants, existsSync, openSync, readlinkSync, readSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SerialPort } from 'serialport'
import { expect, onTestFinished, test } from 'vitest'
import type { PtyPrinter } from '../../../src/simulator/index.ts'
import { escpos, startVirtualPrinter } from '../../support/printer.ts'
import { tempDir } from '../../support/temp-dir.ts'

const LF = 0x0a
const STATUS = escpos(0x10, 4, 1)

/** A program's serial port, open: what it hears and how it ended. */
async function open(printer: PtyPrinter) {
  const port = new SerialPort({ path: printer.path, baudRate: 38400, rtscts: true, autoOpen: false })
  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())))
  const seen = { heard: Buffer.of() }
  port.on('data', (bytes: Buffer) => {
    seen.heard = Buffer.concat([seen.heard, bytes])
  })
  port.on('error', () => {})
  const close = () => new Promise<void>((resolve) => (port.isOpen ? port.close(() => resolve()) : resolve()))
  onTestFinished(close)
  return { port, seen, close, send: (bytes: Buffer) => void port.write(bytes) }
}

const soon = <T>(read: () => T) => expect.poll(read, { interval: 5 })

test('serialport prints on it and is answered, every byte as it was sent', async () => {
  const printer = await startVirtualPrinter()
  const { seen, send } = await open(printer)
  const all = Array.from({ length: 256 }, (_, byte) => byte)
  send(escpos(0x1d, 'v0', 0, 32, 0, 8, 0, ...all))
  send(escpos('= ', 0x1b, 't', 18, 0xd0, LF, 0x1d, '(H', 6, 0, 48, 48, 'abcd'))
  await soon(() => seen.heard.toString('hex')).toBe(`3722${Buffer.from('abcd').toString('hex')}00`)
  expect(printer.papers[0]?.text).toBe('[picture 256 x 8]\n= đ')
  expect(printer.receivedBytes).toBe(8 + 256 + 7 + 11)
  send(STATUS)
  await soon(() => seen.heard.at(-1)).toBe(0x12)
})

test('it can be closed and opened again, and what was printed stays', async () => {
  const printer = await startVirtualPrinter()
  for (const line of ['one', 'two']) {
    const { send, close } = await open(printer)
    send(escpos(line, LF))
    await soon(() => printer.papers[0]?.text ?? '').toContain(line)
    await close()
  }
  expect(printer.papers[0]?.text).toBe('one\ntwo')
})

test('with the plug out the device hangs up and its name is gone; plugged in again the same name works', async () => {
  const printer = await startVirtualPrinter()
  const device = openSync(printer.path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOCTTY)
  onTestFinished(() => closeSync(device))
  const first = await open(printer)
  first.send(escpos('one', LF))
  await soon(() => printer.papers[0]?.text).toBe('one')
  expect(() => readSync(device, Buffer.alloc(1))).toThrow(/EAGAIN/)
  printer.unplug()
  await soon(() => readSync(device, Buffer.alloc(1))).toBe(0)
  expect(existsSync(printer.path)).toBe(false)
  await expect(open(printer)).rejects.toThrow(/No such file/)

  await printer.plugIn()
  expect(readlinkSync(printer.path)).toMatch(/^\/dev\/pts\/\d+$/)
  const second = await open(printer)
  second.send(Buffer.concat([escpos('two', LF), STATUS]))
  await soon(() => [...second.seen.heard]).toEqual([0x12])
  await soon(() => printer.papers[0]?.text).toBe('one\ntwo')
})

test('the name of a file that is no link is left alone', async () => {
  const linkPath = join(await tempDir(), 'file')
  await writeFile(linkPath, 'mine')
  await expect(startVirtualPrinter({ linkPath })).rejects.toThrow(/no link/)
  expect(await readFile(linkPath, 'utf8')).toBe('mine')
})

test('a power cycle leaves the device where it is, and loses what is sent meanwhile', async () => {
  const printer = await startVirtualPrinter()
  const { seen, send } = await open(printer)
  printer.powerOff()
  send(Buffer.concat([escpos('lost', LF), STATUS]))
  await new Promise((resolve) => setTimeout(resolve, 50))
  printer.powerOn()
  send(Buffer.concat([escpos('kept', LF), STATUS]))
  await soon(() => [...seen.heard]).toEqual([0x12])
  await soon(() => printer.papers[0]?.text).toBe('kept')
})

test('a plug that is part of the printer goes with the power', async () => {
  const printer = await startVirtualPrinter({ builtInUsb: true })
  printer.powerCycle({ offMs: 20 })
  expect(existsSync(printer.path)).toBe(false)
  await soon(() => existsSync(printer.path)).toBe(true)
  const again = await open(printer)
  again.send(STATUS)
  await soon(() => [...again.seen.heard]).toEqual([0x12])
})

test('a printer that takes nothing holds the writer back, and the process goes on', async () => {
  const printer = await startVirtualPrinter({ bufferBytes: 64 })
  printer.runOutOfPaper()
  const { port, close } = await open(printer)
  let written = false
  port.write(Buffer.alloc(256 * 1024, 'x'), () => {
    written = true
  })
  await soon(() => printer.receivedBytes).toBe(64)
  expect((await readFile('/dev/null')).length).toBe(0)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(printer.receivedBytes).toBe(64)
  expect(written).toBe(false)
  port.flush(() => {})
  await close()
})

test('what is answered while nobody has the device open is lost', async () => {
  const printer = await startVirtualPrinter()
  const first = await open(printer)
  first.send(escpos(0x1d, 'a', 0xff))
  await soon(() => first.seen.heard.length).toBe(4)
  await first.close()
  printer.openCover()
  printer.closeCover()
  const second = await open(printer)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const stale = second.seen.heard.length
  second.send(STATUS)
  await soon(() => second.seen.heard.length).toBe(stale + 1)
  expect(stale).toBe(0)
})
