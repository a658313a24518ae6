import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  EARLIER,
  keepMonthsAhead,
  makeMonths,
  monthStart,
  serverTime,
} from '../../../src/store/postgres/message-months.ts'
import { migrateToLatest } from '../../../src/store/postgres/migrate.ts'
import { schemaProblems } from '../../../src/store/postgres/schema-check.ts'
import { olderDatabase } from '../../support/older-processes.ts'
import { query, skipWithoutPostgres } from '../../support/postgres.ts'

type Prepared = Awaited<ReturnType<typeof olderDatabase>>

/** A database of fiskd 1.0 with one invoice, and a way to store messages about it. */
async function prepared(): Promise<Prepared & { store(createdAt: number, id?: string): Promise<void> }> {
  const database = await olderDatabase()
  const older = await database.olderProcess()
  await older.sell()
  await older.stop()
  let attempts = 100
  return {
    ...database,
    async store(createdAt, id = randomUUID()) {
      await query(
        database.url,
        `INSERT INTO messages (id, invoice_id, message_uuid, attempt_no, duration_ms, created_at)
         SELECT $1, id, $1, $2, 1, $3 FROM invoices ON CONFLICT DO NOTHING`,
        [id, ++attempts, createdAt],
      )
    },
  }
}

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
  test('of before the upgrade stay where they are, as the first partition, and are not written again', async () => {
    const { url, db } = await prepared()
    const before = await query(url, `SELECT pg_relation_filenode('messages')::int AS file, xmin::text FROM messages`)
    await migrateToLatest(db)
    const after = `SELECT pg_relation_filenode('${EARLIER}')::int AS file, xmin::text FROM messages`
    expect(await query(url, after)).toEqual(before)
    const now = await serverTime(db)
    // Until the month after this one begins, messages go to the first partition.
    const months = [2, 3].map((later) => nameOf(monthStart(now, later)))
    expect(await names(url)).toEqual([...months, 'messages_default', EARLIER].toSorted())
    expect(await schemaProblems(db)).toEqual([])
  })

  test('go to the partition of their month, the same one only once, and are protected there', async () => {
    const { url, db, store } = await prepared()
    await migrateToLatest(db)
    const month = monthStart(await serverTime(db), 2)
    const id = randomUUID()
    await store(month, id)
    await store(month, id)
    await store(monthStart(month, 1))
    await store(monthStart(month, 40))
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
    await migrateToLatest(db)
    const before = await names(url)
    await Promise.all([keepMonthsAhead(db), keepMonthsAhead(db), keepMonthsAhead(db)])
    expect(await names(url)).toEqual(before)
    const later = monthStart(await serverTime(db), 5)
    await db.transaction().execute((trx) => makeMonths(trx, later))
    const wanted = [2, 3, 4, 5, 6, 7, 8].map((months) => nameOf(monthStart(monthStart(later, -5), months)))
    expect(await names(url)).toEqual([...wanted.filter((name) => name >= nameOf(later)), ...before].toSorted())
    expect(await schemaProblems(db)).toEqual([])
  })

  test('of a month that has none stay in the partition of all others, and the next month gets its own', async () => {
    const { url, db, store } = await prepared()
    await migrateToLatest(db)
    const now = await serverTime(db)
    await store(monthStart(now, 4))
    await db.transaction().execute((trx) => makeMonths(trx, monthStart(now, 2)))
    const found = await names(url)
    expect(found).not.toContain(nameOf(monthStart(now, 4)))
    expect(found).toContain(nameOf(monthStart(now, 5)))
    expect(await schemaProblems(db)).toEqual([])
  })

  test('of a clock that was months ahead are in the first partition, too', async () => {
    const { url, db, store } = await prepared()
    const ahead = monthStart(await serverTime(db), 8)
    await store(ahead)
    await migrateToLatest(db)
    expect(await partitions(url)).toEqual({ [EARLIER]: 2 })
    await store(monthStart(ahead, 1))
    expect(await partitions(url)).toEqual({ [EARLIER]: 2, messages_default: 1 })
  })

  test('of a month can be detached, and the rest goes on', async () => {
    const { url, db, store } = await prepared()
    await migrateToLatest(db)
    const month = monthStart(await serverTime(db), 2)
    await store(month)
    await query(url, `ALTER TABLE messages DETACH PARTITION ${nameOf(month)}`)
    expect(await schemaProblems(db)).toEqual([])
    expect(await keepMonthsAhead(db)).toBe(true)
    await store(month)
    expect(await partitions(url)).toEqual({ [EARLIER]: 1, messages_default: 1 })
    expect(await query(url, `SELECT count(*)::int FROM ${nameOf(month)}`)).toEqual([{ count: 1 }])
  })
})
