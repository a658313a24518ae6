import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { openScratch } from '../../../scripts/chaos/scratch.ts'
import { ask, type Node, openCluster } from '../../../scripts/chaos-sync/cluster.ts'
import { DatabaseAway } from '../../../src/fiscal/ports/store.ts'
import { openStore } from '../../../src/store/store.ts'
import { startCutLink } from '../../support/cut-link.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { skipWithoutPostgres } from '../../support/postgres.ts'
import { addSellersShop, openStoreSeller, type SellersShop, type StoreSeller } from '../../support/store-seller.ts'

const scratch = openScratch(false)
afterAll(() => scratch.close())

async function primaryAndStandby(): Promise<[Node, Node]> {
  const primary = await openCluster({ wal_level: 'replica', max_wal_senders: '4', fsync: 'off' }, scratch)
  await ask(primary.url('postgres'), 'CREATE DATABASE fiskd')
  return [primary, await primary.standby()]
}

const addressOf = (hosts: readonly string[], more = '') =>
  `postgres://fiskd@/fiskd?host=${hosts.map(encodeURIComponent).join(',')}${more}`

/** As a machine does that repeats a sale, with one key, until it is taken. */
async function sellAtLast(seller: StoreSeller, shop: SellersShop): Promise<void> {
  for (const key = randomUUID(); ; ) {
    try {
      await seller.sell(shop, key)
      return
    } catch (error) {
      if (!(error instanceof DatabaseAway)) throw error
      await setTimeout(100)
    }
  }
}

describe.skipIf(skipWithoutPostgres)('of several hosts', () => {
  test('the one is sold on that takes writes, and after a failover the one that does then', async () => {
    const [primary, standby] = await primaryAndStandby()
    const url = addressOf([dirname(standby.socket), dirname(primary.socket)])
    const shop = await addSellersShop(url)
    const seller = await openStoreSeller(url)
    await seller.sell(shop)
    await primary.crash()
    await standby.promote()
    await ask(standby.url('postgres'), "ALTER SYSTEM SET synchronous_standby_names = ''; ")
    await ask(standby.url('postgres'), 'SELECT pg_reload_conf()')
    const promoted = performance.now()
    await sellAtLast(seller, shop)
    expect(performance.now() - promoted).toBeLessThan(10_000)
    const rows = await ask(standby.url('fiskd'), 'SELECT number FROM invoices ORDER BY journal_position')
    expect(rows).toEqual([{ number: '1' }, { number: '2' }])
  })

  test('a silent one before the others delays a start by a second, and a standby alone is told from them', async () => {
    const [primary, standby] = await primaryAndStandby()
    const silent = await startCutLink(() => primary.socket, atTheEndOfFile)
    silent.fallSilent()
    const hosts = ['127.0.0.1', dirname(standby.socket), dirname(primary.socket)]
    const began = performance.now()
    const store = await openStore(addressOf(hosts, `&port=${silent.port},5432,5432`), 1)
    expect(performance.now() - began).toBeLessThan(8_000)
    await store.close()
    const none = openStore(addressOf(hosts.slice(0, 2), `&port=${silent.port},5432`), 1)
    await expect(none).rejects.toThrow(`127.0.0.1: timeout expired; ${hosts[1]}: it takes no writes`)
    await expect(openStore(addressOf([hosts[1] ?? ''], '&target_session_attrs=primary'), 1)).rejects.toThrow(
      'cannot be opened: it takes no writes; see whether it runs, and FISKD_DATABASE_URL',
    )
  })
})
