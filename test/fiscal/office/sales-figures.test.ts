import { expect, onTestFinished, test } from 'vitest'
import { type StoredSale, storeFleet, storeSales } from '../../../scripts/bench/stored-sales.ts'
import type { InvoiceStatus } from '../../../src/domain/sale/invoice.ts'
import { salesFigures } from '../../../src/fiscal/office/overview.ts'
import { type OpenStore, openStore } from '../../../src/store/store.ts'
import { freshDatabase } from '../../support/database.ts'
import { freshStore, openShop } from '../../support/shop.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A Wednesday, 14:30 in Zagreb; the two working days before it are Tuesday and Monday. */
const NOW = Date.UTC(2026, 8, 23, 12, 30)
const MONDAY = Date.UTC(2026, 8, 20, 22, 0)
const OURS = { tenantId: 'default', mode: 'test', companyIds: null } as const

async function stored(...sales: (Omit<StoredSale, 'status'> & { status?: InvoiceStatus })[]) {
  const store = await openStore(await freshDatabase(), NOW)
  onTestFinished(() => store.close())
  const fleet = await storeFleet(store, NOW)
  await storeSales(store, fleet, sales.length, (i) => ({ status: 'confirmed', ...sales[i] }) as StoredSale)
  return { store }
}

const figuresOf = (store: OpenStore) => salesFigures(store.figures, OURS, NOW)

test('what lacks a JIR is counted by its age: a stage begins with its very first millisecond', async () => {
  const waiting = (occurredAt: number, status: InvoiceStatus = 'retrying') => ({ occurredAt, status })
  const { store } = await stored(
    waiting(NOW - 40 * DAY, 'expired'),
    waiting(NOW - 30 * DAY),
    waiting(NOW - 30 * DAY + 1, 'failed'),
    waiting(NOW - 28 * DAY),
    waiting(NOW - 25 * DAY),
    waiting(NOW - 25 * DAY + 1),
    waiting(NOW - 21 * DAY, 'failed'),
    waiting(MONDAY - 1),
    waiting(MONDAY),
    waiting(NOW - 1000, 'pending'),
    { occurredAt: NOW - 29 * DAY },
  )
  expect(await figuresOf(store)).toMatchObject({
    ages: { too_late: 2, day_28: 2, day_25: 1, day_21: 2, older: 1, young: 2 },
    ...{ waiting: 7, failed: 2, expired: 1, oldestAt: NOW - 30 * DAY },
  })
})

test('what has failed is counted by its cause, of the latest ones alone where there are many', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  const failed = { status: 'failed', jir: null, confirmedAt: null } as const
  const codes = ['upstream_rejected', null, 'certificate_expired', 'upstream_rejected'] as const
  await shop.soldAll(codes.map((errorCode, i) => [{ ...failed, errorCode, occurredAt: NOW + i }]))
  await shop.sold({ occurredAt: NOW })
  expect(await store.figures.failedByCause(OURS, 9)).toMatchObject([{ code: 'upstream_rejected', count: 2 }, {}, {}])
  expect(await store.figures.failedByCause(OURS, 2)).toEqual([
    { code: 'certificate_expired', count: 1 },
    { code: 'upstream_rejected', count: 1 },
  ])
  expect(await store.figures.failedByCause({ ...OURS, companyIds: [] }, 9)).toEqual([])
})

test('other tenants and the other mode are not counted', async () => {
  const { store } = await stored({ occurredAt: NOW - HOUR, status: 'retrying' })
  const elsewhere = [
    { tenantId: 'other', mode: 'test', companyIds: null },
    { tenantId: 'default', mode: 'live', companyIds: null },
  ] as const
  for (const of of elsewhere) {
    expect(await salesFigures(store.figures, of, NOW)).toMatchObject({ waiting: 0, oldestAt: null, ages: { young: 0 } })
  }
})
