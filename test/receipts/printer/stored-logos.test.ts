import { expect, onTestFinished, test } from 'vitest'
import type { PrinterSettings } from '../../../src/domain/printer.ts'
import { encodeReceipt } from '../../../src/receipts/encoding/encode-receipt.ts'
import { preparedLogo } from '../../../src/receipts/logo/prepare-logo.ts'
import type { PtyPrinter, PtyPrinterOptions } from '../../../src/simulator/index.ts'
import { ringLogo } from '../../support/logos.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { type Host, hastySettings, startHost, startPair } from '../../support/receipt-printer.ts'
import { isSameDrawing, read } from '../escpos/golden/pixels.ts'
import { receipt } from '../escpos/golden/sales.ts'

const LOGO = preparedLogo(ringLogo())
const OTHER_LOGO = preparedLogo(ringLogo(300, 300))

async function pairOf(options: PtyPrinterOptions & { settings?: Partial<PrinterSettings> } = {}) {
  const pair = await startPair({ dots: 576, bufferBytes: 1 << 16, ...options }, onTestFinished)
  await untilReady(pair.host)
  return pair
}

async function untilReady({ printer }: Host): Promise<void> {
  await expect.poll(() => printer.condition().state, { timeout: 5000 }).toBe('ready')
}

function print({ printer }: Host, logoFile = LOGO, settings = hastySettings()) {
  const sale = receipt({ logo: logoFile === LOGO ? 'ring' : 'other', logoFile })
  return printer.print({
    encode: () => encodeReceipt(sale, settings),
    begin: async () => true,
    giveUpAt: performance.now() + PATIENCE_MS,
  })
}

const written = (machine: PtyPrinter) => Object.values(machine.graphicsWrites)

/** Prints, and says how many bytes that took. */
async function bytesOf(machine: PtyPrinter, work: () => Promise<{ begun: boolean }>): Promise<number> {
  const before = machine.receivedBytes
  expect(await work()).toMatchObject({ begun: true, status: 'printed' })
  return machine.receivedBytes - before
}

async function untilWritten(machine: PtyPrinter, host: Host, times = 1): Promise<void> {
  await expect.poll(() => written(machine), { timeout: 5000 }).toEqual(Array(times).fill(1))
  // What is done for the logo ends with the list of what is there.
  await host.printer.look()
}

test('the first receipt sends the logo as dots, then it is written once, and every later one looks the same', async () => {
  const { machine, host } = await pairOf()
  const dots = await bytesOf(machine, () => print(host))
  await untilWritten(machine, host)
  const stored = await bytesOf(machine, () => print(host))
  await bytesOf(machine, () => print(host))
  expect(dots - stored).toBeGreaterThan(3000)
  expect(written(machine)).toEqual([1])
  const [first, ...later] = machine.papers.filter(({ cut }) => cut).map((paper) => read(paper.png()))
  expect(later.map((paper) => first && isSameDrawing(paper, first))).toEqual([true, true])
  expect({ unknown: machine.unknownCommands, refused: machine.refused }).toEqual({ unknown: [], refused: [] })
})

test('a printer that has the logo from before is not written again, after a restart of the daemon either', async () => {
  const { machine, host } = await pairOf()
  await bytesOf(machine, () => print(host))
  await untilWritten(machine, host)
  await host.printer.close()
  const next = startHost({ kind: 'serial', path: machine.path }, hastySettings(), onTestFinished)
  await untilReady(next)
  const dots = await bytesOf(machine, () => print(next))
  await next.printer.look()
  const stored = await bytesOf(machine, () => print(next))
  expect(dots - stored).toBeGreaterThan(3000)
  expect(written(machine)).toEqual([1])
})

test('a printer that prints no logo is asked for none', async () => {
  const { machine, host } = await pairOf({ withoutGraphics: true })
  await bytesOf(machine, () => host.print({ segments: encodeReceipt(receipt(), hastySettings()).segments.slice() }))
  await host.printer.look()
  expect(machine.unknownCommands).toEqual([])
})

test('each logo has a place of its own', async () => {
  const { machine, host } = await pairOf()
  await bytesOf(machine, () => print(host))
  await untilWritten(machine, host)
  await bytesOf(machine, () => print(host, OTHER_LOGO))
  await untilWritten(machine, host, 2)
})

test('a printer that knows no memory for pictures gets the dots each time, and nothing is printed in between', async () => {
  const { machine, host } = await pairOf({ withoutGraphics: true })
  for (let times = 0; times < 3; times += 1) await bytesOf(machine, () => print(host))
  const [first, ...later] = machine.papers.filter(({ cut }) => cut).map((paper) => read(paper.png()))
  expect(later.map((paper) => first && isSameDrawing(paper, first))).toEqual([true, true])
  expect(written(machine)).toEqual([])
})

test('a printer that is set to get the logo each time is asked for nothing else', async () => {
  const { machine, host } = await pairOf({ settings: { logo: 'sent' } })
  const settings = hastySettings({ logo: 'sent' })
  const first = await bytesOf(machine, () => print(host, LOGO, settings))
  const second = await bytesOf(machine, () => print(host, LOGO, settings))
  expect(Math.abs(first - second)).toBeLessThan(500)
  expect(written(machine)).toEqual([])
})
