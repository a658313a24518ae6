import { expect, onTestFinished, test } from 'vitest'
import type { ClosingPeriod } from '../../../src/domain/sale/closing-period.ts'
import type { FiscalDocument } from '../../../src/domain/sale/sale.ts'
import { startOfDate } from '../../../src/domain/working-days.ts'
import { createPeriodClosing } from '../../../src/fiscal/closings/close-period.ts'
import { type ClosingsWanted, createClosings } from '../../../src/fiscal/closings/closings.ts'
import { closingChecks } from '../../../src/fiscal/closings/verify-closing.ts'
import { type OpenStore, openStore } from '../../../src/store/store.ts'
import { freshDatabase, inDatabase } from '../../support/database.ts'
import { OIBS } from '../../support/pki.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

const at = (month: number, date: number, hour = 12) => startOfDate(2026, month, date) + hour * 3_600_000
const DAY: ClosingPeriod = { unit: 'day', starts: '2026-05-04' }
const OF_DAY: ClosingsWanted = { ...DAY, mode: 'test' }
const BOSS = { ...clerkOf(), scopes: ['invoices:read', 'fleet:write'] }
let ids = 0

function closingsOf(store: OpenStore, now = at(5, 6)) {
  const clock = { now: () => now }
  const newUuid = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`
  const deps = { store, clock: clock as never, newUuid }
  return createClosings({ ...deps, periods: createPeriodClosing(deps), onFault: () => {} })
}

const cash = { occurredAt: at(5, 4) }
const refused = { occurredAt: at(5, 4, 13), status: 'failed', jir: null, confirmedAt: null } as const
const card: Partial<FiscalDocument> = {
  ...{ paymentMethod: 'K', total: '10.00', vat: [{ rate: '13.00', base: '8.85', amount: '1.15' }] },
}
const refund = { total: '-2.50', vat: [{ rate: '25.00', base: '-2.00', amount: '-0.50' }] }

test('a day of a premises is closed with its sums by payment and rate, refunds, numbers, and what lacks a JIR', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  await shop.sold({ occurredAt: at(5, 3, 23.9) })
  await shop.sold(cash)
  await shop.sold(refused, card)
  await shop.sold({ occurredAt: at(5, 4, 23.9) }, refund)
  await shop.sold({ occurredAt: at(5, 5, 0) })
  const closings = closingsOf(store)
  expect(await closings.state(BOSS, OF_DAY)).toMatchObject({ premises: 1, invoices: 3, open: [{ invoices: 3 }] })
  await closings.close(BOSS, OF_DAY)
  const [closed] = (await closings.list(BOSS, OF_DAY, { limit: 10 })).items
  expect(closed?.document).toMatchObject({
    ...{ ...DAY, number: 1, mode: 'test', premisesCode: 'KIOSK1', closedBy: 'clerk', gateway: null },
    company: { name: 'Kava d.o.o.', oib: OIBS[0] },
    ...{ invoices: 3, total: '10.00' },
    payments: [
      { method: 'G', invoices: 2, total: '0.00' },
      { method: 'K', invoices: 1, total: '10.00' },
    ],
    refunds: { invoices: 1, total: '-2.50' },
    parts: [
      { kind: 'vat', rate: '25.00', base: '0.00', tax: '0.00', amount: '0.00', invoices: 2 },
      { kind: 'vat', rate: '13.00', base: '8.85', tax: '1.15', amount: '10.00', invoices: 1 },
    ],
    ranges: [{ first: '2/KIOSK1/101', last: '4/KIOSK1/101', invoices: 3 }],
    withoutJir: { invoices: 1, total: '10.00', numbers: ['3/KIOSK1/101'] },
  })
  expect(await closings.state(BOSS, OF_DAY)).toMatchObject({ open: [] })
})

test('a period that is not over is not closed, and nobody without the right closes one', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  await shop.sold(cash)
  const closings = closingsOf(store, at(5, 4, 23.9))
  await expect(closings.close(BOSS, OF_DAY)).rejects.toMatchObject({ code: 'invalid_request', param: 'period' })
  await expect(closings.close(clerkOf(), OF_DAY)).rejects.toMatchObject({ code: 'insufficient_scope' })
  expect((await closings.list(BOSS, OF_DAY, { limit: 10 })).items).toEqual([])
})

test('closing again changes nothing, and what comes late is in a supplementary closing', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  const first = await shop.sold(cash)
  const closings = closingsOf(store)
  await closings.close(BOSS, OF_DAY)
  const before = (await closings.list(BOSS, OF_DAY, { limit: 10 })).items
  await closings.close(BOSS, OF_DAY)
  expect((await closings.list(BOSS, OF_DAY, { limit: 10 })).items).toEqual(before)

  await shop.sold({ occurredAt: at(5, 4, 1), journalPosition: 7 }, { number: '900' })
  expect(await closings.state(BOSS, OF_DAY)).toMatchObject({ invoices: 2, open: [{ invoices: 1 }] })
  await closings.close(BOSS, OF_DAY)
  const { items } = await closings.list(BOSS, OF_DAY, { limit: 10 })
  expect(items[0]).toEqual(before[0])
  expect(items[1]?.document).toMatchObject({ number: 2, invoices: 1, ranges: [{ first: '900/KIOSK1/101' }] })
  expect(await closings.sums(BOSS, OF_DAY)).toMatchObject({ closings: 2, invoices: 2, total: '5.00' })
  expect(first.document.number).toBe('1')
})

test('all premises of all companies are closed at once, their sums are added up, and two runs at once close once', async () => {
  const store = await freshStore()
  const one = await openShop(store)
  const two = await openShop(store, { premisesCode: 'KIOSK2', label: 'two', isuNumber: '2' })
  const other = await openShop(store, { oib: OIBS[1] as string, label: 'three', isuNumber: '3', gatewayId: 'g1' })
  for (const shop of [one, two, other]) await shop.sold(cash)
  const closings = closingsOf(store)
  await Promise.all([closings.close(BOSS, OF_DAY), closingsOf(store).close(BOSS, OF_DAY), closings.close(BOSS, OF_DAY)])
  const { items, next } = await closings.list(BOSS, OF_DAY, { limit: 2 })
  expect(items).toHaveLength(2)
  const rest = await closings.list(BOSS, OF_DAY, { limit: 2, after: next ?? undefined })
  expect(rest.items).toHaveLength(1)
  expect(await closings.sums(BOSS, OF_DAY)).toMatchObject({ closings: 3, invoices: 3, total: '7.50' })
  const ofOne = { ...OF_DAY, companyId: one.companyId }
  expect(await closings.sums(BOSS, ofOne)).toMatchObject({ closings: 2, total: '5.00' })
  expect(await closings.sums(BOSS, { ...ofOne, premisesCode: 'KIOSK2' })).toMatchObject({ closings: 1 })
})

test('a month is closed beside its days, and another tenant sees nothing of it', async () => {
  const store = await freshStore()
  await store.tenants.insert({ id: 'drugi', name: 'drugi', createdAt: 1 })
  const shop = await openShop(store)
  await shop.sold(cash)
  await shop.sold({ occurredAt: at(5, 31, 23) })
  await shop.sold({ occurredAt: at(6, 1, 1) })
  const closings = closingsOf(store, at(6, 2))
  const month: ClosingsWanted = { unit: 'month', starts: '2026-05-01', mode: 'test' }
  await closings.close(BOSS, OF_DAY)
  await closings.close(BOSS, month)
  const [closed] = (await closings.list(BOSS, month, { limit: 10 })).items
  expect(closed?.document).toMatchObject({ unit: 'month', invoices: 2, total: '5.00' })
  const theirs = { ...BOSS, tenantId: 'drugi' }
  expect((await closings.list(theirs, month, { limit: 10 })).items).toEqual([])
  await expect(closings.get(theirs, closed?.id ?? '')).rejects.toMatchObject({ status: 404 })
})

test('closings: one is the same bytes again, also after an invoice got its JIR, and the doctor finds a changed one', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  await shop.sold(cash)
  const late = await shop.sold(refused, card)
  const closings = closingsOf(store)
  await closings.close(BOSS, OF_DAY)
  const [closed] = (await closings.list(BOSS, OF_DAY, { limit: 10 })).items
  const id = closed?.id ?? ''
  expect(await closings.verify(BOSS, id)).toBeNull()
  await store.invoices.progress(late.id, {
    ...{ status: 'confirmed', jir: 'j', confirmedAt: at(5, 6), lateDelivery: true, attempts: 2 },
    ...{ lastErrorClass: null, errorCode: null, errorMessage: null, deliveryFindings: null },
  })
  expect(await closings.verify(BOSS, id)).toBeNull()
  const doctor = async () => (await closingChecks(store)[0]?.run())?.[0]
  expect(await doctor()).toMatchObject({ status: 'ok' })

  const row = await store.closings.get(id)
  const changed = { ...row, id: `${id.slice(0, -1)}f`, number: 2 } as NonNullable<typeof row>
  await store.closings.insert({ ...changed, document: changed.document.replace('12.50', '11.50') })
  expect(await closings.verify(BOSS, changed.id)).toMatchObject({ en: 'its sums are not those of its invoices' })
  expect(await doctor()).toMatchObject({ status: 'fail' })
})

test('the database itself refuses to change, replace or remove a closing', async () => {
  const database = await freshDatabase()
  const store = await openStore(database, 1)
  onTestFinished(() => store.close())
  const shop = await openShop(store)
  await shop.sold(cash)
  const closings = closingsOf(store)
  await closings.close(BOSS, OF_DAY)
  const place = { database }
  await expect(inDatabase(place, 'UPDATE closings SET invoices = 2')).rejects.toThrow('a closing is not changed')
  await expect(inDatabase(place, 'DELETE FROM closings')).rejects.toThrow('a closing is kept')
})
