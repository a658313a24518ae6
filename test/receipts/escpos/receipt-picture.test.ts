import { PNG } from 'pngjs'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Receipt } from '../../../src/domain/sale/receipt.ts'
import { receiptPicture } from '../../../src/receipts/drawing/receipt-picture.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { layOut } from '../../../src/receipts/layout/layout.ts'
import { paperOf } from '../../../src/receipts/layout/paper.ts'
import { processorTime } from '../../support/processor-time.ts'
import { item, receipt } from './golden/sales.ts'

const SETTINGS = settingsOf('epson-tm-t20', {})

/** Draws a receipt, and tells how often others had their turn before it was packed in zlib's thread, or was refused. */
async function turnsWhileDrawing(sale: Receipt): Promise<number> {
  let [turns, isDrawn] = [0, false]
  const pack = vi.spyOn(PNG.prototype, 'pack').mockImplementationOnce(function (this: PNG) {
    isDrawn = true
    return this.pack()
  })
  onTestFinished(() => pack.mockRestore())
  const look = () => {
    if (isDrawn) return
    turns += 1
    setImmediate(look)
  }
  setImmediate(look)
  await receiptPicture(sale, SETTINGS).catch(() => {
    isDrawn = true
  })
  expect(isDrawn).toBe(true)
  return turns
}

const many = (count: number, name: string) =>
  receipt({ items: Array.from({ length: count }, () => item(name, '1', '1.00', '1.00')) })
const LONG_NAME = 'č'.repeat(200)
const FEES = Array.from({ length: 1000 }, () => ({ name: 'щ'.repeat(100), amount: '0.00' }))

test.each([
  ['a plain receipt', receipt()],
  ['the longest picture', many(48, LONG_NAME)],
])('others have their turn after every line of %s, and while it is packed', async (_, sale) => {
  expect(await turnsWhileDrawing(sale)).toBeGreaterThanOrEqual(layOut(sale, paperOf(SETTINGS)).length)
})

test('others have their turn before it is known that a receipt is too long', async () => {
  expect(await turnsWhileDrawing(many(100, 'щ'.repeat(200)))).toBeGreaterThanOrEqual(100)
  expect(await turnsWhileDrawing(receipt({}, { fees: FEES }))).toBeGreaterThanOrEqual(1000)
})

test('a line is put together from rows of dots that are kept: a long picture is drawn in less than a second', async () => {
  const spent = processorTime()
  await receiptPicture(many(48, LONG_NAME), SETTINGS)
  expect(spent()).toBeLessThan(1000)
})
