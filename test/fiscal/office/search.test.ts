import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { formatInstant } from '../../../src/domain/instant.ts'
import { refusalMessage } from '../../../src/domain/sale/refusal.ts'
import { createSearch } from '../../../src/fiscal/office/search.ts'
import { gatewayRecord, HEARTBEAT } from '../../support/commands.ts'
import { OIBS } from '../../support/pki.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

const expireOverdue = async () => {}

async function searched() {
  const store = await freshStore()
  const search = createSearch({ store, clock: { now: () => 1 }, expireOverdue })
  const find = async (text: string, principal = clerkOf()) => {
    const { items, more } = await search.find(principal, text)
    return { ids: items.map(({ id }) => id), more }
  }
  return { store, search, find }
}

test('a number alone finds one invoice for each premises and year, the latest first', async () => {
  const { store, find } = await searched()
  const [one, other] = [
    await openShop(store),
    await openShop(store, { premisesCode: 'KIOSK2', label: 'two', isuNumber: '2' }),
  ]
  const thisYear = await one.sold({ occurredAt: 3000 })
  const lastYear = await one.sold({ year: 2025, occurredAt: 1000, journalPosition: 9 }, { number: '1' })
  const elsewhere = await other.sold({ occurredAt: 2000 })
  await other.sold()
  expect(await find('1')).toEqual({ ids: [thisYear.id, elsewhere.id, lastYear.id], more: false })
  expect((await find('1/KIOSK1')).ids).toEqual([thisYear.id, lastYear.id])
  expect((await find('1/kiosk2/101')).ids).toEqual([elsewhere.id])
  expect((await find('1/KIOSK2/102')).ids).toEqual([])
  expect((await find('3')).ids).toEqual([])
})

test('registers that number by themselves are told apart by their marks', async () => {
  const { store, find } = await searched()
  const shop = await openShop(store)
  const till = (registerMark: string) => shop.sold({}, { number: '7', sequenceMark: 'N', registerMark })
  const [first, second] = [await till('1'), await till('2')]
  expect((await find('7')).ids.sort()).toEqual([first.id, second.id].sort())
  expect((await find('7/KIOSK1/2')).ids).toEqual([second.id])
})

test('own invoices and those of gateways are found by their codes, whatever the case', async () => {
  const { store, find } = await searched()
  const own = await (await openShop(store)).sold({}, { zki: 'ab12cd34'.padEnd(32, '0') })
  const gateway = { id: randomUUID(), gatewayId: 'g1' }
  const theirs = await openShop(store, { oib: OIBS[1] as string, gatewayId: gateway.gatewayId, premisesCode: 'G' })
  const jir = randomUUID().toUpperCase()
  const replicated = await theirs.sold({ jir }, { zki: 'ab12cd34'.padEnd(32, '1') })
  expect((await find('AB12CD34')).ids.sort()).toEqual([own.id, replicated.id].sort())
  expect((await find('ab12cd341')).ids).toEqual([replicated.id])
  expect((await find(jir.toLowerCase())).ids).toEqual([replicated.id])
  expect((await find(jir.slice(0, 13))).ids).toEqual([replicated.id])
  expect((await find(String(own.jir).replaceAll('-', ''))).ids).toEqual([own.id])
})

test('nothing of another tenant is found, and nothing of another mode by a key of one', async () => {
  const { store, find } = await searched()
  await store.tenants.insert({ id: 'drugi', name: 'drugi', createdAt: 1 })
  const theirs = await (await openShop(store, { tenantId: 'drugi' })).sold({}, { zki: 'c'.repeat(32) })
  for (const text of ['1', '1/KIOSK1', 'c'.repeat(8), String(theirs.jir), theirs.id]) {
    expect((await find(text)).ids, text).toEqual([])
    expect((await find(text, clerkOf('drugi'))).ids, text).toEqual([theirs.id])
    expect((await find(text, { ...clerkOf('drugi'), mode: 'live' })).ids, text).toEqual([])
    expect((await find(text, { ...clerkOf('drugi'), deviceId: randomUUID() })).ids, text).toEqual([])
  }
})

test('of more than fifty the latest are shown, over any number of sequences', async () => {
  const { store, find } = await searched()
  const shop = await openShop(store)
  const years = Array.from({ length: 260 }, (_, i) => 1700 + i)
  await shop.soldAll(years.map((year) => [{ year, occurredAt: year, journalPosition: year }, { number: '1' }]))
  const { ids, more } = await find('1')
  expect(more).toBe(true)
  const found = await Promise.all(ids.map((id) => store.invoices.get(id)))
  expect(found.map((invoice) => invoice?.year)).toEqual(Array.from({ length: 50 }, (_, i) => 1959 - i))
})

