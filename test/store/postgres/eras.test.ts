import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { DatabaseAway } from '../../../src/fiscal/ports/store.ts'
import { type Era, eraOf } from '../../../src/store/postgres/era.ts'
import { overLink, postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { addSellersShop, openStoreSeller } from '../../support/store-seller.ts'

const era = (count: number, changes: Partial<Era> = {}): Era => ({
  ...{ count, id: `era ${count}`, incarnation: 'as it is', isCompared: true },
  ...changes,
})

describe('the era of a process', () => {
  const isNew = (count: number) => ({ ...era(count), id: expect.any(String), isCompared: false })

  test.each<[why: string, stored: Era | undefined, known: Era | undefined, wentBack: boolean, expected: unknown]>([
    ['a first process begins the first one', undefined, undefined, false, isNew(1)],
    ['a process that starts takes the one that is stored', era(3), undefined, false, era(3)],
    ['nothing has happened', era(3), era(3), false, era(3)],
    ['another process has begun a new one here', era(4), era(3), false, era(4)],
    ['the server was started again', era(3, { incarnation: 'as it was' }), era(3), false, isNew(4)],
    ['the same, and this process starts', era(3, { incarnation: 'as it was' }), undefined, false, isNew(4)],
    ['the database does not know of the latest one', era(2), era(3), false, isNew(4)],
    ['two databases have begun one each', era(3, { id: 'elsewhere' }), era(3), false, isNew(4)],
    ['the database has none', undefined, era(3), false, isNew(4)],
    ['it lacks beats of this process', era(3), era(3), true, isNew(4)],
  ])('%s', (_why, stored, known, wentBack, expected) => {
    expect(eraOf('as it is', stored, known, wentBack)).toEqual(expected)
  })
})

describe.skipIf(skipWithoutPostgres)('a process that sells on PostgreSQL', () => {
  const storedEra = async (url: string) => {
    const [row] = await query<{ era: Era }>(
      url,
      `SELECT convert_from(value, 'UTF8')::json AS era FROM meta WHERE key = 'era'`,
    )
    return row?.era
  }

  test('sells nothing before it has compared what it knows', async () => {
    const url = await postgresDatabase()
    const shop = await addSellersShop(url)
    const seller = await openStoreSeller(url, { compares: false })
    await expect(seller.sell(shop)).rejects.toBeInstanceOf(DatabaseAway)
  })

  test('compares again in a copy of the database that was put in its place', async () => {
    const direct = await postgresDatabase()
    const { url, link } = await overLink(direct)
    const shop = await addSellersShop(url)
    const seller = await openStoreSeller(url)
    await seller.sell(shop)
    const name = new URL(direct.replace('@/', '@localhost/')).pathname.slice(1)
    const admin = direct.replace(name, 'postgres')
    const end = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1'
    link.goDown()
    await query(admin, end, [name])
    await query(admin, `CREATE DATABASE ${name}_copy TEMPLATE ${name} STRATEGY FILE_COPY`)
    link.comeBack()
    await expect.poll(() => seller.sell(shop).then(({ document }) => document.number, String)).toBe('2')
    link.goDown()
    await query(admin, end, [name])
    await query(admin, `ALTER DATABASE ${name} RENAME TO ${name}_before`)
    await query(admin, `ALTER DATABASE ${name}_copy RENAME TO ${name}`)
    const before = seller.compared()
    link.comeBack()
    await expect.poll(() => seller.sell(shop).then(({ document }) => document.number, String)).toBe('3')
    expect(seller.compared()).toBeGreaterThan(before)
    expect(await query(url, 'SELECT number FROM invoices ORDER BY 1')).toHaveLength(3)
    await seller.close()
    await query(admin, `DROP DATABASE ${name}_before WITH (FORCE)`)
  })

  test('notices at its next beat that its own beats are missing', async () => {
    const url = await postgresDatabase()
    const shop = await addSellersShop(url)
    const seller = await openStoreSeller(url)
    await setTimeout(5_000)
    const before = await storedEra(url)
    await query(url, 'UPDATE processes SET beats = 0')
    await seller.sell(shop)
    expect((await storedEra(url))?.count).toBe(Number(before?.count) + 1)
    expect(seller.compared()).toBe(2)
  })

  test('waits for one that entered so late that the database has lost its row', async () => {
    const url = await postgresDatabase()
    const shop = await addSellersShop(url)
    const one = await openStoreSeller(url)
    const instance = randomUUID()
    const late = await openStoreSeller(url, { instance })
    await setTimeout(4_500)
    await query(url, 'DELETE FROM processes WHERE instance = $1', [instance])
    await query(url, `UPDATE meta SET value = 'null' WHERE key = 'era'`)
    await one.sell(shop)
    expect(late.compared()).toBeGreaterThan(1)
    expect(await storedEra(url)).toMatchObject({ incarnation: expect.any(String) })
  })
})
