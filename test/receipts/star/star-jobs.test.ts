import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PrinterSettings } from '../../../src/domain/printer.ts'
import { blacken, blankBitmap } from '../../../src/receipts/drawing/bitmap.ts'
import { createJob } from '../../../src/receipts/encoding/create-job.ts'
import { encodeReceipt } from '../../../src/receipts/encoding/encode-receipt.ts'
import { meterOf } from '../../../src/receipts/encoding/paper-meter.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import type { Block, Line } from '../../../src/receipts/layout/blocks.ts'
import { asksByChance } from '../../../src/receipts/star/raster-job.ts'
import { expectQr } from '../../support/printer.ts'
import { skipWithout } from '../../support/tools.ts'
import { bytesOf, print } from '../escpos/golden/print.ts'
import { receipt } from '../escpos/golden/sales.ts'

const LINE = settingsOf('star-line', {})
const RASTER = settingsOf('star-tsp100', {})
const noJudge = skipWithout('zbarimg')

function line(text: string, more: Partial<Line> = {}, span: Partial<Line['spans'][number]> = {}): Line {
  return { kind: 'line', spans: [{ text, bold: false, size: 'normal', ...span }], align: 'left', tight: false, ...more }
}

function printed(settings: PrinterSettings, ...blocks: Block[]) {
  const job = createJob(settings)
  for (const block of blocks) job.add(block)
  const encoded = job.end()
  return { encoded, ...print(encoded, settings) }
}

describe.each([
  ['line mode', LINE],
  ['raster mode', RASTER],
])('in %s', (_, settings) => {
  test('a receipt comes out whole, cut, of known commands', () => {
    const { papers, unknownCommands, refused } = print(encodeReceipt(receipt(), settings), settings)
    expect({ unknownCommands, refused, papers: papers.length, cut: papers[0]?.cut }).toEqual({
      ...{ unknownCommands: [], refused: [], papers: 1, cut: true },
    })
  })

  test.skipIf(noJudge)('the code on a receipt is read', () => {
    const sale = receipt()
    const { papers } = print(encodeReceipt(sale, settings), settings)
    expectQr(papers[0]?.png() ?? Buffer.of(), sale.qrPayload ?? '')
  })

  test.skipIf(noJudge)('a code with text beside it is read from the paper', () => {
    const beside = ['JIR: e2dd1b4e-5b7b-4ba6-', '8d4b-1d2c3b4a5d6e', 'Provjerite račun'].map((text) =>
      line(text, { tight: true }),
    )
    const payload = receipt().qrPayload ?? ''
    const { papers, unknownCommands } = printed(settings, { kind: 'qr', payload, beside, tight: true })
    expect(unknownCommands).toEqual([])
    expectQr(papers[0]?.png() ?? Buffer.of(), payload)
  })

  test('the paper meter knows about as much as the roll, and not less', () => {
    const job = encodeReceipt(receipt(), settings)
    const measure = meterOf(settings)
    const mm = job.segments.reduce((sum, segment) => sum + measure(segment), 0)
    const { papers } = print(job, settings)
    const onPaper = ((papers[0]?.height ?? 0) * 25.4) / 203
    expect(mm).toBeGreaterThan(onPaper - 20)
    expect(mm).toBeLessThan(onPaper * 1.3)
  })

  test('nothing in a picture asks the printer by chance', () => {
    const bitmap = blankBitmap(64, 24)
    // Rows and columns that spell ESC ACK SOH.
    for (const [byte, bits] of [0x1b, 0x06, 0x01].entries()) {
      for (let bit = 0; bit < 8; bit += 1) {
        if (!(bits & (0x80 >> bit))) continue
        blacken(bitmap, byte * 8 + bit, 0)
        blacken(bitmap, 40, byte * 8 + bit)
      }
    }
    const { encoded, papers } = printed(settings, { kind: 'picture', bitmap })
    expect([asksByChance(bytesOf(encoded)), papers.length]).toEqual([false, 1])
  })
})

test('line mode prints letters of Croatian, sizes and bold as they are set', () => {
  const { papers } = printed(
    LINE,
    line('čćđšž ČĆĐŠŽ'),
    line('UKUPNO', { align: 'center' }, { bold: true, size: 'double' }),
    line('malo', { tight: true }, { size: 'small' }),
  )
  expect(papers[0]?.text.split('\n').map((text) => text.trim())).toEqual(
    expect.arrayContaining(['čćđšž ČĆĐŠŽ', 'UKUPNO', 'malo']),
  )
})

test('a plain cut is one where the paper is, after blank lines', () => {
  const tail = (settings: PrinterSettings) =>
    bytesOf(printed(settings, line('x')).encoded)
      .subarray(-6)
      .toString('hex')
  expect(tail({ ...LINE, cut: 'plain', feedLines: 2 })).toBe('1b61021b6401')
  expect(tail({ ...LINE, cut: 'none', feedLines: 2 })).toMatch(/1b6102$/)
})

test('raster mode leaves out blank dots and feeds blank rows', () => {
  const bitmap = blankBitmap(576, 3)
  blacken(bitmap, 0, 0)
  blacken(bitmap, 8, 2)
  const job = bytesOf(printed(RASTER, { kind: 'picture', bitmap }).encoded).toString('latin1')
  expect(job).toContain('b\x01\x00\x80\x1b*rY1\0b\x02\x00\x00\x80')
})

test.each([
  ['line mode', LINE],
  ['raster mode', RASTER],
])('no job of %s asks the printer by chance, whatever is sold', (_, settings) => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      (qrPayload, machine) => {
        expect(asksByChance(bytesOf(encodeReceipt(receipt({ qrPayload, machine }), settings)))).toBe(false)
      },
    ),
    { numRuns: 30 },
  )
})
