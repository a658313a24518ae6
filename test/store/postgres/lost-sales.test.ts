import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { openScratch } from '../../../scripts/chaos/scratch.ts'
import { ask, type Node, openCluster } from '../../../scripts/chaos-server/cluster.ts'
import { DatabaseAway } from '../../../src/fiscal/ports/database-reach.ts'
import type { Invoice } from '../../../src/fiscal/ports/model.ts'
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
  const shop = await addSellersShop(one.store)
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

/** One sale of each in turn: each knows every second one. */
async function sellInTurn(sellers: readonly StoreSeller[], shop: SellersShop, times: number): Promise<void> {
  for (let i = 0; i < times; i++) for (const seller of sellers) await seller.sell(shop)
}

const factsOf = (sellers: readonly StoreSeller[]) =>
  sellers
    .flatMap(({ acknowledged }) => acknowledged)
    .map(({ document: { number, zki }, jir }) => ({ number, zki, jir, status: 'confirmed' }))
    .sort((a, b) => Number(a.number) - Number(b.number))

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
})
