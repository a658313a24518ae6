import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/store/store.ts'
import { openShop } from '../../support/shop.ts'
import { fleet } from '../../support/sync-rows.ts'
import { tempDir } from '../../support/temp-dir.ts'

async function startShop() {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  onTestFinished(() => store.close())
  const shop = await openShop(store)
  const inUse = (id: string) => ({ ...fleet().certificate, id, sealedKey: Buffer.from(id), supersededAt: null })
  const signsWith = async () => (await store.sales.origin(shop.deviceId))?.certificate
  return { ...shop, store, path, inUse, signsWith }
}

test('a sale is signed with the certificate that its company has in use at that moment', async () => {
  const { store, companyId, inUse, signsWith } = await startShop()
  expect(await signsWith()).toBeUndefined()
  await store.certificates.insert(inUse('first'))
  for (const _ of [1, 2]) expect(await signsWith()).toEqual(await store.certificates.get('first'))
  await store.transaction(async (tx) => {
    await tx.certificates.supersedeCurrent(companyId, 5)
    await tx.certificates.insert(inUse('second'))
  })
  for (const _ of [1, 2]) expect(await signsWith()).toEqual(await store.certificates.get('second'))
  await store.certificates.revoke('second', 6)
  expect(await signsWith()).toBeUndefined()
})

test('a certificate that another process revokes, or brings, is noticed by the next sale', async () => {
  const { store, path, inUse, signsWith } = await startShop()
  await store.certificates.insert(inUse('first'))
  expect((await signsWith())?.id).toBe('first')
  const other = await openStore(path, 1)
  onTestFinished(() => other.close())
  await other.certificates.revoke('first', 5)
  expect(await signsWith()).toBeUndefined()
  await other.certificates.insert(inUse('second'))
  expect(await signsWith()).toMatchObject({ id: 'second', sealedKey: Buffer.from('second') })
})

test('the keys of a certificate are read once, not with each sale', async () => {
  const { store, inUse, signsWith } = await startShop()
  await store.certificates.insert(inUse('first'))
  await signsWith()
  const prototype = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'))
  const { all } = prototype
  const rows: unknown[] = []
  prototype.all = function (this: Database.Statement, values: unknown[]) {
    const found = all.call(this, values)
    rows.push(...found)
    return found
  }
  onTestFinished(() => {
    prototype.all = all
  })
  expect((await signsWith())?.sealedKey).toEqual(Buffer.from('first'))
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.flatMap((row) => Object.values(row as object)).filter(Buffer.isBuffer)).toEqual([])
})
