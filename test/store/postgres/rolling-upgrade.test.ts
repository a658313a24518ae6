import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { localInvoiceLock } from '../../../src/fiscal/ports/invoice-lock.ts'
import { checkJournals } from '../../../src/fiscal/sales/journal-check.ts'
import { migrateToLatest } from '../../../src/store/postgres/migrate.ts'
import { olderLive, watchOlderProcesses } from '../../../src/store/postgres/older-processes.ts'
import { schemaProblems } from '../../../src/store/postgres/schema-check.ts'
import { openStore } from '../../../src/store/store.ts'
import { olderDatabase, pool, type Seller } from '../../support/older-processes.ts'
import { query, skipWithoutPostgres } from '../../support/postgres.ts'

const CONTRACTION = '011-without-older-processes'

/** Sells one sale after the other until it is told to stop. @returns how many, and the longest of them */
function selling(seller: Seller) {
  let stopped = false
  const work = async () => {
    let [sales, longestMs] = [0, 0]
    while (!stopped) {
      const startedAt = performance.now()
      await seller.sell()
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      sales++
    }
    await seller.stop()
    return { sales, longestMs }
  }
  const done = work()
  // The test awaits it when it stops this process.
  done.catch(() => {})
  return {
    stop() {
      stopped = true
      return done
    },
  }
}

describe.skipIf(skipWithoutPostgres)('a server of several processes that is upgraded from fiskd 1.0', () => {
  test('goes on selling while its processes are replaced one by one, with one journal and no number left out', async () => {
    const { url, db, journal, olderProcess, newProcess } = await olderDatabase()
    const older = [selling(await olderProcess()), selling(await olderProcess()), selling(await olderProcess())]
    await setTimeout(200)

    // The first new process changes the schema under the older ones.
    expect(await migrateToLatest(db, '1.1.0')).toEqual([CONTRACTION])
    expect(await schemaProblems(db)).toEqual([])
    const newer: ReturnType<typeof selling>[] = []
    const results = []
    for (const one of older) {
      newer.push(selling(await newProcess()))
      await setTimeout(300)
      results.push(await one.stop())
    }
    await setTimeout(200)
    expect(await migrateToLatest(db, '1.1.0')).toEqual([])
    expect(await schemaProblems(db)).toEqual([])
    await setTimeout(200)
    for (const one of newer) results.push(await one.stop())

    const sales = results.reduce((sum, one) => sum + one.sales, 0)
    expect(Math.min(...results.map((one) => one.sales))).toBeGreaterThan(0)
    expect(Math.max(...results.map((one) => one.longestMs))).toBeLessThan(5_000)
    const store = await openStore(url, 1)
    onTestFinished(() => store.close())
    expect(await checkJournals(store)).toMatchObject({ entries: sales, broken: [], wrongNumbers: [], passedOver: [] })
    expect(await store.invoices.lastOf(journal)).toMatchObject({ journalPosition: sales })
    expect(await query(url, 'SELECT count(*)::int AS messages FROM messages')).toEqual([{ messages: sales }])
    expect(await query(url, 'SELECT position::int FROM journals')).toEqual([{ position: sales }])
    // Those sold before the change, those that older processes sold during it, and those of the new ones: each once.
    const counted = `SELECT unit, sum(invoices)::int AS sales FROM turnover WHERE kind = 'total' GROUP BY unit ORDER BY unit`
    expect(await query(url, counted)).toEqual([
      { unit: 'day', sales },
      { unit: 'month', sales },
    ])
  })

  test('keeps what older processes need while one of them lives', async () => {
    const { db, url, olderProcess } = await olderDatabase()
    const older = await olderProcess()
    await older.sell()
    expect(await migrateToLatest(db, '1.1.0')).toEqual([CONTRACTION])
    await query(url, `INSERT INTO journals SELECT company_id, mode, premises_code, 1, 's' FROM invoices`)
    await older.sell()
    expect(await query(url, 'SELECT position::int FROM journals')).toEqual([{ position: 2 }])
    await older.stop()
    await expect.poll(() => olderLive(db)).toBe(false)
    expect(await migrateToLatest(db, '1.1.0')).toEqual([])
  })

  test('keeps what processes of another version need, while their rows are there', async () => {
    const { db, url, olderProcess } = await olderDatabase()
    const older = await olderProcess()
    await migrateToLatest(db, '1.1.0')
    await older.stop()
    await expect.poll(() => olderLive(db)).toBe(false)
    await query(
      url,
      `INSERT INTO processes (instance, host, pid, version, started_at) VALUES ('i', 'h', 1, '1.0.9', 1)`,
    )
    expect(await migrateToLatest(db, '1.1.0')).toEqual([CONTRACTION])
    await query(url, `UPDATE processes SET version = '1.1.0'`)
    expect(await migrateToLatest(db, '1.1.0')).toEqual([])
  })

  test('lets older processes see its locks, and sees theirs', async () => {
    const { url, db, olderProcess } = await olderDatabase()
    const older = await olderProcess()
    const [one, other] = [await watchOlderProcesses(db, url), await watchOlderProcesses(pool(url), url)]
    // Each has its own lock among processes of this release: they meet in the lock of the older ones alone.
    const [first, second] = [one.shared(localInvoiceLock()), other.shared(localInvoiceLock())]
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const held = first.run('inv_1', () => gate.promise.then(() => order.push('first')))
    await expect.poll(() => second.isHeld('inv_1')).toBe(true)
    expect(await second.isHeld('inv_2')).toBe(false)
    // Otherwise a process that starts would wait for each sale of theirs in turn.
    expect(await second.claim(['inv_1', 'inv_2'], 2)).toEqual(['inv_2'])
    const waiting = second.run('inv_1', async () => order.push('second'))
    await setTimeout(100)
    gate.resolve()
    await Promise.all([held, waiting])
    expect(order).toEqual(['first', 'second'])
    await expect.poll(() => first.isHeld('inv_1')).toBe(false)
    await Promise.all([one.close(), other.close(), older.stop()])
  })

  test('holds no lock for older processes once they are gone', async () => {
    const { url, db, olderProcess } = await olderDatabase()
    const older = await olderProcess()
    const watched = await watchOlderProcesses(db, url, { lookMs: 20, goneMs: 100 })
    onTestFinished(() => watched.close())
    expect(watched.areThere()).toBe(true)
    await older.stop()
    await expect.poll(() => watched.areThere()).toBe(false)
    const locks = await db.transaction().execute(async (trx) => {
      await watched.letWait(trx)
      return query(
        url,
        `SELECT objid FROM pg_locks JOIN pg_database ON oid = database
        WHERE locktype = 'advisory' AND datname = current_database()`,
      )
    })
    expect(locks).toEqual([])
  })
})