test('messages come in slices without their XML, and one of another invoice is not told', async () => {
  const { store, search } = await searched()
  const shop = await openShop(store)
  const [invoice, other] = [await shop.sold(), await shop.sold()]
  for (let attemptNo = 1; attemptNo <= 21; attemptNo++) {
    await store.messages.insert({
      ...{ id: `m${attemptNo}`, invoiceId: invoice.id, messageUuid: randomUUID(), attemptNo, httpStatus: null },
      ...{ errorCode: null, errorMessage: null, durationMs: 5, createdAt: 1, requestXml: `<a>${attemptNo}</a>` },
      responseXml: null,
    })
  }
  const { messages } = await search.file(clerkOf(), invoice.id)
  expect(messages.items.map(({ attemptNo }) => attemptNo)).toEqual(Array.from({ length: 20 }, (_, i) => 21 - i))
  expect(messages.next).toBe(2)
  expect(messages.items[0]).not.toHaveProperty('requestXml')
  const rest = await search.messages(clerkOf(), invoice.id, 2)
  expect(rest).toMatchObject({ items: [{ attemptNo: 1 }], next: null })
  expect(await search.message(clerkOf(), invoice.id, 'm7')).toMatchObject({ requestXml: '<a>7</a>', responseXml: null })
  await expect(search.message(clerkOf(), other.id, 'm7')).rejects.toMatchObject({ status: 404 })
})

test('what has failed is counted by cause, own invoices apart from those of gateways', async () => {
  const { store, search } = await searched()
  const failed = { status: 'failed', jir: null, confirmedAt: null } as const
  const shop = await openShop(store)
  const rejected = { ...failed, errorCode: 'upstream_rejected' } as const
  const errorMessage = refusalMessage('s013', 'the receipt has restrictive errors', [179, 182])
  await shop.sold({ ...rejected, errorMessage, deadlineAt: 500, occurredAt: 1 })
  await shop.sold({ ...rejected, deadlineAt: 400, occurredAt: 2 })
  await shop.sold({ ...failed, errorCode: 'certificate_expired', mode: 'live' })
  const theirs = await openShop(store, { oib: OIBS[1] as string, gatewayId: 'g1', premisesCode: 'G' })
  const latest = await theirs.sold({ ...rejected, deadlineAt: 900, occurredAt: 3 })
  await store.messages.insert({
    ...{ id: 'm', invoiceId: latest.id, messageUuid: randomUUID(), attemptNo: 1, httpStatus: 500, durationMs: 5 },
    ...{
      errorCode: 'upstream_rejected',
      errorMessage: 's003: three',
      createdAt: 1,
      requestXml: null,
      responseXml: null,
    },
  })
  expect(await search.failures(clerkOf())).toMatchObject([
    {
      code: 'upstream_rejected',
      ours: 2,
      ofGateways: 1,
      nextDeadlineAt: 400,
      answer: 's003: three',
      restrictiveCodes: [179, 182],
    },
    { code: 'certificate_expired', ours: 1, ofGateways: 0, answer: null, restrictiveCodes: [] },
  ])
  expect(await search.failures(clerkOf('drugi'))).toEqual([])
})

test('an invoice of a gateway comes with the breaks that the gateway has reported, an own one with our own', async () => {
  const { store, search } = await searched()
  const day = 86_400_000
  const [own, theirs] = [
    { mode: 'test', from: 5 * day, until: null, extended: [] },
    { mode: 'test', from: 2 * day, until: 4 * day, extended: ['c'] },
  ] as const
  await store.breaks.put([own])
  await store.gateways.insert(gatewayRecord('g1', 'kiosk-1'))
  const breaks = [
    { ...theirs, extended: ['c'], from: formatInstant(theirs.from), until: formatInstant(theirs.until) },
    { ...theirs, extended: ['c'], from: 'some day', until: null },
  ]
  await store.gateways.noteHeartbeats(new Map([['g1', { ...HEARTBEAT, breaks }]]), 1)
  const here = await (await openShop(store)).sold()
  const there = await (await openShop(store, { oib: OIBS[1] as string, gatewayId: 'g1', premisesCode: 'G' })).sold()
  expect((await search.file(clerkOf(), here.id)).breaks).toEqual([own])
  expect((await search.file(clerkOf(), there.id)).breaks).toEqual([theirs])
})
