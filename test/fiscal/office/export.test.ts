import { expect, test } from 'vitest'
import { startOfDate } from '../../../src/domain/working-days.ts'
import { createExports } from '../../../src/fiscal/office/export.ts'
import type { ExportWanted } from '../../../src/fiscal/office/exported.ts'
import { OIBS } from '../../support/pki.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

const at = (month: number, date: number, hour = 12) => startOfDate(2026, month, date) + hour * 3_600_000
const WHOLE_YEAR: ExportWanted = { mode: 'test', from: at(1, 1, 0), to: at(13, 1, 0) }
const BY_MONTH = { period: 'month', per: 'premises' } as const

async function all<T>(slices: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const slice of slices) items.push(slice)
  return items
}

test('every invoice of the period comes once, the oldest first, over many slices', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  const moments = Array.from({ length: 230 }, (_, i) => at(3, 1) + Math.floor(i / 7) * 1000)
  const sold = await shop.soldAll(moments.toReversed().map((occurredAt) => [{ occurredAt }]))
  const { invoices } = createExports({ store })
  const slices = await all(invoices(clerkOf(), WHOLE_YEAR))
  expect(slices.length).toBeGreaterThan(3)
  const rows = slices.flat()
  expect(rows.map(({ invoice }) => invoice.occurredAt)).toEqual(moments)
  expect(new Set(rows.map(({ invoice }) => invoice.id))).toEqual(new Set(sold.map(({ id }) => id)))
  expect(rows[0]).toMatchObject({ company: { name: 'Kava d.o.o.', oib: OIBS[0] }, device: 'Lobby 1' })
})

test('a period begins with its first moment and ends before its last, and other modes and tenants stay out', async () => {
  const store = await freshStore()
  await store.tenants.insert({ id: 'drugi', name: 'drugi', createdAt: 1 })
  const shop = await openShop(store)
  const [from, to] = [at(5, 1, 0), at(6, 1, 0)]
  const inside = [await shop.sold({ occurredAt: from }), await shop.sold({ occurredAt: to - 1 })]
  await shop.sold({ occurredAt: from - 1 })
  await shop.sold({ occurredAt: to })
  await shop.sold({ occurredAt: from, mode: 'live' })
  const theirs = await openShop(store, { tenantId: 'drugi', oib: OIBS[1] as string, isuNumber: '2' })
  await theirs.sold({ occurredAt: from })
  const { invoices } = createExports({ store })
  const ids = async (wanted: Partial<ExportWanted>) => {
    const slices = await all(invoices(clerkOf(), { ...WHOLE_YEAR, ...wanted }))
    return slices.flat().map(({ invoice }) => invoice.id)
  }
  expect(await ids({ from, to })).toEqual(inside.map(({ id }) => id))
  expect(await ids({ companyId: theirs.companyId })).toEqual([])
  expect(await ids({ deviceId: theirs.deviceId })).toEqual([])
})

test('company, premises and device narrow it down, alone and together', async () => {
  const store = await freshStore()
  const one = await openShop(store)
  const two = await openShop(store, { premisesCode: 'KIOSK2', label: 'two', isuNumber: '2' })
  const gateway = await openShop(store, { oib: OIBS[1] as string, gatewayId: 'g1', premisesCode: 'KIOSK2' })
  for (const shop of [one, two, gateway]) await shop.sold({ occurredAt: at(4, 1) })
  const { invoices } = createExports({ store })
  const count = async (wanted: Partial<ExportWanted>) =>
    (await all(invoices(clerkOf(), { ...WHOLE_YEAR, ...wanted }))).flat().length
  const told = (wanted: Partial<ExportWanted>) =>
    createExports({ store }).count(clerkOf(), { ...WHOLE_YEAR, ...wanted })
  expect(await count({})).toBe(3)
  expect(await told({})).toBe(3)
  expect(await told({ companyId: one.companyId, premisesCode: 'KIOSK2' })).toBe(1)
  expect(await told({ deviceId: two.deviceId, companyId: gateway.companyId })).toBe(0)
  expect(await told({ from: at(4, 2, 0) })).toBe(0)
  expect(await count({ premisesCode: 'KIOSK2' })).toBe(2)
  expect(await count({ companyId: one.companyId })).toBe(2)
  expect(await count({ companyId: one.companyId, premisesCode: 'KIOSK2' })).toBe(1)
  expect(await count({ deviceId: two.deviceId, companyId: gateway.companyId })).toBe(0)
  expect(await count({ deviceId: gateway.deviceId, premisesCode: 'KIOSK2', companyId: gateway.companyId })).toBe(1)
})

