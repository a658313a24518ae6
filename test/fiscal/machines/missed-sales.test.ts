import { expect, test } from 'vitest'
import type { Machine } from '../../../src/fiscal/machines/machine.ts'
import { missedSales } from '../../../src/fiscal/machines/missed-sales.ts'
import { freshStore, openShop } from '../../support/shop.ts'

const HOUR = 3_600_000
const WEEK = 168 * HOUR
/** A Wednesday, 12:00 in Zagreb. */
const STOPPED = Date.UTC(2026, 8, 23, 10)

async function missedOf(sold: number[], now: number, lastSaleAt: number | null = STOPPED) {
  const store = await freshStore()
  const shop = await openShop(store)
  await shop.soldAll(sold.map((occurredAt) => [{ occurredAt }]))
  const { deviceId: id, companyId } = shop
  const machine = { device: { id }, company: { id: companyId, mode: 'test' }, lastSaleAt } as Machine
  return (await missedSales(store, 'default', [machine], now)).get(id)
}

/** Two sales an hour after the last one, in each of four weeks. */
const RHYTHM = [1, 2, 3, 4].flatMap((weeks) => [STOPPED - weeks * WEEK + HOUR, STOPPED - weeks * WEEK + HOUR + 60_000])

test('what a machine misses is what it sold in the same hours of its own weeks, at the worth of its own sales', async () => {
  expect(await missedOf([...RHYTHM, STOPPED], STOPPED + 30 * 60_000)).toEqual({ salesPerWeek: 2, cents: 0n })
  expect(await missedOf([...RHYTHM, STOPPED], STOPPED + 3 * HOUR)).toEqual({ salesPerWeek: 2, cents: 500n })
  expect(await missedOf([...RHYTHM, STOPPED], STOPPED + WEEK + 3 * HOUR)).toMatchObject({ cents: 1000n + 63n })
})

test('of a machine that has never sold nothing is known to be missed, and of one that is away for months no more than a quarter', async () => {
  expect(await missedOf([], STOPPED, null)).toBeUndefined()
  const far = await missedOf([...RHYTHM, STOPPED], STOPPED + 60 * WEEK)
  expect(far).toEqual(await missedOf([...RHYTHM, STOPPED], STOPPED + 13 * WEEK))
})
