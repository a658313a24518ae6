import { execFileSync } from 'node:child_process'
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { LineAddress } from '../../../src/domain/printer.ts'
import { forbiddenNode, missingNode } from '../../../src/receipts/lines/device-node-errors.ts'
import { nodeOwner } from '../../../src/receipts/lines/device-node-owner.ts'
import { LineError } from '../../../src/receipts/lines/line.ts'
import { openLine } from '../../../src/receipts/lines/open-line.ts'
import { listPrinterNodes } from '../../../src/receipts/lines/printer-device-nodes.ts'
import { loadSerialPort, openSerialLine } from '../../../src/receipts/lines/serial-line.ts'
import { unreachable } from '../../../src/receipts/lines/tcp-line.ts'
import { startTcpPrinter } from '../../../src/simulator/index.ts'
import { english } from '../../support/english.ts'
import { startPrinter } from '../../support/printer.ts'
import { hastySettings, receipt, startHost, timesOnPaper } from '../../support/receipt-printer.ts'
import { tempDir } from '../../support/temp-dir.ts'

const atTheEnd = (close: () => void | Promise<void>) => onTestFinished(close)
const settings = hastySettings()

async function open(address: LineAddress) {
  const line = await openLine(address, settings)
  atTheEnd(() => line.close())
  return line
}

const refusal = (address: LineAddress): Promise<LineError> =>
  openLine(address, settings).then(
    async (line) => {
      await line.close()
      throw new Error('It opened')
    },
    (error) => error,
  )

test.each(['serial', 'usb'] as const)('a %s line carries bytes both ways', async (kind) => {
  const machine = await startPrinter({}, atTheEnd)
  const line = await open({ kind, path: machine.path })
  const answers: number[] = []
  line.onBytes((bytes) => answers.push(...bytes))
  line.listen(true)
  await line.write(Uint8Array.of(0x10, 0x04, 0x01))
  await expect.poll(() => answers, { interval: 5 }).toEqual([0x12])
})

test('a serial line that was given up has stalled, also where the port has just taken all bytes', async () => {
  const { path } = await startPrinter({}, atTheEnd)
  const stop = new AbortController()
  const { binding } = loadSerialPort().SerialPort
  const open = async (options: never) => {
    const port = await binding.open(options)
    const write = port.write.bind(port)
    port.write = async (bytes) => {
      await write(bytes)
      stop.abort()
    }
    return port
  }
  const line = await openSerialLine(path, settings, { open: open as typeof binding.open })
  atTheEnd(() => line.close())
  await expect(line.write(Uint8Array.of(0x10, 0x04, 0x01), stop.signal)).rejects.toMatchObject({ code: 'stalled' })
})

test.each(['serial', 'usb'] as const)(
  'a receipt comes out over a %s line, and after the cable was out',
  async (kind) => {
    const machine = await startPrinter({}, atTheEnd)
    const host = startHost({ kind, path: machine.path }, settings, atTheEnd)
    expect(await host.print()).toMatchObject({ status: 'printed' })
    machine.unplug()
    await expect.poll(() => host.printer.condition().state).toBe('lost')
    await machine.plugIn()
    expect(await host.print({ segments: receipt('TWO') })).toMatchObject({ status: 'printed' })
    expect([timesOnPaper(machine), timesOnPaper(machine, 'TWO')]).toEqual([1, 1])
  },
)

test('a receipt comes out over the network, and after the printer was off', async () => {
  const machine = await startTcpPrinter()
  atTheEnd(() => machine.close())
  const host = startHost({ kind: 'tcp', host: '127.0.0.1', port: machine.port }, settings, atTheEnd)
  expect(await host.print()).toMatchObject({ status: 'printed' })
  machine.powerOff()
  await expect.poll(() => host.printer.condition().state).toBe('lost')
  machine.powerOn()
  expect(await host.print({ segments: receipt('TWO') })).toMatchObject({ status: 'printed' })
  expect(machine.papers).toHaveLength(2)
})

test('a network printer that loses power in the middle makes the receipt fail', async () => {
  const machine = await startTcpPrinter()
  atTheEnd(() => machine.close())
  const host = startHost({ kind: 'tcp', host: '127.0.0.1', port: machine.port }, settings, atTheEnd)
  machine.at(700, () => machine.powerCycle({ offMs: 20 }))
  expect(await host.print()).toMatchObject({ begun: true, status: 'failed' })
})

