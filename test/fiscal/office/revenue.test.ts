import { expect, test } from 'vitest'
import { formatMoney } from '../../../src/domain/money.ts'
import { createRevenue } from '../../../src/fiscal/office/revenue.ts'
import { OIBS } from '../../support/oibs.ts'
import { clerkOf, freshStore, openShop, type Shop } from '../../support/shop.ts'

/** A Wednesday, 14:30 in Zagreb. */
const NOW = Date.UTC(2026, 8, 23, 12, 30)
const HOUR = 3_600_000
const DAY = 24 * HOUR

const clockAt = (now: number) => ({ now: () => now })

/** Euros by the time before `NOW`. */
const sell = (shop: Shop, ...sales: [ago: number, euros: number][]) =>
  shop.soldAll(
    sales.map(([ago, euros]) => [{ occurredAt: NOW - ago }, { total: formatMoney(BigInt(euros * 100)), vat: [] }]),
  )

test('today is compared with the same weekday until the same minute, and the month with the last one to the same day', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  await sell(
    shop,
    ...([
      [0, 1],
      [HOUR, 2],
      [2 * HOUR, -1],
      [14.5 * HOUR, 4],
      [14.5 * HOUR + 1, 8],
    ] as [number, number][]),
    // Last week: a minute ago, right now, later that day.
    ...([
      [7 * DAY + 60_000, 16],
      [7 * DAY, 32],
      [7 * DAY - 5 * HOUR, 64],
    ] as [number, number][]),
    // The 23rd and the 24th of August, and last year.
    ...([
      [31 * DAY, 128],
      [30 * DAY, 256],
      [365 * DAY, 512],
    ] as [number, number][]),
  )
  const { revenue } = createRevenue({ store, clock: clockAt(NOW) })
  const found = await revenue(clerkOf(), 'test')
  expect(found.today).toEqual({ now: { sales: 3, amount: 600n }, before: { sales: 1, amount: 1600n } })
  expect(found.month).toEqual({ now: { sales: 7, amount: 12_600n }, before: { sales: 1, amount: 12_800n } })
  expect(found.hours).toHaveLength(24)
  expect(found.hours[12]?.now).toEqual({ sales: 0, amount: -100n })
  expect(found.hours[14]).toMatchObject({ now: { sales: 1, amount: 100n }, before: { sales: 2, amount: 4800n } })
  expect(found.hours[15]?.now).toBeNull()
  expect(found.hours[19]?.before).toEqual({ sales: 1, amount: 6400n })
  expect(found.days).toHaveLength(30)
  expect(found.days.at(-1)).toEqual({ begins: { year: 2026, month: 9, date: 23 }, ...found.today.now, usual: 2800n })
  expect(found.days.at(-2)).toMatchObject({ sales: 1, amount: 800n })
  expect(found.days.at(-3)).toMatchObject({ sales: 0, amount: 0n })
  expect(found.days[0]?.begins).toEqual({ year: 2026, month: 8, date: 25 })
  expect(found.months.map(({ begins, sales }) => [begins.month, sales]).slice(-2)).toEqual([
    [8, 2],
    [9, 7],
  ])
  expect(found.months[0]).toMatchObject({ begins: { year: 2025, month: 10, date: 1 }, sales: 0 })
})

test('a day is compared with the same weekday of the four weeks before, once the fleet has sold for so long', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  await sell(shop, ...([1, 2, 3, 4].map((weeks) => [weeks * 7 * DAY, weeks]) as [number, number][]), [6 * DAY, 8])
  const { days } = await createRevenue({ store, clock: clockAt(NOW) }).revenue(clerkOf(), 'test')
  expect([days.at(-1), days.at(-7), days.at(-8)].map((day) => day?.usual)).toEqual([250n, null, null])
})

test('a user who is limited to companies sees their money alone', async () => {
  const store = await freshStore()
  const one = await openShop(store)
  const other = await openShop(store, { oib: OIBS[1] as string, premisesCode: 'KIOSK2', isuNumber: '102' })
  await sell(one, [0, 1], [DAY, 2])
  await sell(other, [0, 4], [DAY, 8])
  const { revenue } = createRevenue({ store, clock: clockAt(NOW) })
  const today = async (companyIds: string[] | null) => {
    const { days } = await revenue({ ...clerkOf(), companyIds }, 'test')
    return days.slice(-2).map(({ amount }) => amount)
  }
  expect(await today(null)).toEqual([1000n, 500n])
  expect(await today([other.companyId])).toEqual([800n, 400n])
  expect(await today([])).toEqual([0n, 0n])
})

test.each([
  ['29 March 2026, when clocks go forward', Date.UTC(2026, 2, 29, 10, 30), Date.UTC(2026, 2, 22, 11)],
  ['5 April 2026, a week after it', Date.UTC(2026, 3, 5, 10, 30), Date.UTC(2026, 2, 29, 10)],
  ['25 October 2026, when clocks go back', Date.UTC(2026, 9, 25, 11, 30), Date.UTC(2026, 9, 18, 10)],
  ['1 November 2026, a week after it', Date.UTC(2026, 10, 1, 11, 30), Date.UTC(2026, 9, 25, 11)],
])('half past noon is compared with noon of the week before on %s', async (_day, now, noonBefore) => {
  const store = await freshStore()
  const shop = await openShop(store)
  const halfHours = [-1, 0, 1].map((n) => noonBefore + n * 1_800_000)
  await shop.soldAll(halfHours.map((occurredAt) => [{ occurredAt }, { total: '1.00', vat: [] }]))
  const found = await createRevenue({ store, clock: clockAt(now) }).revenue(clerkOf(), 'test')
  // Half past eleven and noon; half past twelve is not over.
  expect(found.today.before.sales).toBe(2)
  const sold = found.hours.filter(({ before }) => before.sales > 0)
  expect(sold.map(({ at, before }) => [(at - now) / HOUR, before.sales])).toEqual([
    [-1.5, 1],
    [-0.5, 2],
  ])
})
