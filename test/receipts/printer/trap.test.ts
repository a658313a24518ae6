import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAPER_COLUMNS } from '../../../src/domain/printer.ts'
import { encodeReceipt } from '../../../src/receipts/escpos/encode-receipt.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { type Bitmap, type Draw, hasRealTimeCommand, rasterBands } from '../../../src/receipts/escpos/raster.ts'
import { bytesOf } from '../escpos/golden/print.ts'
import { receipt } from '../escpos/golden/sales.ts'

/** A picture whose rows are these bytes, moved to the right as asked. */
function rows(...bytes: number[][]): Draw {
  return (offset) => {
    const width = bytes[0]?.length ?? 0
    const rowBytes = width + Math.ceil(offset / 8)
    const moved = bytes.map((row) => {
      const shifted = BigInt(`0x${Buffer.from(row).toString('hex')}`) << BigInt((rowBytes - width) * 8 - offset)
      return Buffer.from(shifted.toString(16).padStart(rowBytes * 2, '0'), 'hex')
    })
    return { rowBytes, rows: bytes.length, bits: Buffer.concat(moved) }
  }
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
  return { rowBytes, rows: bits.length / rowBytes, bits }
}

test.each([
  ['DLE EOT', [0x10, 0x04]],
  ['DLE ENQ', [0x10, 0x05]],
  ['DLE DC4', [0x10, 0x14]],
])('a picture with the bytes of %s is moved until they are gone', (_, pair) => {
  const draw = rows([0xff, ...pair, 0xff], [0, 0, 0, 0])
  const bands = rasterBands(draw, 1024)
  expect(hasRealTimeCommand(Buffer.concat(bands))).toBe(false)
  expect(Buffer.compare(printed(bands).bits, draw(1).bits)).toBe(0)
})

test('a pair across the end of a row is found as well', () => {
  const bands = rasterBands(rows([0, 0, 0x10], [0x04, 0, 0]), 1024)
  expect(hasRealTimeCommand(Buffer.concat(bands))).toBe(false)
})

test('a picture that nothing helps is refused instead of sent', () => {
  const everywhere = { rowBytes: 2, rows: 2, bits: Uint8Array.of(0x10, 0x04, 0x10, 0x04) }
  expect(() => rasterBands(() => everywhere, 1024)).toThrow('real-time command')
})

test('bands are at most 255 rows and about a kilobyte, and together the whole picture', () => {
  const tall = rows(...Array.from({ length: 700 }, (_, row) => [row & 0x7f]))
  const wide = rows(...Array.from({ length: 90 }, () => Array.from({ length: 72 }, () => 0xaa)))
  for (const draw of [tall, wide]) {
    const bands = rasterBands(draw, 1024)
    for (const band of bands) {
      expect(band.length).toBeLessThanOrEqual(1024 + 8)
      expect((band[6] ?? 0) + 256 * (band[7] ?? 0)).toBeLessThanOrEqual(255)
    }
    expect(Buffer.compare(printed(bands).bits, draw(0).bits)).toBe(0)
  }
})

test('noise of any kind is sent without a real-time command, to the dot', () => {
  const byte = fc.oneof({ weight: 50, arbitrary: fc.nat(255) }, fc.constantFrom(0x10, 0x04, 0x05, 0x14))
  const picture = fc.integer({ min: 1, max: 30 }).chain((width) => {
    return fc.array(fc.array(byte, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 40 })
  })
  fc.assert(
    fc.property(picture, (bytes) => {
      const draw = rows(...bytes)
      const bands = rasterBands(draw, 1024)
      expect(hasRealTimeCommand(Buffer.concat(bands))).toBe(false)
      const { bits } = printed(bands)
      expect(Array.from({ length: 16 }, (_, offset) => Buffer.compare(draw(offset).bits, bits))).toContain(0)
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
      fc.nat(20),
      (qrPayload, machine, columns, dpi, qr, codePage) => {
        const settings = settingsOf('generic', {
          columns,
          dpi,
          qr,
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