test('a file takes receipts one after another, readable for its owner only, and never answers', async () => {
  const path = join(await tempDir(), 'receipts.bin')
  const host = startHost({ kind: 'file', path }, settings, atTheEnd)
  const result = await host.print()
  expect(result).toMatchObject({ begun: true, status: 'unconfirmed' })
  await host.print({ segments: receipt('TWO') })
  expect(await readFile(path)).toEqual(Buffer.concat([...receipt(), ...receipt('TWO')]))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(english(host.printer.condition())).toMatchObject({ state: 'unknown', detail: null })
})

test('a file line is no way to write to anything but a file', async () => {
  const dir = await tempDir()
  const fifo = join(dir, 'fifo')
  execFileSync('mkfifo', [fifo])
  await writeFile(join(dir, 'secret'), 'kept')
  await symlink(join(dir, 'secret'), join(dir, 'link'))
  for (const path of [fifo, dir, join(dir, 'link'), '/dev/null']) {
    const error = await refusal({ kind: 'file', path })
    expect(error).toBeInstanceOf(LineError)
    expect(error).toMatchObject({ code: 'missing', message: `${path} is not a regular file.` })
  }
  expect(await readFile(join(dir, 'secret'), 'utf8')).toBe('kept')
  expect(await refusal({ kind: 'file', path: join(dir, 'none/x') })).toMatchObject({ code: 'missing' })
})

test.each(['serial', 'usb'] as const)(
  'a %s path that is not there, or no device, is refused in plain words',
  async (kind) => {
    const dir = await tempDir()
    const gone = await refusal({ kind, path: join(dir, 'ttyUSB0') })
    expect(gone).toMatchObject({ code: 'missing', message: `${join(dir, 'ttyUSB0')} is not there.` })
    await writeFile(join(dir, 'file'), '')
    expect(await refusal({ kind, path: join(dir, 'file') })).toMatchObject({
      code: 'missing',
      message: `${join(dir, 'file')} is not a device.`,
    })
  },
)

test('a path that is not there is answered with those that are', () => {
  const names = ['/dev/serial/by-id/usb-EPSON_TM-T20-if00', '/dev/usb/lp0']
  expect(missingNode('/dev/ttyUSB0', names).fix.en).toContain(names.join(', '))
  expect(missingNode('/dev/ttyUSB0', []).fix.en).toContain('no printer or serial port is attached')
})

test('a device that we may not open is answered with its group and how to join it', async () => {
  const etc = await tempDir()
  await writeFile(join(etc, 'passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
  await writeFile(join(etc, 'group'), 'root:x:0:\nlp:x:7:\ndialout:x:20:kiosk\n')
  const dialout = { ...(await nodeOwner({ uid: 0, gid: 20, mode: 0o20660 }, etc)), user: 'fiskd' }
  expect(forbiddenNode('/dev/ttyUSB0', dialout)).toMatchObject({
    code: 'forbidden',
    message: '/dev/ttyUSB0 belongs to user root and group dialout (mode 0660); user fiskd may not open it.',
    fix: { en: 'Run `usermod -aG dialout fiskd` as root, then restart fiskd.' },
  })
  const closed = { ...(await nodeOwner({ uid: 0, gid: 4711, mode: 0o20600 }, etc)), user: 'fiskd' }
  expect(forbiddenNode('/dev/usb/lp0', closed).fix.en).toMatch(/^Group 4711 may not read and write it: .*udev rule/)
})

test('one printer is not opened twice, by whatever names', async () => {
  const machine = await startPrinter({}, atTheEnd)
  const other = join(await tempDir(), 'other')
  await symlink(machine.path, other)
  const line = await open({ kind: 'serial', path: machine.path })
  const error = await refusal({ kind: 'usb', path: other })
  expect(error).toMatchObject({ code: 'busy', message: expect.stringContaining(`as serial:${machine.path}`) })
  await line.close()
  await open({ kind: 'serial', path: other })
})

test('a line that is closed once more does not free what somebody else holds by now', async () => {
  const { path } = await startPrinter({}, atTheEnd)
  const address = { kind: 'serial', path } as const
  const line = await open(address)
  await line.close()
  await open(address)
  await line.close()
  expect(await refusal(address)).toMatchObject({ code: 'busy', message: expect.stringContaining('this installation') })
})

test('a port that another program has locked is busy', async () => {
  const machine = await startPrinter({}, atTheEnd)
  const { SerialPort } = await import('serialport')
  const holder = await SerialPort.binding.open({ path: machine.path, baudRate: 9600, lock: true })
  atTheEnd(() => holder.close())
  expect(await refusal({ kind: 'serial', path: machine.path })).toMatchObject({
    code: 'busy',
    message: `${machine.path} is in use by another program.`,
  })
})

test('a printer that cannot be reached over the network says why', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await expect.poll(() => server.listening).toBe(true)
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  expect(await refusal({ kind: 'tcp', host: '127.0.0.1', port })).toMatchObject({
    code: 'unreachable',
    message: `127.0.0.1 refuses connections on port ${port}.`,
  })
  const because = (code: string) => unreachable('printer', 9100, Object.assign(new Error(code), { code })).message
  expect(because('ENOTFOUND')).toBe('No host is known by the name printer.')
  expect(because('ETIMEDOUT')).toBe('printer:9100 does not answer (ETIMEDOUT).')
})

test.each(['serial', 'usb'] as const)(
  'a %s printer that takes nothing is given up in time, and nothing else waits for it',
  async (kind) => {
    const machine = await startPrinter({ bufferBytes: 64 }, atTheEnd)
    machine.runOutOfPaper()
    const line = await open({ kind, path: machine.path })
    const stop = new AbortController()
    const writing = line.write(Buffer.alloc(500_000, 0x41), stop.signal)
    const ended = expect(writing).rejects.toMatchObject({ code: 'stalled' })
    // The pool has four threads: were they waiting, no file could be read.
    const startedAt = performance.now()
    for (let reads = 0; reads < 20; reads++) {
      await Promise.all(Array.from({ length: 8 }, () => readFile(import.meta.filename)))
      await sleep(5)
    }
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    stop.abort()
    await ended
    const closedAt = performance.now()
    await line.close()
    expect(performance.now() - closedAt).toBeLessThan(20_000)
  },
)

test('a printer that takes nothing over the network is given up in time', async () => {
  const server = createServer((socket) => socket.pause().on('error', () => {})).listen(0, '127.0.0.1')
  atTheEnd(() => void server.close())
  await expect.poll(() => server.listening).toBe(true)
  const line = await open({ kind: 'tcp', host: '127.0.0.1', port: (server.address() as { port: number }).port })
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 100)
  await expect(line.write(Buffer.alloc(50_000_000), stop.signal)).rejects.toMatchObject({ code: 'stalled' })
})

