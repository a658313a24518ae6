import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PAPER_COLUMNS } from '../../../src/domain/printer.ts'
import { qrSymbol } from '../../../src/receipts/drawing/qr.ts'
import { receipt } from './golden/sales.ts'

const NATIVE = { drawn: false, tight: false }
const mm = (dots: number, dpi: number) => (dots * 25.4) / dpi
const paper = fc.record({
  columns: fc.constantFrom(...PAPER_COLUMNS),
  dpi: fc.constantFrom(180 as const, 203 as const),
})

test.each([
  [48, 203, 5, 'M'],
  [32, 203, 5, 'M'],
  [42, 180, 4, 'M'],
] as const)(
  'on %i columns at %i dpi a module of a usual receipt has %i dots, at level %s',
  (columns, dpi, moduleDots, level) => {
    expect(qrSymbol(receipt().qrPayload, { columns, dpi }, NATIVE)).toMatchObject({ modules: 41, moduleDots, level })
  },
)

test.each([
  [48, 203, false, 6],
  [48, 203, true, 4],
  [42, 180, true, 4],
] as const)(
  'a code that we draw on %i columns at %i dpi has modules of an even number of dots (tight: %s): %i',
  (columns, dpi, tight, moduleDots) => {
    const symbol = qrSymbol(receipt().qrPayload, { columns, dpi }, { drawn: true, tight })
    expect(symbol).toMatchObject({ modules: 41, moduleDots, level: 'M' })
  },
)

test('every payload of a receipt makes a symbol of 20 mm or more with 2 mm or more around, within the paper', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab09-&='), minLength: 1, maxLength: 150 }),
      paper,
      fc.record({ drawn: fc.boolean(), tight: fc.boolean() }),
      (payload, settings, request) => {
        const { modules, moduleDots, margin } = qrSymbol(payload, settings, request)
        expect(mm(modules * moduleDots, settings.dpi)).toBeGreaterThanOrEqual(20)
        expect(mm(margin, settings.dpi)).toBeGreaterThanOrEqual(2)
        expect(margin).toBeGreaterThanOrEqual(4 * moduleDots)
        expect(modules * moduleDots + 2 * margin).toBeLessThanOrEqual(settings.columns * 12)
      },
    ),
  )
})

test('the longest payload of all is never wider than the paper, at the weaker level', () => {
  const symbol = qrSymbol('x'.repeat(2900), { columns: 32, dpi: 203 }, NATIVE)
  expect(symbol).toMatchObject({ modules: 177, level: 'L' })
  expect(symbol.modules * symbol.moduleDots + 2 * symbol.margin).toBeLessThanOrEqual(384)
})

test('what no QR code can hold is an error, not half a code', () => {
  expect(() => qrSymbol('x'.repeat(3000), { columns: 48, dpi: 203 }, NATIVE)).toThrow()
})
