import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAPER_COLUMNS } from '../../../src/domain/printer.ts'
import { type Bitmap, hasDot } from '../../../src/receipts/drawing/bitmap.ts'
import { encodeReceipt } from '../../../src/receipts/encoding/encode-receipt.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { hasRealTimeCommand, rasterBands } from '../../../src/receipts/escpos/raster.ts'
import { bytesOf } from '../escpos/golden/print.ts'
import { receipt } from '../escpos/golden/sales.ts'

/** A picture whose rows are these bytes. */
function rows(...bytes: number[][]): Bitmap {
  const rowBytes = bytes[0]?.length ?? 0
  return { width: rowBytes * 8, rows: bytes.length, rowBytes, bits: Uint8Array.from(bytes.flat()) }
}

/** The dots without the blank columns at both sides. */
function dots({ width, rows, ...bitmap }: Bitmap): string[] {
  const lines = Array.from({ length: rows }, (_, y) =>
    Array.from({ length: width }, (_, x) => (hasDot({ width, rows, ...bitmap }, x, y) ? '#' : ' ')).join(''),
  )
  const blank = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(blank).trimEnd())
}

/** The picture that bands print, as a printer reads them. */
function printed(bands: readonly Uint8Array[]): Bitmap {
  const [first] = bands
  const data = bands.map((band) => {
    const [gs, v, zero, mode, xl = 0, xh = 0, yl = 0, yh = 0] = band
    expect([gs, v, zero, mode]).toEqual([0x1d, 0x76, 0x30, 0])
    expect(band.length - 8).toBe((xl + 256 * xh) * (yl + 256 * yh))
    return band.subarray(8)
  })
  const rowBytes = (first?.[4] ?? 0) + 256 * (first?.[5] ?? 0)
  const bits = Buffer.concat(data)
  return { width: rowBytes * 8, rowBytes, rows: bits.length / rowBytes, bits }
}

test.each([
  ['DLE EOT', [0x10, 0x04]],
  ['DLE ENQ', [0x10, 0x05]],
  ['DLE DC4', [0x10, 0x14]],
])('a picture with the bytes of %s is moved until they are gone', (_, pair) => {
  const picture = rows([0xff, ...pair, 0xff], [0, 0, 0, 0])
  const bands = rasterBands(picture, 1024)
  expect(hasRealTimeCommand(Buffer.concat(bands))).toBe(false)
  expect(dots(printed(bands))).toEqual(dots(picture))
})

test('a pair across the end of a row is found as well', () => {
  const bands = rasterBands(rows([0, 0, 0x10], [0x04, 0, 0]), 1024)
  expect(hasRealTimeCommand(Buffer.concat(bands))).toBe(false)
})

test('a picture that nothing helps is refused instead of sent', () => {
  // Whatever it is moved by, one of these stands on whole bytes.
  const everywhere = Array.from({ length: 8 }, (_, bit) => [
    0x10 >> bit,
    0xff & (0x1004 >> bit),
    0xff & (0x100400 >> bit),
  ])
  expect(() => rasterBands(rows(everywhere.flat()), 1024)).toThrow('real-time command')
})

test('bands are at most 255 rows and about a kilobyte, and together the whole picture', () => {
  const tall = rows(...Array.from({ length: 700 }, (_, row) => [row & 0x7f]))
  const wide = rows(...Array.from({ length: 90 }, () => Array.from({ length: 72 }, () => 0xaa)))
  for (const picture of [tall, wide]) {
    const bands = rasterBands(picture, 1024)
    for (const band of bands) {
      expect(band.length).toBeLessThanOrEqual(1024 + 8)
      expect((band[6] ?? 0) + 256 * (band[7] ?? 0)).toBeLessThanOrEqual(255)
    }
    expect(dots(printed(bands))).toEqual(dots(picture))
  }
})

test('noise of any kind is sent without a real-time command, to the dot', () => {
  const byte = fc.oneof({ weight: 50, arbitrary: fc.nat(255) }, fc.constantFrom(0x10, 0x04, 0x05, 0x14))
  const picture = fc.integer({ min: 1, max: 30 }).chain((width) => {
    return fc.array(fc.array(byte, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 40 })
  })
  fc.assert(
    fc.property(picture, (bytes) => {
      const bands = rasterBands(rows(...bytes), 1024)
      expect(hasRealTimeCommand(Buffer.concat(bands))).toBe(false)
      expect(dots(printed(bands))).toEqual(dots(rows(...bytes)))
    }),
    { numRuns: 200 },
  )
})

test('no job has a real-time command in it, whatever is sold on whatever paper', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(...PAPER_COLUMNS),
      fc.constantFrom(180 as const, 203 as const),
      fc.constantFrom('native' as const, 'raster' as const),
      fc.constantFrom('raster' as const, 'columns' as const),
      fc.nat(20),
      (qrPayload, machine, columns, dpi, qr, pictures, codePage) => {
        const settings = settingsOf('generic', {
          columns,
          dpi,
          qr,
          pictures,
          encoding: 'cp852',
          codePage,
          cut: 'plain',
          feedLines: codePage,
        })
        expect(hasRealTimeCommand(bytesOf(encodeReceipt(receipt({ qrPayload, machine }), settings)))).toBe(false)
      },
    ),
    { numRuns: 30 },
  )
})
