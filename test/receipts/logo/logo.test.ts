import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import type { PrinterSettings } from '../../../src/domain/printer.ts'
import type { Receipt } from '../../../src/domain/sale/receipt.ts'
import { hasDot } from '../../../src/receipts/drawing/bitmap.ts'
import { receiptPicture } from '../../../src/receipts/drawing/receipt-picture.ts'
import { beginReceipt, encodeReceipt } from '../../../src/receipts/encoding/encode-receipt.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { hasRealTimeCommand } from '../../../src/receipts/escpos/raster.ts'
import { logoBitmap } from '../../../src/receipts/logo/logo-bitmap.ts'
import { preparedLogo } from '../../../src/receipts/logo/prepare-logo.ts'
import { readPng } from '../../../src/receipts/logo/read-png.ts'
import { pngOf, ringLogo } from '../../support/logos.ts'
import { isSameDrawing, read } from '../escpos/golden/pixels.ts'
import { bytesOf, print } from '../escpos/golden/print.ts'
import { receipt } from '../escpos/golden/sales.ts'

const sizeOf = (file: Buffer) => {
  const { width, height } = PNG.sync.read(file)
  return [width, height]
}

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

function head(width: number, height: number, { depth = 8, color = 0, interlaced = 0 } = {}): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data.set([depth, color, 0, 0, interlaced], 8)
  return chunk('IHDR', data)
}

