import { expect, test } from 'vitest'
import { numberRule } from '../../../src/fiscal/alerts/number-rules.ts'
import type { Taker } from '../../../src/fiscal/numbering/take-number.ts'
import { sellingIn, watched, watchOf } from '../../support/alerting.ts'
import { takeAsSale } from '../../support/numbers.ts'

const NINES = '9'.repeat(20)
const DAYS = 24 * 60

async function counting(latest = Number.POSITIVE_INFINITY) {
  const { store, time, at, news, ...it } = await watched()
  const { company } = await sellingIn(store, time.now)
  const sequence = { companyId: company.id, mode: 'test', premisesCode: 'KIOSK1', year: 2026, register: '' } as const
  const known = { latest }
  const look = watchOf({ store, ...it }, [numberRule(store, () => known.latest)])
  const take = (number: string | null, taker: Taker = { invoiceId: 'inv_1', now: time.now }) =>
    store.transaction((tx) => takeAsSale(tx, sequence, number, taker))
  return { store, time, at, news, look, take, sequence, company, known }
}

test('a number far ahead is told with its premises, its sale and how many there are, until nobody can sell there', async () => {
  const { store, at, news, look, take, company } = await counting()
  await take(null)
  await look()
  expect(news()).toEqual([])
  await take(NINES)
  await look()
  expect(news()).toEqual(['+number_far_ahead'])
  const [alert] = await store.alerts.open(null)
  expect(alert?.detail).toEqual({
    ...{ company: company.name, company_id: company.id, mode: 'test', premises_code: 'KIOSK1', year: 2026 },
    ...{ register: null, number: NINES, invoice_id: 'inv_1', count: 1 },
  })
  await take('88888888888888888888', { invoiceId: 'inv_2', now: 1e13 })
  await look()
  expect((await store.alerts.open(null))[0]?.detail).toMatchObject({ count: 2, invoice_id: 'inv_2' })
  at(400 * DAYS)
  await look()
  expect(news()).toEqual(['-number_far_ahead'])
})

test('a number far ahead is no news any more once counting has passed over it', async () => {
  const { news, look, take } = await counting()
  for (const number of [null, '2000000']) await take(number)
  await look()
  expect(news()).toEqual(['+number_far_ahead'])
  for (const number of ['1000001', '1999999']) await take(number)
  expect(await take(null)).toBe('2000001')
  await look()
  expect(news()).toEqual(['-number_far_ahead'])
})

test('a sequence with fewer than a million numbers left is told, with how many, until it is healed', async () => {
  const { store, news, look, take, sequence } = await counting()
  await store.numbering.setHighest(sequence, '99999999999998999999')
  await look()
  expect(news()).toEqual([])
  await take(null)
  await look()
  expect(news()).toEqual(['+numbers_used_up'])
  const [alert] = await store.alerts.open(null)
  expect(alert?.detail).toMatchObject({ highest: '99999999999999000000', left: '999999' })
  await take(NINES)
  await look()
  expect((await store.alerts.open(null))[0]?.detail).toMatchObject({ highest: NINES, left: '0' })
  await store.numbering.noteAhead([{ ...sequence, number: NINES, invoiceId: null, notedAt: 1 }])
  await store.numbering.fall(sequence, '1')
  await look()
  expect(news()).toEqual(['+number_far_ahead', '-numbers_used_up'].toReversed())
})

test('numbers of a year that has not begun are told as soon as the time is known, until it begins', async () => {
  const { store, news, look, sequence, company, known } = await counting()
  const next = { ...sequence, year: 2027 }
  await store.numbering.setHighest(sequence, '700')
  await store.numbering.setHighest(next, '12')
  // Nothing was sold in it.
  await store.numbering.setHighest({ ...next, premisesCode: 'KIOSK2' }, '0')
  await look()
  expect(news()).toEqual([])
  known.latest = Date.parse('2026-11-29T12:00:00Z')
  await look()
  expect(news()).toEqual(['+numbers_of_future'])
  expect((await store.alerts.open(null))[0]?.detail).toEqual({
    ...{ company: company.name, company_id: company.id, mode: 'test', premises_code: 'KIOSK1', year: 2027 },
    ...{ register: null, highest: '12' },
  })
  // After a start nobody knows the time: the alert stays.
  known.latest = Number.POSITIVE_INFINITY
  await look()
  known.latest = Date.parse('2026-12-31T22:59:59Z')
  await look()
  expect(news()).toEqual([])
  known.latest = Date.parse('2026-12-31T23:00:00Z')
  await look()
  expect(news()).toEqual(['-numbers_of_future'])
})
