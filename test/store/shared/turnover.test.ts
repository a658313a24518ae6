import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type CalendarDate, dateAt, isoDate } from '../../../src/domain/calendar-date.ts'
import { formatMoney } from '../../../src/domain/money.ts'
import type { FiscalDocument } from '../../../src/domain/sale/sale.ts'
import { TurnoverSum } from '../../../src/domain/sale/turnover.ts'
import { spansOf } from '../../../src/fiscal/office/sums-by-period.ts'
import type { Invoice } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../../src/store/store.ts'
import { freshDatabase, inDatabase } from '../../support/database.ts'
import { onPostgres } from '../../support/postgres.ts'
import { freshStore, openShop } from '../../support/shop.ts'
import { tamper } from '../../support/tamper.ts'

const KINDS = [
  ...(['total', 'vat', 'consumption_tax', 'other_tax', 'exempt', 'non_taxable', 'margin', 'fee'] as const),
  ...(['outside_vat', 'rest'] as const),
]
const COLUMNS = [...(['kind', 'companyId', 'premisesCode', 'paymentMethod', 'refund', 'rate', 'name'] as const)]
const YEAR_2000: CalendarDate = { year: 2000, month: 1, date: 1 }
const YEAR_2100: CalendarDate = { year: 2100, month: 1, date: 1 }

const everything = (store: OpenStore, from = YEAR_2000, to = YEAR_2100) =>
  store.turnover.sums({ tenantId: DEFAULT_TENANT, mode: 'test', spans: spansOf(from, to), kinds: KINDS }, COLUMNS)

/** The same sums, added up one invoice after the other by the rules of the domain. */
function addedUp(invoices: readonly Invoice[]) {
  const sum = new TurnoverSum()
  for (const { companyId, document } of invoices) sum.add(companyId, document, true)
  const { totals, parts } = sum.sums()
  const lines = [
    ...totals.map(({ total, ...line }) => ({
      ...line,
      kind: 'total',
      rate: '',
      name: '',
      base: 0n,
      tax: 0n,
      amount: total,
    })),
    ...parts.map((line) => ({ ...line, rate: line.rate ?? '', name: line.name ?? '' })),
  ]
  return lines.map(({ confirmed: _all, ...line }) => line)
}

const inOrder = (lines: object[]) =>
  lines
    .map((line) => Object.entries(line).sort(([one], [other]) => (one < other ? -1 : 1)))
    .map((line) => line.map(([name, value]) => `${name}=${value}`).join(' '))
    .sort()

const amount = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((n) => formatMoney(BigInt(n)))
const maybe = fc.option(amount, { nil: null })
const rate = fc.constantFrom('0.00', '5.00', '13.00', '25.00')
const taxLine = fc.record({ rate, base: amount, amount })
const outcome = fc.constantFrom(
  {},
  ...(['pending', 'retrying', 'failed', 'expired'] as const).map((status) => ({
    status,
    jir: null,
    confirmedAt: null,
  })),
)
const occurredAt = fc.integer({ min: Date.UTC(2019, 0, 1), max: Date.UTC(2031, 0, 1) })
const sale: fc.Arbitrary<[Partial<Invoice>, Partial<FiscalDocument>]> = fc.tuple(
  fc.tuple(fc.record({ occurredAt }), outcome).map(([moment, status]) => ({ ...moment, ...status })),
  fc.record({
    vatRegistered: fc.boolean(),
    vat: fc.array(taxLine, { maxLength: 3 }),
    consumptionTax: fc.array(taxLine, { maxLength: 2 }),
    otherTaxes: fc.array(
      fc.record({ name: fc.string({ unit: 'grapheme', maxLength: 8 }), rate, base: amount, amount }),
      { maxLength: 2 },
    ),
    fees: fc.array(fc.record({ name: fc.constantFrom('Povratna naknada', "naknada 'b'", ''), amount }), {
      maxLength: 2,
    }),
    vatExemptAmount: maybe,
    marginAmount: maybe,
    nonTaxableAmount: maybe,
    total: amount,
    paymentMethod: fc.constantFrom('G', 'K', 'O'),
  }),
)

test('the sums of a database are those of its invoices, with and without a JIR, whatever these consist of', async () => {
  const store = await freshStore()
  const shops = [
    await openShop(store),
    await openShop(store, { premisesCode: 'KIOSK2', label: 'Lobby 2', isuNumber: '102' }),
  ]
  const sold: Invoice[] = []
  for (const [i, sales] of fc
    .sample(fc.array(sale, { minLength: 1, maxLength: 30 }), { numRuns: 12, seed: 23 })
    .entries()) {
    sold.push(...((await shops[i % 2]?.soldAll(sales)) ?? []))
  }
  expect(inOrder(await everything(store))).toEqual(inOrder(addedUp(sold)))
})

const plainSale: fc.Arbitrary<[Partial<Invoice>, Partial<FiscalDocument>]> = fc.tuple(
  fc.record({ occurredAt }),
  fc.record({
    vatRegistered: fc.boolean(),
    vat: fc.array(taxLine, { maxLength: 1 }),
    total: amount,
    paymentMethod: fc.constantFrom('G', 'K', 'O'),
  }),
)

test('the sums are those of the invoices where these have one rate of VAT or none', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  const sold = await shop.soldAll(fc.sample(plainSale, { numRuns: 200, seed: 24 }))
  expect(inOrder(await everything(store))).toEqual(inOrder(addedUp(sold)))
})

