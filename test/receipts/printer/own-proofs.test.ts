import { expect, test } from 'vitest'
import type { PrinterSettings } from '../../../src/domain/printer.ts'
import type { PtyPrinterOptions } from '../../../src/simulator/printer/index.ts'
import { eventually } from '../../support/eventually.ts'
import { IMPATIENT, startPair } from '../../support/receipt-printer.ts'

interface Kind {
  machine: PtyPrinterOptions
  settings: Partial<PrinterSettings>
  /** A receipt of some length, with its cut. */
  receipt: Uint8Array[]
}

const lines = Array.from({ length: 40 }, (_, n) => Buffer.from(`line ${n} of goods and services\n`))
const rows = Array.from({ length: 40 }, () => Buffer.from([0x62, 36, 0, ...Array(36).fill(0xaa)]))
const bytes = (text: string) => Buffer.from(text, 'latin1')

/** A picture whose bytes are questions of one byte, which a Star in line mode answers at once. */
const asking = bytes(`\x1bX\x04\0${'\x04\x05'.repeat(6)}\n`)

const KINDS: Record<string, Kind> = {
  'a Star in line mode': {
    machine: { commands: 'star_line' },
    settings: { commands: 'star_line', confirm: 'star' },
    receipt: [bytes('\x1b@'), ...lines, asking, bytes('\x1bd\x03')],
  },
  'a Star that reports by itself and wraps its answers, as on a network,': {
    machine: { commands: 'star_line', networkStatus: true, reportsFromStart: true },
    settings: { commands: 'star_line', confirm: 'star' },
    receipt: [bytes('\x1b@'), ...lines, asking, bytes('\x1bd\x03')],
  },
  'a Star in raster mode': {
    machine: { commands: 'star_raster' },
    settings: { commands: 'star_raster', confirm: 'star' },
    receipt: [bytes('\x1b*rA\x1b*rP0\0\x1b*rE13\0'), ...rows, bytes('\x1b\x0c\x04\x1b*rB')],
  },
  'a Custom': {
    machine: { maker: 'custom' },
    settings: { confirm: 'custom' },
    receipt: [bytes('\x1b@'), ...lines, bytes('\x1cP\x10\x01E\0')],
  },
}

type AtTheEnd = Parameters<typeof startPair>[1]
const start = ({ machine, settings }: Kind, atTheEnd: AtTheEnd, more: Partial<PrinterSettings> = {}) =>
  startPair({ ...machine, settings: { ...settings, ...more } }, atTheEnd)
const cutPapers = ({ papers }: { papers: { cut: boolean }[] }) => papers.filter(({ cut }) => cut).length

test.concurrent.for(Object.entries(KINDS))(
  '%s proves that a receipt came out, one after another',
  async ([_, kind], { onTestFinished }) => {
    const { machine, host } = await start(kind, onTestFinished)
    for (const times of [1, 2, 3]) {
      expect(await host.print({ segments: kind.receipt })).toMatchObject({ status: 'printed', detail: null })
      expect([cutPapers(machine), machine.unknownCommands]).toEqual([times, []])
    }
  },
)

test.concurrent.for(Object.entries(KINDS))(
  '%s without paper does not begin, and prints once there is paper',
  async ([_, kind], { onTestFinished }) => {
    const { machine, host } = await start(kind, onTestFinished)
    machine.runOutOfPaper()
    expect(await host.print({ segments: kind.receipt, waitMs: 200 })).toMatchObject({
      begun: false,
      reason: 'paper_out',
    })
    machine.loadPaper()
    expect(await host.print({ segments: kind.receipt })).toMatchObject({ status: 'printed' })
    expect(cutPapers(machine)).toBe(1)
  },
)

test.concurrent.for(Object.entries(KINDS))(
  '%s that loses power in the middle is never said to have printed',
  async ([_, kind], { onTestFinished }) => {
    const { machine, host } = await start(kind, onTestFinished, IMPATIENT)
    await eventually(() => expect(host.printer.condition().state).toBe('ready'))
    machine.at(machine.printedBytes + 900, () => {
      machine.powerOff()
      machine.powerOn()
    })
    const result = await host.print({ segments: kind.receipt, waitMs: 3000 })
    expect(result.begun && result.status).not.toBe('printed')
  },
)

test.concurrent.for(Object.entries(KINDS))(
  '%s that stops for want of paper before the end fails, and names it',
  async ([_, kind], { onTestFinished }) => {
    const { machine, host } = await start(kind, onTestFinished)
    await eventually(() => expect(host.printer.condition().state).toBe('ready'))
    machine.at(machine.printedBytes + 600, () => machine.runOutOfPaper())
    expect(await host.print({ segments: kind.receipt, waitMs: 1500 })).toMatchObject({
      ...{ begun: true, status: 'failed', reason: 'paper_out' },
    })
  },
)
