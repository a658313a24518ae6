import { describe, expect, test } from 'vitest'
import type { Mode, PaymentMethod } from '../../../src/domain/sale/sale.ts'
import type { Principal } from '../../../src/fiscal/access/principal.ts'
import { createInvoiceList, type ListPosition } from '../../../src/fiscal/office/invoice-list/list-invoices.ts'
import type { ListOrder, WantedInvoices } from '../../../src/fiscal/office/invoice-list/plan.ts'
import type { Invoice } from '../../../src/fiscal/ports/model.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { gatewayRecord } from '../../support/commands.ts'
import { OIBS } from '../../support/pki.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-25T12:00:00Z')
const NEWEST: ListOrder = { by: 'time', direction: 'descending' }
const OLDEST: ListOrder = { by: 'time', direction: 'ascending' }

const listOf = (store: OpenStore) =>
  createInvoiceList({ store, clock: { now: () => NOW }, expireOverdue: async () => {} })

/** Every page from the first one on. */
async function walk(store: OpenStore, wanted: WantedInvoices, order?: ListOrder, principal = clerkOf()) {
  const list = listOf(store)
  const ids: string[] = []
  const pages: string[][] = []
  for (let position: ListPosition = 'first'; ; ) {
    const { items, next } = await list.page(principal, wanted, order, position)
    pages.push(items.map(({ id }) => id))
    ids.push(...items.map(({ id }) => id))
    if (next === null) return { ids, pages }
    position = { behind: next }
  }
}

/** Sales of two companies and three devices, one of them at a gateway. */
async function stored() {
  const store = await freshStore()
  const one = await openShop(store)
  const other = await openShop(store, { oib: OIBS[1] as string, premisesCode: 'KIOSK2', label: 'two', isuNumber: '2' })
  await store.gateways.insert(gatewayRecord('g1', 'kiosk-1'))
  const far = await openShop(store, {
    ...{ oib: OIBS[2] as string, gatewayId: 'g1', premisesCode: 'FAR', label: 'far', isuNumber: '3' },
  })
  const all: Invoice[] = []
  const [statuses, codes] = [
    ['confirmed', 'retrying', 'failed', 'expired'] as const,
    ['upstream_rejected', null] as const,
  ]
  for (const [s, shop] of [one, other, far].entries()) {
    const sales = Array.from({ length: 90 }, (_, i): Parameters<typeof shop.soldAll>[0][number] => {
      const status = i % 3 === 0 ? (statuses[(i / 3) % 4] ?? 'confirmed') : 'confirmed'
      const occurredAt = NOW - ((i * 37) % 33) * DAY - (i % 4) * 1000 - s
      const mode: Mode = i % 5 === 0 ? 'live' : 'test'
      const amounts = ['1.50', '2.50', '-2.50', '999999999999999.99', '12.00']
      return [
        {
          ...{ occurredAt, deadlineAt: occurredAt + 30 * DAY, status, mode },
          ...(status === 'confirmed' ? {} : { jir: null, confirmedAt: null }),
          errorCode: status === 'failed' ? (codes[i % 2] ?? null) : null,
        },
        {
          total: amounts[i % amounts.length] as string,
          paymentMethod: (i % 2 ? 'K' : 'G') as PaymentMethod,
          occurredAt,
        },
      ]
    })
    all.push(...(await shop.soldAll(sales)))
  }
  return { store, all, one, other, far }
}

const cents = ({ document }: Invoice) => BigInt(document.total.replace('.', ''))

function inOrder(all: readonly Invoice[], { by, direction }: ListOrder): string[] {
  const compare = (a: Invoice, b: Invoice) =>
    (by === 'amount' ? (cents(a) < cents(b) ? -1 : cents(a) > cents(b) ? 1 : 0) : 0) ||
    a.occurredAt - b.occurredAt ||
    (a.id < b.id ? -1 : 1)
  const sorted = [...all].sort(compare)
  return (direction === 'ascending' ? sorted : sorted.reverse()).map(({ id }) => id)
}

