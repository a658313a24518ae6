import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { openScratch } from '../../../scripts/chaos/scratch.ts'
import { ask, type Node, openCluster } from '../../../scripts/chaos-sync/cluster.ts'
import type { Invoice } from '../../../src/fiscal/ports/model.ts'
import { DatabaseAway } from '../../../src/fiscal/ports/store.ts'
import { startCutLink } from '../../support/cut-link.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { skipWithoutPostgres } from '../../support/postgres.ts'
import { addSellersShop, openStoreSeller, type SellersShop, type StoreSeller } from '../../support/store-seller.ts'

const scratch = openScratch(false)
afterAll(() => scratch.close())

/** A PostgreSQL behind one address that may lead somewhere else, and processes that sell there. */
async function startServer(processes = 2) {
  const primary = await openCluster({ wal_level: 'replica', max_wal_senders: '4', fsync: 'off' }, scratch)
  await ask(primary.url('postgres'), 'CREATE DATABASE fiskd')
  let current = primary
  const link = await startCutLink(() => current.socket, atTheEndOfFile)
  const url = `postgres://fiskd@127.0.0.1:${link.port}/fiskd`
  const sellers: StoreSeller[] = []
  for (let i = 0; i < processes; i++) sellers.push(await openStoreSeller(url))
  const [one, other] = sellers as [StoreSeller, StoreSeller]
  const shop = await addSellersShop(url)
  return {
    ...{ url, primary, link, one, other, shop },
    /** Whoever asks now gets to this one. */
    lead(to: Node) {
      current = to
      link.cut()
    },
    rows: () =>
      ask<{ number: string; zki: string; jir: string; status: string }>(
        current.url('fiskd'),
        `SELECT number, zki, jir, status FROM invoices ORDER BY premises_code, journal_position`,
      ),
    query: (text: string) => ask(current.url('fiskd'), text),
  }
}

/** As a machine does that repeats a sale, with one key, until it is taken. */
async function sellAtLast(seller: StoreSeller, shop: SellersShop): Promise<Invoice> {
  const key = randomUUID()
  for (;;) {
    try {
      return await seller.sell(shop, key)
    } catch (error) {
      if (!(error instanceof DatabaseAway || String(error).includes('lacks sales'))) throw error
      await setTimeout(100)
    }
  }
}

/** Whether the premises sells nothing because the database lacks sales of it. */
const isStopped = async (seller: StoreSeller, shop: SellersShop) =>
  seller.sell(shop).then(
    () => false,
    (error: unknown) => String(error).includes('lacks sales'),
  )

/** One sale of each in turn: each knows every second one. */
async function sellInTurn(sellers: readonly StoreSeller[], shop: SellersShop, times: number): Promise<void> {
  for (let i = 0; i < times; i++) for (const seller of sellers) await seller.sell(shop)
}

const factsOf = (sellers: readonly StoreSeller[]) =>
  sellers
    .flatMap(({ acknowledged }) => acknowledged)
    .map(({ document: { number, zki }, jir }) => ({ number, zki, jir, status: 'confirmed' }))
    .sort((a, b) => Number(a.number) - Number(b.number))

/** On a machine that does other work, too. */
const SOME_SECONDS = 10_000
const UNTIL_GONE = 25_000

const upTo = (last: number) => Array.from({ length: last }, (_, i) => String(i + 1))