test('a sale counts for the day and the month that it was made in, in Zagreb', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  // Every half hour around the changes of the clock and of the year.
  const moments = [2021, 2024, 2026, 2030, 2037].flatMap((year) =>
    [Date.UTC(year, 2, 24), Date.UTC(year, 9, 24), Date.UTC(year, 11, 31)].flatMap((start) =>
      Array.from({ length: 9 * 48 }, (_, i) => start + i * 1_800_000 - (i % 3)),
    ),
  )
  await shop.soldAll(moments.map((occurredAt) => [{ occurredAt }]))
  const filter = { tenantId: DEFAULT_TENANT, mode: 'test' as const, kinds: ['total' as const] }
  for (const unit of ['day', 'month'] as const) {
    const expected = new Map<string, number>()
    for (const at of moments) {
      const day = dateAt(at)
      const starts = isoDate(unit === 'day' ? day : { ...day, date: 1 })
      expected.set(starts, (expected.get(starts) ?? 0) + 1)
    }
    const spans = [{ unit, from: '2000-01-01', to: '2100-01-01' }]
    const found = await store.turnover.sums({ ...filter, spans }, ['starts'])
    expect(new Map(found.map(({ starts, invoices }) => [starts, invoices]))).toEqual(expected)
  }
})

const LARGEST = '999999999999999.99'

test.each([
  ['fee', { fees: [{ name: 'a', amount: LARGEST }] }],
  ['vat', { vat: [{ rate: '25.00', base: LARGEST, amount: LARGEST }] }],
])(
  'amounts as large as a message can carry, here of kind %s, neither refuse a sale nor turn inexact',
  async (part, document) => {
    const store = await freshStore()
    const shop = await openShop(store)
    await shop.soldAll(Array.from({ length: 150 }, () => [{}, { total: LARGEST, ...document }]))
    const all = await everything(store)
    const most = { invoices: 150, amount: 10_000_000_000_000n }
    expect(all.find(({ kind }) => kind === 'total')).toMatchObject(most)
    expect(all.find(({ kind }) => kind === part)).toMatchObject(most)
  },
)

test('names of 2,000 characters and moments beyond every calendar, as a gateway may send them, are counted', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  // Unlike letters: what repeats is compressed, and fits into the page of a key.
  const letters = Array.from({ length: 2_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * 7919) % 20_000)))
  const name = letters.join('')
  const fees = { total: '1.00', fees: [{ name, amount: '1.00' }] }
  await shop.soldAll([
    [{ occurredAt: Date.UTC(2026, 4, 5) }, fees],
    [{ occurredAt: 8_640_000_000_000_000 }, fees],
    [{ occurredAt: 0 }, fees],
  ])
  const filter = { tenantId: DEFAULT_TENANT, mode: 'test' as const, kinds: ['fee' as const] }
  const spans = [{ unit: 'day' as const, from: '1970-01-01', to: '9999-99-99' }]
  const sums = await store.turnover.sums({ ...filter, spans }, ['starts', 'name'])
  expect(sums.map(({ starts, name }) => [starts, name]).sort()).toEqual(
    ['1970-01-01', '2026-05-05', '9999-12-31'].map((day) => [day, letters.slice(0, 100).join('')]),
  )
})

test('the sums can be taken from by nobody', async () => {
  const database = await freshDatabase()
  const store = await openStore(database, 1)
  onTestFinished(() => store.close())
  const shop = await openShop(store)
  await shop.sold()
  const once = /a sale is counted once/
  await expect(inDatabase({ database }, 'DELETE FROM turnover')).rejects.toThrow(once)
  await expect(inDatabase({ database }, 'UPDATE turnover SET amount = 0')).rejects.toThrow(once)
})

test('sums that somebody changed, added or took away are found by day and by month', async () => {
  const database = await freshDatabase()
  const store = await openStore(database, 1)
  onTestFinished(() => store.close())
  const shop = await openShop(store)
  await shop.soldAll([0, 4, 8, 9].map((month) => [{ occurredAt: Date.UTC(2026, month, 31, 12) }, { total: '9.00' }]))
  const wrong = async () => (await store.care.contradictions()).sums
  expect(await wrong()).toEqual([])
  const onDay = (day: string) => `unit = 'day' AND kind = 'total' AND starts = '${day}'`
  const statements = [
    `UPDATE turnover SET amount = 1 WHERE ${onDay('2026-01-31')}`,
    `DELETE FROM turnover WHERE ${onDay('2026-05-31')}`,
    `UPDATE turnover SET starts = '2026-02-01' WHERE unit = 'month' AND kind = 'vat' AND starts = '2026-10-01'`,
  ]
  if (onPostgres) {
    for (const statement of ['ALTER TABLE turnover DISABLE TRIGGER USER', ...statements]) {
      await inDatabase({ database }, statement)
    }
  } else tamper(database, ...statements)
  const days = ['2026-01-31', '2026-05-31', '2026-01', '2026-02', '2026-05', '2026-10']
  expect((await wrong()).sort()).toEqual(days.map((day) => `${day} (test)`).sort())
})

test('a range is made of whole months and the days around them', () => {
  expect(spansOf({ year: 2026, month: 1, date: 30 }, { year: 2026, month: 4, date: 3 })).toEqual([
    { unit: 'day', from: '2026-01-30', to: '2026-02-01' },
    { unit: 'month', from: '2026-02-01', to: '2026-04-01' },
    { unit: 'day', from: '2026-04-01', to: '2026-04-03' },
  ])
  expect(spansOf({ year: 2026, month: 1, date: 1 }, { year: 2027, month: 1, date: 1 })).toEqual([
    { unit: 'month', from: '2026-01-01', to: '2027-01-01' },
  ])
  expect(spansOf({ year: 2026, month: 1, date: 5 }, { year: 2026, month: 1, date: 5 })).toEqual([])
  expect(spansOf({ year: 2026, month: 1, date: 5 }, { year: 2026, month: 1, date: 9 })).toEqual([
    { unit: 'day', from: '2026-01-05', to: '2026-01-09' },
  ])
})
