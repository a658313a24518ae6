import { describe, expect, test } from 'vitest'
import { UNDATED } from '../../../src/store/shared/idempotency.ts'
import { processOn } from '../../support/overlap.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

async function keys() {
  const url = await postgresDatabase()
  const store = await processOn(url)
  const use = (key: string, now: number | null) =>
    store.idempotency.insert({ scope: 'operator', key, requestHash: 'h', invoiceId: null, response: null }, now)
  const dates = async () => {
    const rows = await query<{ created_at: string }>(url, 'SELECT created_at FROM idempotency_keys ORDER BY key')
    return rows.map(({ created_at }) => Number(created_at))
  }
  const isOver = async (key: string) => (await store.idempotency.get('operator', key, Date.now() + 40 * DAY_MS))?.isOver
  const age = (ms: number) => query(url, `UPDATE idempotency_keys SET created_at = created_at - ${ms}`)
  return { url, store, use, dates, isOver, age }
}

describe.skipIf(skipWithoutPostgres)('on PostgreSQL', () => {
  test('the clock of the database dates and judges keys, whatever the process knows, once a process found it right', async () => {
    const { store, use, dates, isOver, age } = await keys()
    expect(await store.idempotency.prove(Date.now(), 'test')).toBe(true)
    for (const [key, now] of [
      ['a', null],
      ['b', 65],
      ['c', Date.now() + 40 * DAY_MS],
    ] as const)
      await use(key, now)
    for (const date of await dates()) expect(Math.abs(date - Date.now())).toBeLessThan(MINUTE_MS)
    await age(DAY_MS - MINUTE_MS)
    await store.idempotency.removeOver(Date.now() + 40 * DAY_MS, null)
    expect(await isOver('b')).toBe(false)
    await age(MINUTE_MS)
    expect(await isOver('b')).toBe(true)
    await store.idempotency.removeOver(null, 'test')
    expect(await dates()).toHaveLength(3)
    await store.idempotency.removeOver(null, null)
    expect(await dates()).toEqual([])
  })

  test.each([-11, 11])(
    'a process that knows a time %i minutes apart from that of the database proves nothing',
    async (minutes) => {
      const { store, use, dates, isOver } = await keys()
      await use('a', Date.now() - 2 * DAY_MS)
      expect(await store.idempotency.prove(Date.now() + minutes * MINUTE_MS, 'live')).toBe(false)
      expect([await dates(), await isOver('a')]).toEqual([[UNDATED], false])
    },
  )

  test('a clock that was set since it was proven ends no key, and removes none', async () => {
    const { url, store, use, dates, isOver, age } = await keys()
    await store.idempotency.prove(Date.now(), 'test')
    await use('a', null)
    await age(2 * DAY_MS)
    expect(await isOver('a')).toBe(true)
    for (const days of [40, -40]) {
      await query(url, `UPDATE meta SET value = $1 WHERE key = 'clock_right_at'`, [String(Date.now() - days * DAY_MS)])
      await store.idempotency.removeOver(Date.now(), null)
      expect([await isOver('a'), (await dates()).length]).toEqual([false, 1])
    }
    await use('b', null)
    expect((await dates())[1]).toBe(UNDATED)
    await store.idempotency.prove(Date.now(), 'test')
    expect([await isOver('a'), await isOver('b')]).toEqual([true, false])
  })
})
