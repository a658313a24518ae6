import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keepMonthsAhead, makeMonths, monthStart, serverTime } from '../../../src/store/postgres/message-months.ts'
import { openPool } from '../../../src/store/postgres/pool.ts'
import { schemaProblems } from '../../../src/store/postgres/schema-check.ts'
import { openStore } from '../../../src/store/store.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { openShop } from '../../support/shop.ts'

/** A database with one invoice, and a way to store messages about it. */
async function prepared() {
  const url = await postgresDatabase()
  const store = await openStore(url, 1)
  await (await openShop(store)).sold()
  await store.close()
  const { db } = openPool(url)
  onTestFinished(() => db.destroy())
  let attempts = 100
  return {
    url,
    db,
    async store(createdAt: number, id: string = randomUUID()): Promise<void> {
      await query(
        url,
        `INSERT INTO messages (id, invoice_id, message_uuid, attempt_no, duration_ms, created_at)
         SELECT $1, id, $1, $2, 1, $3 FROM invoices ON CONFLICT DO NOTHING`,
        [id, ++attempts, createdAt],
      )
    },
  }
}

const EARLIER = 'messages_earlier'

const partitions = async (url: string) => {
  const rows = await query<{ name: string; messages: number }>(
    url,
    `SELECT tableoid::regclass::text AS name, count(*)::int AS messages FROM messages GROUP BY 1 ORDER BY 1`,
  )
  return Object.fromEntries(rows.map(({ name, messages }) => [name, messages]))
}

const names = async (url: string) => {
  const of = `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'messages'::regclass ORDER BY 1`
  return (await query<{ name: string }>(url, of)).map(({ name }) => name)
}

const nameOf = (month: number) => `messages_${new Date(month).toISOString().slice(0, 7).replace('-', '_')}`

describe.skipIf(skipWithoutPostgres)('the messages of a database on PostgreSQL', () => {
  test('go to the partition of their month, the same one only once, and are protected there', async () => {
    const { url, db, store } = await prepared()
    const month = monthStart(await serverTime(db), 2)
    const id = randomUUID()
    await store(month, id)
    await store(month, id)
    await store(monthStart(month, 1))
    await store(monthStart(month, 40))
    await store(monthStart(month, -40))
    expect(await partitions(url)).toEqual({
      ...{ [EARLIER]: 1, messages_default: 1 },
      ...{ [nameOf(month)]: 1, [nameOf(monthStart(month, 1))]: 1 },
    })
    for (const table of ['messages', nameOf(month), EARLIER, 'messages_default']) {
      await expect(query(url, `DELETE FROM ${table}`)).rejects.toThrow('what was issued is kept')
      await expect(query(url, `TRUNCATE ${table}`)).rejects.toThrow('what was issued is kept')
      await expect(query(url, `UPDATE ${table} SET duration_ms = 2`)).rejects.toThrow('is not changed')
    }
  })

  test('have the partitions of the next three months, whichever processes make them, however often', async () => {
    const { url, db } = await prepared()
    const before = await names(url)
    const now = await serverTime(db)
    const months = [0, 1, 2, 3].map((months) => nameOf(monthStart(now, months)))
    expect(before).toEqual([...months, 'messages_default', EARLIER].toSorted())
    await Promise.all([keepMonthsAhead(db), keepMonthsAhead(db), keepMonthsAhead(db)])
    expect(await names(url)).toEqual(before)
    const later = monthStart(now, 5)
    await db.transaction().execute((trx) => makeMonths(trx, later))
    const wanted = [0, 1, 2, 3].map((months) => nameOf(monthStart(later, months)))
    expect(await names(url)).toEqual([...wanted, ...before].toSorted())
    expect(await schemaProblems(db)).toEqual([])
  })

  test('of a month that has none stay in the partition of all others, and the next month gets its own', async () => {
    const { url, db, store } = await prepared()
    const now = await serverTime(db)
    await store(monthStart(now, 4))
    await db.transaction().execute((trx) => makeMonths(trx, monthStart(now, 2)))
    const found = await names(url)
    expect(found).not.toContain(nameOf(monthStart(now, 4)))
    expect(found).toContain(nameOf(monthStart(now, 5)))
    expect(await schemaProblems(db)).toEqual([])
  })

  test('of a month can be detached, and the rest goes on', async () => {
    const { url, db, store } = await prepared()
    const month = monthStart(await serverTime(db), 2)
    await store(month)
    await query(url, `ALTER TABLE messages DETACH PARTITION ${nameOf(month)}`)
    expect(await schemaProblems(db)).toEqual([])
    expect(await keepMonthsAhead(db)).toBe(true)
    await store(month)
    expect(await partitions(url)).toEqual({ messages_default: 1 })
    expect(await query(url, `SELECT count(*)::int FROM ${nameOf(month)}`)).toEqual([{ count: 1 }])
  })
})
