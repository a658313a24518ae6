import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { receiptPicture } from '../../../src/receipts/drawing/receipt-picture.ts'
import { encodeReceipt } from '../../../src/receipts/encoding/encode-receipt.ts'
import { skipWithout } from '../../support/tools.ts'
import { KINDS } from './golden/kinds.ts'
import { isSameDrawing, isSamePicture, qrBox, read } from './golden/pixels.ts'
import { bytesOf, print } from './golden/print.ts'

// Reviewed by eye. `npx tsx scripts/goldens.ts` writes them anew.
const file = (name: string, ending: string) => new URL(`golden/${name}.${ending}`, import.meta.url)
const golden = (name: string, ending: string) => readFileSync(file(name, ending))

describe.each(KINDS)('the receipt $name', ({ name, receipt, settings }) => {
  test('is the bytes that were reviewed', () => {
    expect(bytesOf(encodeReceipt(receipt, settings)).toString('hex')).toBe(golden(name, 'bin').toString('hex'))
  })

  test('comes out of a printer as the picture that was reviewed, with nothing the printer does not know', () => {
    const { papers, unknownCommands, refused } = print(encodeReceipt(receipt, settings), settings)
    expect({ unknownCommands, refused, papers: papers.length }).toEqual({ unknownCommands: [], refused: [], papers: 1 })
    // A presenter cuts by itself.
    expect(papers[0]?.cut).toBe(settings.cut !== 'none' || settings.afterHex !== '')
    expect(papers[0]?.presented).toBe(name.includes('presenter'))
    expect(isSamePicture(papers[0]?.png(), golden(name, 'png'))).toBe(true)
  })

  test('has a QR code of at least 20 mm with at least 2 mm of blank paper around it', () => {
    const mm = (dots: number) => (dots * 25.4) / settings.dpi
    const box = qrBox(read(golden(name, 'png')))
    expect(box.width).toBe(box.height)
    expect(mm(box.width)).toBeGreaterThanOrEqual(20)
    expect(mm(box.quiet)).toBeGreaterThanOrEqual(2)
  })
})

test.skipIf(skipWithout('zbarimg'))('every QR code reads as exactly what the law wants in it', () => {
  const pictures = KINDS.map(({ name }) => fileURLToPath(file(name, 'png')))
  const { stdout } = spawnSync('zbarimg', ['--raw', '-q', ...pictures], { encoding: 'utf8' })
  expect(stdout.trimEnd().split('\n')).toEqual(KINDS.map(({ receipt }) => receipt.qrPayload))
})

// A printer that makes the code by itself may write the same in another way.
const SEEN = [
  'cash',
  'long-names',
  'fifteen-digits-58-mm',
  'all-taxes-and-fees',
  'test-mode',
  'raster',
  '58-mm-raster-ascii',
  'compact',
  'compact-58-mm-raster',
  'compact-test-mode-58-mm',
]
const previewed = KINDS.filter(({ name }) => SEEN.includes(name))

test.each(previewed)('the preview of the receipt $name is to the dot what a printer makes of it', async (kind) => {
  const { receipt } = kind
  const settings = { ...kind.settings, qr: 'raster' } as const
  const { papers } = print(encodeReceipt(receipt, settings), settings)
  const preview = read(await receiptPicture(receipt, settings))
  expect(isSameDrawing(preview, read(papers[0]?.png() ?? Buffer.alloc(0)))).toBe(true)
})