/** A PNG file by its parts, whatever they say. */
function rawPng(
  width: number,
  height: number,
  { second, ...kind }: { depth?: number; color?: number; interlaced?: number; second?: Buffer },
  rows: Buffer,
): Buffer {
  const palette = kind.color === 3 ? [chunk('PLTE', Buffer.from([255, 255, 255, 0, 0, 0]))] : []
  const heads = [head(width, height, kind), ...(second ? [second] : []), ...palette]
  const parts = [...heads, chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

describe('a file that is uploaded', () => {
  test('is as large on paper as it was chosen, else at most 15 mm high and never larger than it is', () => {
    expect(sizeOf(preparedLogo(ringLogo(400, 200)))).toEqual([240, 120])
    expect(sizeOf(preparedLogo(ringLogo(1800, 200)))).toEqual([576, 64])
    expect(sizeOf(preparedLogo(ringLogo(50, 40)))).toEqual([50, 40])
    expect(sizeOf(preparedLogo(ringLogo(50, 40), 20))).toEqual([160, 128])
    expect(() => preparedLogo(ringLogo(100, 200), 72)).toThrow(
      '144 mm high: choose a width that makes it at most 40 mm',
    )
  })

  test.each([
    ['16 bits a channel', rawPng(2, 2, { depth: 16 }, Buffer.from('000000ffff00ffff0000', 'hex'))],
    ['a palette', rawPng(2, 2, { color: 3 }, Buffer.from('000001000100', 'hex'))],
    ['one bit a dot', rawPng(2, 2, { depth: 1 }, Buffer.from('00800040', 'hex'))],
    ['interlacing', rawPng(1, 1, { interlaced: 1 }, Buffer.from('0000', 'hex'))],
  ])('may have %s', (_what, file) => {
    expect(() => readPng(file)).not.toThrow()
  })

  test('is white where it is transparent', () => {
    const half = pngOf(3, 1, (x) => [0, 0, 0, [0, 128, 255][x] ?? 0])
    expect([...readPng(half).shades]).toEqual([255, 127, 0])
  })

  const wrongSum = ringLogo()
  wrongSum.writeUInt8(wrongSum.readUInt8(wrongSum.length - 20) ^ 1, wrongSum.length - 20)
  const bomb = Buffer.alloc(64 * 1024 * 1024)
  test.each([
    ['is empty', Buffer.alloc(0), 'this file is none'],
    ['is another picture', Buffer.from('GIF89a'.padEnd(100)), 'this file is none'],
    ['ends too early', ringLogo().subarray(0, 120), 'damaged'],
    ['has a wrong check sum', wrongSum, 'damaged'],
    ['unpacks to far more than its size says', rawPng(8, 8, {}, bomb), 'damaged'],
    ['does so interlaced', rawPng(8, 8, { interlaced: 1 }, bomb), 'damaged'],
    ['is wider than 2000 dots', rawPng(2001, 1, {}, Buffer.alloc(2002)), '2001 x 1 dots: at most 2000'],
    ['has four milliards of dots', rawPng(65_535, 65_535, {}, Buffer.alloc(1)), 'at most 2000 dots to a side'],
    ['has a second size', rawPng(1, 1, { second: head(2001, 2001) }, Buffer.alloc(2)), 'damaged'],
    ['has no dots', rawPng(0, 5, {}, Buffer.alloc(5)), 'it has no dots'],
    ['is blank', pngOf(20, 20, () => [255, 255, 255, 255]), 'blank'],
  ])('that %s is refused with what is wrong', (_what, file, said) => {
    expect(() => preparedLogo(file)).toThrow(said)
  })
})

const PAPERS = [
  { name: '80 mm', settings: settingsOf('epson-tm-t20', {}) },
  { name: '58 mm', settings: settingsOf('xprinter-xp', { columns: 32 }) },
  { name: '180 dpi', settings: settingsOf('epson-tm-t88', {}) },
  { name: 'a printer of columns', settings: settingsOf('generic', { pictures: 'columns' }) },
] satisfies { name: string; settings: PrinterSettings }[]

let last = 0
function withLogo(file: Buffer, changes: Partial<Receipt> = {}): Receipt {
  last += 1
  return receipt({ ...changes, logo: `logo ${last}`, logoFile: file })
}

describe.each(PAPERS)('a logo on $name', ({ settings }) => {
  const paperOf = (sale: Receipt) => {
    const { papers, unknownCommands, refused } = print(encodeReceipt(sale, settings), settings)
    expect({ unknownCommands, refused, papers: papers.length }).toEqual({ unknownCommands: [], refused: [], papers: 1 })
    return read(papers[0]?.png() ?? Buffer.alloc(0))
  }

  test('comes out above the receipt', () => {
    const sale = withLogo(preparedLogo(ringLogo(1000, 300), 60), { jir: null })
    expect(paperOf(sale).height).toBeGreaterThan(paperOf(receipt({ jir: null })).height + 50)
  })

  test('has no real-time command in its bytes, whatever is drawn', () => {
    // Columns of shades make every pattern of dots somewhere.
    const noise = (seed: number) =>
      pngOf(576, 120, (x, y) => {
        const shade = (x * 31 + y * 17 * seed + ((x * y) % 97) * 3) % 256
        return [shade, shade, shade, 255]
      })
    for (let seed = 1; seed <= 8; seed += 1) {
      const bytes = bytesOf(encodeReceipt(withLogo(noise(seed)), settings))
      expect(hasRealTimeCommand(bytes)).toBe(false)
    }
  })
})

test.each(PAPERS.slice(0, 2))('on $name it is to the dot what the preview shows', async ({ settings }) => {
  const sale = withLogo(preparedLogo(ringLogo(1000, 300), 60))
  const drawn = { ...settings, qr: 'raster' } as const
  const { papers } = print(encodeReceipt(sale, drawn), drawn)
  expect(isSameDrawing(read(await receiptPicture(sale, drawn)), read(papers[0]?.png() ?? Buffer.alloc(0)))).toBe(true)
})

test('a logo is drawn once for a paper, so that the beginning of a receipt need not be compared dot by dot', () => {
  const file = preparedLogo(ringLogo())
  const [paper, other] = [
    { width: 576, dpi: 203 },
    { width: 384, dpi: 203 },
  ]
  expect(logoBitmap({ hash: 'once', file }, paper)).toBe(logoBitmap({ hash: 'once', file }, paper))
  expect(logoBitmap({ hash: 'once', file }, other)).not.toBe(logoBitmap({ hash: 'once', file }, paper))
})

test('a logo is never wider than a paper that is no whole number of bytes wide', () => {
  const file = preparedLogo(ringLogo(1000, 300), 72)
  expect(logoBitmap({ hash: 'wide', file }, { width: 420, dpi: 203 })?.width).toBe(416)
})

test('a receipt that was begun without JIR ends as if it had been drawn at once, each time that it is drawn', () => {
  const settings = settingsOf('epson-tm-t20', {})
  const sale = withLogo(preparedLogo(ringLogo()))
  const begun = beginReceipt(sale, settings)
  const whole = bytesOf(encodeReceipt(sale, settings))
  expect(bytesOf(encodeReceipt(sale, settings, begun)).equals(whole)).toBe(true)
  expect(bytesOf(encodeReceipt(sale, settings, begun)).equals(whole)).toBe(true)
})

test('a gray surface becomes dots, about as many black ones as it is dark', () => {
  const file = pngOf(80, 80, () => [132, 132, 132, 255])
  const bitmap = logoBitmap({ hash: 'gray', file }, { width: 576, dpi: 203 })
  if (!bitmap) throw new Error('there is no picture')
  let black = 0
  for (let y = 0; y < 80; y += 1) for (let x = 0; x < 80; x += 1) if (hasDot(bitmap, x, y)) black += 1
  expect(black / 6400).toBeCloseTo(0.5, 1)
})

test('a stored file that is no picture leaves the receipt as it is without one', () => {
  const settings = settingsOf('epson-tm-t20', {})
  const sale = withLogo(Buffer.from('no picture'))
  expect(bytesOf(encodeReceipt(sale, settings)).equals(bytesOf(encodeReceipt(receipt({}), settings)))).toBe(true)
})
