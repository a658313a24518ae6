import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { type StoredSale, storeFleet, storeSales } from '../../../scripts/bench/stored-sales.ts'
import type { InvoiceStatus } from '../../../src/domain/sale/invoice.ts'
import { salesFigures } from '../../../src/fiscal/office/sales-figures.ts'
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
  return { store, fleet }
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

test('sales and confirmations are counted by the hour of the sale, the one that goes on among them', async () => {
  const begun = Date.UTC(2026, 8, 23, 12)
  const { store } = await stored(
    { occurredAt: begun, status: 'retrying' },
    { occurredAt: begun + 60_000 },
    { occurredAt: begun - 1 },
    { occurredAt: begun - 47 * HOUR, status: 'failed' },
    { occurredAt: begun - 47 * HOUR + 1 },
    { occurredAt: begun - 47 * HOUR - 1 },
  )
  const { hours } = await figuresOf(store)
  expect(hours).toHaveLength(48)
  expect(hours.filter(({ sold }) => sold > 0)).toEqual([
    { at: begun - 47 * HOUR, sold: 2, confirmed: 1 },
    { at: begun - HOUR, sold: 1, confirmed: 1 },
    { at: begun, sold: 2, confirmed: 1 },
  ])
})

test('how long answers take is told by median and 95 %, and messages without an answer are counted apart', async () => {
  const begun = Date.UTC(2026, 8, 23, 11)
  const { store } = await stored(...Array.from({ length: 10 }, (_, i) => ({ occurredAt: begun + i * 1000 })))
  for (const [i, durationMs] of [100, 200, 300, 400, 500, 600, 700, 800, 900, 9000].entries()) {
    await answer(store, i, { at: begun + i * 1000, durationMs })
  }
  await answer(store, 0, { at: begun, durationMs: 4000, httpStatus: null, attemptNo: 2 })
  const { answers } = await figuresOf(store)
  expect(answers).toHaveLength(24)
  expect(answers.filter(({ messages }) => messages > 0)).toEqual([
    { at: begun, messages: 11, answered: 10, medianMs: 500, p95Ms: 9000 },
  ])
  expect(answers.at(-1)).toEqual({ at: begun + HOUR, messages: 0, answered: 0, medianMs: null, p95Ms: null })
})

test('other tenants and the other mode are not counted', async () => {
  const { store } = await stored({ occurredAt: NOW - HOUR, status: 'retrying' })
  const elsewhere = [
    { tenantId: 'other', mode: 'test', companyIds: null },
    { tenantId: 'default', mode: 'live', companyIds: null },
  ] as const
  for (const of of elsewhere) {
    const { hours, ...figures } = await salesFigures(store.figures, of, NOW)
    expect(figures).toMatchObject({ waiting: 0, oldestAt: null, ages: { young: 0 } })
    expect(hours.every(({ sold }) => sold === 0)).toBe(true)
  }
  expect(await store.figures.devices({ tenantId: 'other', companyIds: null })).toEqual({
    ...{ total: 0, withoutIsu: 0, mismatched: 0, lastSuccessAt: null },
  })
})

test('active devices are counted, with those that have no ISU number or one that is known otherwise', async () => {
  const { store, fleet } = await stored()
  const [first, second, third, fourth] = fleet.deviceIds as [string, string, string, string]
  await store.devices.update(first, { isuNumber: null, isuStatus: 'pending' })
  await store.devices.update(second, { isuStatus: 'mismatch' })
  await store.devices.update(third, { status: 'archived', lastSuccessAt: NOW })
  await store.devices.update(fourth, { lastSuccessAt: NOW - HOUR })
  expect(await store.figures.devices(OURS)).toEqual({
    ...{ total: 9, withoutIsu: 1, mismatched: 1, lastSuccessAt: NOW - HOUR },
  })
})

interface AnAnswer {
  at: number
  durationMs: number
  httpStatus?: number | null
  attemptNo?: number
}

function answer(store: OpenStore, sale: number, { at, durationMs, httpStatus = 200, attemptNo = 1 }: AnAnswer) {
  return store.messages.insert({
    ...{ id: randomUUID(), invoiceId: `inv_${String(sale).padStart(8, '0')}`, messageUuid: randomUUID(), attemptNo },
    ...{ httpStatus, errorCode: null, errorMessage: null, durationMs, createdAt: at },
    ...{ requestXml: null, responseXml: null },
  })
}