test('days and months begin at midnight in Zagreb, in summer and in winter', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  const moments = [at(3, 28, 23.999), at(3, 29, 0), at(3, 31, 23.999), at(4, 1, 0), at(10, 25, 24.9), at(10, 26, 1)]
  for (const occurredAt of moments) await shop.sold({ occurredAt })
  const { totals } = createExports({ store })
  const begins = async (period: 'day' | 'month') =>
    (await all(totals(clerkOf(), WHOLE_YEAR, { period, per: 'premises' }))).map(
      ({ begins: { month, date }, lines }) => [
        `${month}-${date}`,
        lines.reduce((sum, { invoices }) => sum + invoices, 0),
      ],
    )
  expect(await begins('day')).toEqual([
    ['3-28', 1],
    ['3-29', 1],
    ['3-31', 1],
    ['4-1', 1],
    ['10-25', 1],
    ['10-26', 1],
  ])
  expect(await begins('month')).toEqual([
    ['3-1', 3],
    ['4-1', 1],
    ['10-1', 2],
  ])
})

test('a month that the export begins or ends in has the sums of its days in the export only', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  for (const [month, date] of [
    [5, 9],
    [5, 10],
    [5, 31],
    [6, 15],
    [7, 15],
    [7, 16],
  ] as const) {
    await shop.sold({ occurredAt: at(month, date) })
    await shop.sold({ occurredAt: at(month, date), status: 'failed', jir: null, confirmedAt: null })
  }
  const wanted = { ...WHOLE_YEAR, from: at(5, 10, 0), to: at(7, 16, 0) }
  const periods = await all(createExports({ store }).totals(clerkOf(), wanted, BY_MONTH))
  expect(
    periods.map(({ begins: { month, date }, lines }) => [
      `${month}-${date}`,
      ...[true, false].map((confirmed) => lines.find((line) => line.confirmed === confirmed)?.invoices),
    ]),
  ).toEqual([
    ['5-1', 2, 2],
    ['6-1', 1, 1],
    ['7-1', 1, 1],
  ])
})

test('sales and refunds, with and without a JIR, and each way of paying are added up apart, to the cent', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  const on = (date: number) => ({ occurredAt: at(7, date) })
  const vat = (base: string, amount: string) => ({ vat: [{ rate: '25.00', base, amount }] })
  await shop.sold(on(1), { total: '0.10', ...vat('0.08', '0.02') })
  await shop.sold(on(2), { total: '0.20', ...vat('0.16', '0.04') })
  await shop.sold(on(3), { total: '-0.10', ...vat('-0.08', '-0.02') })
  await shop.sold(on(4), { total: '90071992547.93', paymentMethod: 'O', ...vat('0.00', '0.00') })
  const unconfirmed = { status: 'retrying', jir: null, confirmedAt: null } as const
  await shop.sold({ ...unconfirmed, ...on(5) }, { total: '1.00', ...vat('0.80', '0.20') })
  const exports = createExports({ store })
  const [totals] = await all(exports.totals(clerkOf(), WHOLE_YEAR, BY_MONTH))
  const [parts] = await all(exports.parts(clerkOf(), WHOLE_YEAR, BY_MONTH))
  const key = { companyId: shop.companyId, premisesCode: 'KIOSK1', paymentMethod: 'G', confirmed: true, refund: false }
  expect(totals?.lines).toHaveLength(4)
  expect(new Set(totals?.lines)).toEqual(
    new Set([
      { ...key, invoices: 2, total: 30n },
      { ...key, refund: true, invoices: 1, total: -10n },
      { ...key, paymentMethod: 'O', invoices: 1, total: 9_007_199_254_793n },
      { ...key, confirmed: false, invoices: 1, total: 100n },
    ]),
  )
  expect(parts?.lines).toContainEqual({
    ...{ ...key, kind: 'vat', rate: '25.00', name: null },
    ...{ invoices: 2, base: 24n, tax: 6n, amount: 30n },
  })
  const added = (lines: readonly { total?: bigint; amount?: bigint }[]) =>
    lines.reduce((sum, { total = 0n, amount = 0n }) => sum + total + amount, 0n)
  expect(added(parts?.lines ?? [])).toBe(added(totals?.lines ?? []))
})

test('a company is added up over its premises, to the same sums', async () => {
  const store = await freshStore()
  const shops = [await openShop(store), await openShop(store, { premisesCode: 'KIOSK2', label: 'two', isuNumber: '2' })]
  for (const shop of shops) {
    await shop.sold({ occurredAt: at(7, 1) })
    const failed = { occurredAt: at(7, 2), status: 'failed', jir: null, confirmedAt: null } as const
    await shop.soldAll(Array.from({ length: 70 }, () => [failed]))
  }
  const exports = createExports({ store })
  const counts = async (per: 'premises' | 'company') => {
    const [totals] = await all(exports.totals(clerkOf(), WHOLE_YEAR, { period: 'month', per }))
    return totals?.lines.map(({ premisesCode, confirmed, invoices }) => [premisesCode, confirmed, invoices]).sort()
  }
  expect(await counts('premises')).toEqual([
    ['KIOSK1', false, 70],
    ['KIOSK1', true, 1],
    ['KIOSK2', false, 70],
    ['KIOSK2', true, 1],
  ])
  expect(await counts('company')).toEqual([
    ['', false, 140],
    ['', true, 2],
  ])
})
