import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { escpos, startNetworkPrinter } from '../../support/printer.ts'

const LF = 0x0a
const STATUS = escpos(0x10, 4, 1)

async function open(port: number): Promise<{ socket: Socket; heard: number[] }> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const heard: number[] = []
  socket.on('data', (bytes) => heard.push(...bytes))
  await once(socket, 'connect')
  socket.on('error', () => {})
  return { socket, heard }
}

/** That whoever connects is sent away at once. */
async function expectRefusal(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await new Promise((resolve) => socket.on('close', resolve))
}

const soon = <T>(read: () => T) => expect.poll(read, { interval: 5 })

test('a network printer prints and answers on its port', async () => {
  const printer = await startNetworkPrinter()
  const { socket, heard } = await open(printer.port)
  socket.write(Buffer.concat([escpos('one', LF), STATUS]))
  await soon(() => heard).toEqual([0x12])
  await soon(() => printer.papers[0]?.text).toBe('one')
})

test('it takes one connection at a time', async () => {
  const printer = await startNetworkPrinter()
  const first = await open(printer.port)
  first.socket.write(STATUS)
  await soon(() => first.heard).toEqual([0x12])
  await expectRefusal(printer.port)

  first.socket.end(escpos('last words', LF))
  await soon(() => printer.log.at(-1)?.what).toBe('disconnected')
  const second = await open(printer.port)
  second.socket.write(STATUS)
  await soon(() => second.heard).toEqual([0x12])
  expect(printer.papers[0]?.text).toBe('last words')
})

test('losing power it drops the connection and takes none until it is on again', async () => {
  const printer = await startNetworkPrinter()
  const first = await open(printer.port)
  first.socket.write(STATUS)
  await soon(() => first.heard).toEqual([0x12])
  printer.powerOff()
  await soon(() => first.socket.destroyed).toBe(true)
  await expectRefusal(printer.port)
  printer.powerOn()
  const second = await open(printer.port)
  second.socket.write(STATUS)
  await soon(() => second.heard).toEqual([0x12])
})

test('without paper and with a full buffer the sender is held back', async () => {
  const printer = await startNetworkPrinter({ bufferBytes: 64 })
  printer.runOutOfPaper()
  const { socket } = await open(printer.port)
  socket.write(Buffer.concat([Buffer.alloc(8 * 1024 * 1024), escpos('end', LF)]))
  await soon(() => printer.receivedBytes).toBe(64)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(printer.receivedBytes).toBe(64)
  expect(socket.writableLength).toBeGreaterThan(0)
})