test('nodes that may be printers are listed, the steady names first', async () => {
  const dev = await tempDir()
  await mkdir(join(dev, 'serial/by-id'), { recursive: true })
  await mkdir(join(dev, 'usb'))
  for (const name of ['ttyUSB0', 'ttyUSB1', 'ttyACM0', 'ttyS0', 'usb/lp1', 'usb/lp0', 'usb/hiddev0']) {
    await writeFile(join(dev, name), '')
  }
  await symlink('../../ttyUSB1', join(dev, 'serial/by-id/usb-EPSON-if00'))
  const found = await listPrinterNodes(dev)
  expect(found.map((path) => path.slice(dev.length + 1))).toEqual([
    'serial/by-id/usb-EPSON-if00',
    'usb/lp0',
    'usb/lp1',
    'ttyACM0',
    'ttyUSB0',
  ])
  expect(await listPrinterNodes(join(dev, 'none'))).toEqual([])
})

test('a printer that the udev rules know is listed once, by its serial number or else by its port', async () => {
  const dev = await tempDir()
  for (const folder of ['fiskd', 'serial/by-id', 'usb']) await mkdir(join(dev, folder), { recursive: true })
  for (const name of ['ttyACM0', 'usb/lp0', 'usb/lp1']) await writeFile(join(dev, name), '')
  await symlink('../usb/lp0', join(dev, 'fiskd/printer-usb-EPSON_TM-T20_4A31'))
  await symlink('../usb/lp0', join(dev, 'fiskd/printer-usb-at-pci-0000:00:14.0-usb-0:1:1.0'))
  await symlink('../usb/lp1', join(dev, 'fiskd/printer-usb-at-pci-0000:00:14.0-usb-0:2:1.0'))
  await symlink('../ttyACM0', join(dev, 'fiskd/printer-serial-Star_mC-Print3_77'))
  await symlink('../../ttyACM0', join(dev, 'serial/by-id/usb-Star_mC-Print3_77-if00'))
  const found = await listPrinterNodes(dev)
  expect(found.map((path) => path.slice(dev.length + 1))).toEqual([
    'fiskd/printer-serial-Star_mC-Print3_77',
    'fiskd/printer-usb-EPSON_TM-T20_4A31',
    'fiskd/printer-usb-at-pci-0000:00:14.0-usb-0:2:1.0',
  ])
})