describe('a list of invoices', () => {
  let shop: Awaited<ReturnType<typeof stored>>
  const wishes: [string, (all: typeof shop) => WantedInvoices, (invoice: Invoice) => boolean][] = [
    ['everything', () => ({ mode: null }), () => true],
    ['real sales', () => ({ mode: 'live' }), ({ mode }) => mode === 'live'],
    [
      'a company',
      ({ other }) => ({ mode: null, companyId: other.companyId }),
      (i) => i.companyId === shop.other.companyId,
    ],
    ['a device', ({ one }) => ({ mode: null, deviceId: one.deviceId }), (i) => i.deviceId === shop.one.deviceId],
    [
      'a premises',
      () => ({ mode: 'test', premisesCode: 'FAR' }),
      (i) => i.document.premisesCode === 'FAR' && i.mode === 'test',
    ],
    ['a gateway', () => ({ mode: null, gateway: 'kiosk-1' }), (i) => i.gatewayId === 'g1'],
    ['an amount', () => ({ mode: null, amount: { from: 250n, to: 250n } }), (i) => i.document.total === '2.50'],
    [
      'amounts of a device',
      ({ one }) => ({ mode: null, deviceId: one.deviceId, amount: { from: 200n, to: undefined } }),
      (i) => i.deviceId === shop.one.deviceId && cents(i) >= 200n,
    ],
    ['a status', () => ({ mode: null, status: 'failed' }), ({ status }) => status === 'failed'],
    ['what was confirmed', () => ({ mode: null, status: 'confirmed' }), ({ status }) => status === 'confirmed'],
    ['what waits', () => ({ mode: null, status: 'waiting' }), ({ status }) => status === 'retrying'],
    [
      'what lacks its JIR for more than two working days, up to day 21',
      () => ({ mode: null, age: 'older' }),
      (i) =>
        ['retrying', 'failed'].includes(i.status) &&
        i.occurredAt > NOW - 21 * DAY &&
        i.occurredAt < Date.parse('2026-11-22T23:00:00Z'),
    ],
    [
      'what is too late',
      () => ({ mode: null, age: 'too_late' }),
      (i) => i.status === 'expired' || (i.status !== 'confirmed' && i.occurredAt <= NOW - 30 * DAY),
    ],
    ['a cause', () => ({ mode: null, cause: 'upstream_rejected' }), (i) => i.errorCode === 'upstream_rejected'],
    ['a payment', () => ({ mode: null, payment: 'K' }), (i) => i.document.paymentMethod === 'K'],
    [
      'a time and a payment',
      () => ({ mode: null, payment: 'K', from: NOW - 10 * DAY, to: NOW - 2 * DAY }),
      (i) => i.document.paymentMethod === 'K' && i.occurredAt >= NOW - 10 * DAY && i.occurredAt < NOW - 2 * DAY,
    ],
    [
      'a status of a company at a premises',
      ({ other }) => ({ mode: null, status: 'retrying', companyId: other.companyId, premisesCode: 'KIOSK2' }),
      (i) => i.status === 'retrying' && i.companyId === shop.other.companyId,
    ],
  ]

  test.each(wishes)(
    'of %s holds each that matches once, page by page in both directions',
    async (_what, wish, matches) => {
      shop = await stored()
      const wanted = wish(shop)
      const expected = shop.all.filter(matches)
      expect(expected.length).toBeGreaterThan(0)
      for (const order of [NEWEST, OLDEST]) {
        const { ids } = await walk(shop.store, wanted, order)
        expect(ids).toEqual(inOrder(expected, order))
      }
      const list = listOf(shop.store)
      const back: string[][] = []
      for (let position: ListPosition = 'last'; ; ) {
        const page = await list.page(clerkOf(), wanted, NEWEST, position)
        back.unshift(page.items.map(({ id }) => id))
        if (page.previous === null) break
        position = { before: page.previous }
      }
      expect(back.flat()).toEqual(inOrder(expected, NEWEST))

      const oldestFirst = await list.all(clerkOf(), wanted, expected.length)
      expect(oldestFirst).toEqual(inOrder(expected, OLDEST))
      expect(await list.all(clerkOf(), wanted, expected.length - 1)).toBeUndefined()

      const tally = await list.tally(clerkOf(), wanted)
      for (const mode of ['live', 'test'] as const) {
        const ofMode = expected.filter((invoice) => invoice.mode === mode)
        const sum = ofMode.reduce((all, invoice) => all + cents(invoice), 0n)
        if (wanted.mode !== null && wanted.mode !== mode) expect(tally[mode]).toBeNull()
        else expect(tally[mode]).toMatchObject({ count: ofMode.length, cents: sum, isComplete: true })
      }
    },
  )

  test.each(['ascending', 'descending'] as const)('by amount is in the order of the amounts, %s', async (direction) => {
    shop = await stored()
    const order: ListOrder = { by: 'amount', direction }
    expect((await walk(shop.store, { mode: null }, order)).ids).toEqual(inOrder(shop.all, order))
    const wide: WantedInvoices = { mode: null, amount: { from: -300n, to: 300n }, from: NOW - 5 * DAY }
    const matches = shop.all.filter((i) => cents(i) >= -300n && cents(i) <= 300n && i.occurredAt >= NOW - 5 * DAY)
    expect((await walk(shop.store, wide, order)).ids).toEqual(inOrder(matches, order))
  })

  test('of amounts alone is in their order, for they are few among many', async () => {
    shop = await stored()
    const page = await listOf(shop.store).page(
      clerkOf(),
      { mode: null, amount: { from: 260n, to: undefined } },
      undefined,
      'first',
    )
    expect(page.order).toEqual({ by: 'amount', direction: 'descending' })
  })

  test('has only the companies that a user is limited to, whatever is asked for', async () => {
    shop = await stored()
    const limited: Principal = { ...clerkOf(), companyIds: [shop.other.companyId] }
    const seen = async (wanted: WantedInvoices) => new Set((await walk(shop.store, wanted, undefined, limited)).ids)
    const theirs = shop.all.filter(({ companyId }) => companyId === shop.other.companyId)
    expect(await seen({ mode: null })).toEqual(new Set(theirs.map(({ id }) => id)))
    for (const wanted of [
      { deviceId: shop.one.deviceId },
      { companyId: shop.one.companyId },
      { premisesCode: 'FAR' },
      { gateway: 'kiosk-1' },
    ]) {
      expect(await seen({ mode: null, ...wanted })).toEqual(new Set())
      const tally = await listOf(shop.store).tally(limited, { mode: null, ...wanted })
      expect(tally).toMatchObject({ live: { count: 0 }, test: { count: 0 } })
    }
    expect(await seen({ mode: null, status: 'failed' })).toEqual(
      new Set(theirs.filter(({ status }) => status === 'failed').map(({ id }) => id)),
    )
  })

  test('of another tenant is empty', async () => {
    shop = await stored()
    const stranger = clerkOf('somebody-else')
    for (const wanted of [
      {},
      { deviceId: shop.one.deviceId },
      { companyId: shop.one.companyId },
      { gateway: 'kiosk-1' },
    ]) {
      expect((await walk(shop.store, { mode: null, ...wanted }, undefined, stranger)).ids).toEqual([])
    }
  })
})

