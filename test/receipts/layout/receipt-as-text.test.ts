import { spawnSync } from 'node:child_process'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { receiptText } from '../../../src/receipts/layout/receipt-as-text.ts'
import { skipWithout } from '../../support/tools.ts'
import { item, receipt } from '../escpos/golden/sales.ts'

const PAPER = { columns: 48, encoding: 'cp852' } as const

/** A terminal's half blocks as a picture, light where there is a block, eight pixels for a module. */
function photographed(lines: readonly string[]): Buffer {
  const size = 8
  const width = Math.max(...lines.map((line) => line.length)) * size
  const png = new PNG({ width, height: lines.length * 2 * size })
  const isLight = (char = ' ', upper: boolean) => char === '█' || char === (upper ? '▀' : '▄')
  for (let y = 0; y < png.height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const char = lines[Math.floor(y / (2 * size))]?.[Math.floor(x / size)]
      png.data.fill(isLight(char, y % (2 * size) < size) ? 255 : 0, (y * width + x) * 4, (y * width + x) * 4 + 3)
      png.data[(y * width + x) * 4 + 3] = 255
    }
  }
  return PNG.sync.write(png)
}

test('a terminal shows the lines of the receipt, and the total in letters of one size', () => {
  const text = receiptText(receipt(), PAPER)
  expect(text).toContain('\nUKUPNO EUR                                  3,00\n')
  expect(text).toContain('\n         Žarko i Đurđa automati d.o.o.\n'.slice(1))
})

test('a terminal shows the letters that the paper will have', () => {
  const sale = receipt({ items: [item('Šećer 5 €', '1', '3.00', '3.00')] })
  expect(receiptText(sale, { columns: 48, encoding: 'ascii' })).toContain('\nSecer 5 EUR\n')
  expect(receiptText(sale, { columns: 48, encoding: 'windows1250' })).toContain('\nŠećer 5 €\n')
})

test('a name cannot command a terminal either', () => {
  const text = receiptText(receipt({ items: [item('\x1b[2J\x9b\u202eabc', '1', '3.00', '3.00')] }), PAPER)
  expect(text).toContain('[2J abc')
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

test.skipIf(skipWithout('zbarimg')).each([48, 32] as const)(
  'the QR code in a terminal of %i columns can be read',
  (columns) => {
    const sale = receipt()
    const code = receiptText(sale, { ...PAPER, columns })
      .split('\n')
      .filter((line) => /[█▀▄]/.test(line))
    const { stdout } = spawnSync('zbarimg', ['--raw', '-q', '-'], { input: photographed(code), encoding: 'utf8' })
    expect(stdout).toBe(`${sale.qrPayload}\n`)
  },
)
