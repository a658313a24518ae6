import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LineAddress } from '../../../src/domain/printer.ts'
import { blankBitmap } from '../../../src/receipts/drawing/bitmap.ts'
import { createJob } from '../../../src/receipts/encoding/create-job.ts'
import { createPaperMeter } from '../../../src/receipts/escpos/paper-length.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { layOut } from '../../../src/receipts/layout/layout.ts'
import { paperOf } from '../../../src/receipts/layout/paper.ts'
import { TIMING } from '../../../src/receipts/printer/printer-timing.ts'
import { type Machine, type MachineOptions, startTcpPrinter } from '../../../src/simulator/index.ts'
import { eventually } from '../../support/eventually.ts'
import { startPrinter } from '../../support/printer.ts'
import { startHost } from '../../support/receipt-printer.ts'
import { item, receipt } from '../escpos/golden/sales.ts'

type AtTheEnd = (close: () => void | Promise<void>) => void

/** 62.5 mm/s. */
const SLOW: MachineOptions = { rowsPerMs: 0.5, bufferBytes: 4096 }
const LINES = ['serial', 'usb', 'tcp'] as const

async function startSlow(kind: (typeof LINES)[number], atTheEnd: AtTheEnd, timing: { mmPerS?: number } = {}) {
  let machine: Machine
  let address: LineAddress
  if (kind === 'tcp') {
    const printer = await startTcpPrinter(SLOW)
    atTheEnd(() => printer.close())
    machine = printer
    address = { kind, host: '127.0.0.1', port: printer.port }
  } else {
    const printer = await startPrinter(SLOW, atTheEnd)
    machine = printer
    address = { kind, path: printer.path }
  }
  // It says itself when the paper is out; otherwise the time that it may take is waited for.
  const settings = settingsOf('generic', { answers: 'yes', baudRate: 115_200, confirm: 'process_id' })
  const host = startHost(address, settings, atTheEnd, { ...TIMING, ...timing })
  await eventually(() => expect(host.printer.condition().state).toBe('ready'))
  const items = Array.from({ length: 10 }, (_, n) => item(`Kava s mlijekom ${n}`, '2', '1.50', '3.00'))
  const job = createJob(settings)
  for (const block of layOut(receipt({ items }), paperOf(settings))) job.add(block)
  job.add({ kind: 'picture', bitmap: blankBitmap(160, 160) })
  const segments = [...job.end().segments]

  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, machine.receivedBytes - machine.printedBytes)
  }, 5)
  atTheEnd(() => clearInterval(timer))
  return { machine, host, segments, mostUnprinted: () => most }
}

test.concurrent.for(LINES)(
  'a slow printer with a small buffer prints a receipt with a picture (%s)',
  async (kind, { onTestFinished }) => {
    const { machine, host, segments, mostUnprinted } = await startSlow(kind, onTestFinished)
    expect(Buffer.concat(segments).length).toBeGreaterThan(6500)
    expect(await host.print({ segments })).toEqual({
      begun: true,
      status: 'printed',
      detail: null,
      reason: null,
      mm: expect.any(Number),
    })
    expect(machine.papers.map(({ cut }) => cut)).toEqual([true])
    if (kind === 'serial') expect(mostUnprinted()).toBeLessThan(3300)
  },
)

test.concurrent('a serial printer whose paper runs out is not outrun when it goes on', async ({ onTestFinished }) => {
  const { machine, host, segments, mostUnprinted } = await startSlow('serial', onTestFinished)
  machine.at(1000, async () => {
    machine.runOutOfPaper()
    await sleep(3000)
    machine.loadPaper()
  })
  expect(await host.print({ segments })).toMatchObject({ status: 'printed' })
  expect(mostUnprinted()).toBeLessThan(3300)
})

test.concurrent('a slow printer has time to end a receipt when the daemon stops', async ({ onTestFinished }) => {
  const { host, segments } = await startSlow('tcp', onTestFinished)
  const stop = new AbortController()
  const begin = async () => {
    stop.abort()
    return true
  }
  expect(await host.print({ segments, begin, signal: stop.signal })).toMatchObject({
    status: 'printed',
  })
})

test.concurrent('a job below 3 KB is not slowed down, whatever the printer', async ({ onTestFinished }) => {
  const { machine, host, segments } = await startSlow('serial', onTestFinished, { mmPerS: 0.1 })
  const few = segments.slice(0, 5)
  const before = machine.receivedBytes
  const printed = host.print({ segments: few })
  const bytes = Buffer.concat(few).length
  expect(bytes).toBeGreaterThan(2500)
  await eventually(() => expect(machine.receivedBytes - before).toBeGreaterThan(bytes))
  await printed
})

test('paper is measured by the height of lines, the rows of pictures and the lines of a feed', () => {
  const mm = (...segments: (string | number[])[]) => {
    const measure = createPaperMeter(203.2)
    return segments.map(
      (segment) => Math.round(measure(Uint8Array.from(Buffer.from(segment as string, 'latin1'))) * 10) / 10,
    )
  }
  expect(mm('one\ntwo\n')).toEqual([8.6])
  // A line is as high as its highest letters, and the next one is not.
  expect(mm('a\x1d!\x11B\x1d!\x00c\nd\n')).toEqual([10.3])
  expect(mm('\x1d!\x01', 'B\nC\n', '\x1b@d\n')).toEqual([0, 12, 4.3])
  // Tight lines, one of small letters, a feed in dots, and a strip with text in its line.
  expect(mm('\x1dP\xcb\xcb\x1b3\x10a\n', '\x1bM\x01b\n', '\x1bJ\x10', `\x1b* \x02\x00${'\n'.repeat(6)}c\n`)).toEqual([
    3, 2.1, 2, 3,
  ])
  // Bytes of a picture are no lines.
  expect(mm(`\x1dv0\x00\x02\x00\x10\x00${'\n'.repeat(32)}\n`)).toEqual([6.3])
  expect(mm(`\x1dv0\x03\x02\x00\x10\x00${'\n'.repeat(32)}\n`)).toEqual([8.3])
  expect(mm(`\x1b*\x21\x04\x00${'\n'.repeat(12)}\n`, `\x1b*\x00\x04\x00${'\n'.repeat(4)}`)).toEqual([4.3, 0])
  expect(mm('\x1d(k\x05\x0010\n\n\n', '\x1d(k\x03\x001Q0', '\x1bd\x04')).toEqual([0, 30, 17.2])
})