test('a page and a sum look at a bounded number of entries, and say up to where', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  const sales = (n: number, first: number, paymentMethod: PaymentMethod) =>
    Array.from({ length: n }, (_, i) => [{ occurredAt: first + i }, { paymentMethod }] as const)
  const [rare] = await shop.soldAll(sales(1, 1, 'T').map(([a, b]) => [a, b]))
  for (let i = 0; i < 3; i++) await shop.soldAll(sales(1000, 10 + i * 1000, 'G').map(([a, b]) => [a, b]))
  const wanted: WantedInvoices = { mode: 'test', payment: 'T' }
  const first = await listOf(store).page(clerkOf(), wanted, NEWEST, 'first')
  expect(first.items).toEqual([])
  expect(first.searchedTo?.at).toBe(10 + 1000)
  const second = await listOf(store).page(clerkOf(), wanted, NEWEST, { behind: first.next ?? expect.fail() })
  expect(second).toMatchObject({ items: [{ id: rare?.id }], next: null, searchedTo: null })
  expect((await listOf(store).tally(clerkOf(), wanted)).test).toMatchObject({ count: 1, isComplete: false })
  expect((await listOf(store).tally(clerkOf(), { mode: 'test' })).test).toMatchObject({
    ...{ count: 2000, isComplete: false, isCountOnly: true },
  })
})