describe.skipIf(skipWithoutPostgres)('where PostgreSQL goes back in time', () => {
  test('a standby that lacks sales takes over: their numbers are not given out again, and the processes store them again', async () => {
    const { primary, lead, shop, one, other, rows } = await startServer()
    await sellInTurn([one, other], shop, 2)
    const standby = await primary.standby({ isWaitedFor: false })
    await standby.fallBehind()
    await sellInTurn([one, other], shop, 5)
    await primary.crash()
    const promoted = standby.promote()
    lead(standby)
    await promoted
    await Promise.all([sellAtLast(one, shop), sellAtLast(other, shop)])
    const facts = factsOf([one, other])
    expect(facts.map(({ number }) => number)).toEqual(upTo(16))
    expect(await rows()).toEqual(facts)
  })

  test('a sale of which the standby lacks only the outcome gets it again, with the same JIR', async () => {
    const { primary, lead, shop, one, other, rows } = await startServer()
    await sellInTurn([one, other], shop, 2)
    const standby = await primary.standby({ isWaitedFor: false })
    await standby.fallBehind()
    await sellInTurn([one, other], shop, 1)
    await primary.crash()
    await standby.promote()
    await ask(
      standby.url('fiskd'),
      `SET session_replication_role = replica;
       UPDATE invoices SET status = 'pending', jir = NULL, confirmed_at = NULL WHERE journal_position = 4;
       UPDATE idempotency_keys SET response_status = NULL, response_body = NULL
         WHERE invoice_id = (SELECT id FROM invoices WHERE journal_position = 4)`,
    )
    lead(standby)
    await Promise.all([sellAtLast(one, shop), sellAtLast(other, shop)])
    expect(await rows()).toEqual(factsOf([one, other]))
  })

  test('the primary before goes on, without a restart, after sales on its successor: they are stored again there', async () => {
    const { primary, lead, shop, one, other, rows } = await startServer()
    await sellInTurn([one, other], shop, 2)
    const standby = await primary.standby({ isWaitedFor: false })
    await standby.fallBehind()
    const promoted = standby.promote()
    lead(standby)
    await promoted
    await Promise.all([sellAtLast(one, shop), sellAtLast(other, shop)])
    await sellInTurn([one, other], shop, 3)
    lead(primary)
    await Promise.all([sellAtLast(one, shop), sellAtLast(other, shop)])
    const facts = factsOf([one, other])
    expect(facts.map(({ number }) => number)).toEqual(upTo(14))
    expect(await rows()).toEqual(facts)
  })

  test('a sale that the primary before had committed in between, and nobody was told of, is never sent', async () => {
    const { url, primary, lead, shop, one, other, query } = await startServer()
    await sellInTurn([one, other], shop, 2)
    const standby = await primary.standby({ isWaitedFor: false })
    await standby.fallBehind()
    const third = await openStoreSeller(url)
    const unsent = await third.store(shop)
    await third.close()
    const promoted = standby.promote()
    lead(standby)
    await promoted
    await Promise.all([sellAtLast(one, shop), sellAtLast(other, shop)])
    lead(primary)
    await expect.poll(() => isStopped(one, shop)).toBe(true)
    const its = `SELECT status FROM invoices WHERE id = '${unsent.id}'`
    await expect.poll(async () => (await query(its))[0]).toEqual({ status: 'expired' })
    expect(factsOf([one, other]).map(({ number }) => number)).toEqual(upTo(6))
  })

  test('sales that no living process knows stop their premises, and no other one', async () => {
    const { url, primary, lead, shop, one, other, query } = await startServer()
    const second = await addSellersShop(url, 'KIOSK2', '102')
    await sellInTurn([one, other], shop, 2)
    await sellInTurn([one, other], second, 2)
    const standby = await primary.standby({ isWaitedFor: false })
    await standby.fallBehind()
    await sellInTurn([one, other], shop, 1)
    for (const seller of [one, other]) await seller.close()
    await primary.crash()
    const promoted = standby.promote()
    lead(standby)
    await promoted
    // All that is left of it is its record.
    const again = await openStoreSeller(url, { known: one.known })
    const beside = await openStoreSeller(url)
    // The closed processes stand in what the standby has: they are waited for first.
    await expect.poll(() => isStopped(again, shop), { timeout: 30_000 }).toBe(true)
    await expect.poll(() => isStopped(beside, shop), { timeout: 30_000 }).toBe(true)
    expect((await sellAtLast(beside, second)).document.number).toBe('5')
    expect(await query("SELECT count(*)::int FROM invoices WHERE premises_code = 'KIOSK1'")).toEqual([{ count: 4 }])
  })

  test('a process that sees the failover waits for one that does not come back, until that one is gone', async () => {
    const { primary, shop, lead, one } = await startServer(1)
    // Its own way to the primary ends there.
    const gone = await openStoreSeller(primary.url('fiskd'))
    await sellInTurn([one, gone], shop, 2)
    const standby = await primary.standby({ isWaitedFor: false })
    await sellInTurn([one, gone], shop, 1)
    const lag = 'SELECT 1 FROM pg_stat_replication WHERE replay_lsn < pg_current_wal_lsn()'
    await expect.poll(async () => (await ask(primary.url('fiskd'), lag)).length).toBe(0)
    await primary.crash()
    lead(standby)
    await standby.promote()
    const from = performance.now()
    await sellAtLast(one, shop)
    expect(performance.now() - from).toBeGreaterThan(4_000)
    expect(performance.now() - from).toBeLessThan(UNTIL_GONE)
  })

  test('a restart and a failover that lose nothing stop no sequence', async () => {
    const { primary, lead, shop, one, other } = await startServer()
    await sellInTurn([one, other], shop, 2)
    await primary.crash()
    await primary.start()
    await Promise.all([sellAtLast(one, shop), sellAtLast(other, shop)])
    const standby = await primary.standby()
    await sellInTurn([one, other], shop, 1)
    await primary.crash()
    lead(standby)
    await standby.promote()
    const from = performance.now()
    await Promise.all([sellAtLast(one, shop), sellAtLast(other, shop)])
    expect(performance.now() - from).toBeLessThan(SOME_SECONDS)
    expect(factsOf([one, other]).map(({ number }) => number)).toEqual(upTo(10))
  })
})
