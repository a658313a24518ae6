import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { companyIdOf } from '../../../src/domain/company-id.ts'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { OIBS } from '../../support/oibs.ts'
import { openShop } from '../../support/shop.ts'
import { fleet } from '../../support/sync-rows.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** A store with an API key of each mode, and the keys that are there, in their order. */
async function openKeys() {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  onTestFinished(() => store.close())
  for (const mode of ['test', 'live'] as const) {
    const key = { id: mode, tenantId: DEFAULT_TENANT, hash: mode, name: null, scopes: [], deviceId: null }
    await store.apiKeys.insert({ ...key, mode, createdAt: 1, revokedAt: null })
  }
  const left = () => {
    const database = new Database(path, { readonly: true })
    const keys = database.prepare('SELECT key FROM idempotency_keys ORDER BY rowid').pluck().all()
    database.close()
    return keys
  }
  const use = (scope: string, key: string, createdAt: number) =>
    store.idempotency.insert({ scope, key, requestHash: 'hash', createdAt, invoiceId: null, response: null })
  return { store, path, use, left }
}

test('keys are removed when they are too old, those of one mode and no younger ones', async () => {
  const { store, use, left } = await openKeys()
  for (const at of [1, 2, 3, 4]) await use('test', `test ${at}`, at)
  for (const at of [1, 9]) await use('live', `live ${at}`, at)
  await use('user', 'user 1', 1)
  await store.idempotency.removeBefore(3, 'test')
  expect(left()).toEqual(['test 3', 'test 4', 'live 1', 'live 9', 'user 1'])
  await store.idempotency.removeBefore(5, 'test')
  await store.idempotency.removeBefore(5, 'live')
  expect(left()).toEqual(['live 9', 'user 1'])
  // It stands behind one that is not too old yet.
  await store.idempotency.removeBefore(5, null)
  expect(left()).toEqual(['live 9', 'user 1'])
  await store.idempotency.removeBefore(10, 'live')
  await store.idempotency.removeBefore(10, null)
  expect(left()).toEqual([])
})

test('no key that is used every day keeps older ones from being removed', async () => {
  const { store, use, left } = await openKeys()
  const shop = await openShop(store)
  const companyId = companyIdOf(OIBS[0] as string)
  for (const key of ['daily', 'once', 'twice']) await use('test', key, 1)
  const { invoice } = fleet()
  const sale = invoice(1, { status: 'pending', jir: null, confirmedAt: null, deviceId: shop.deviceId })
  const [certificate] = await store.certificates.list({ tenantId: null, mode: null, companyIds: null, ours: true })
  const sequence = { companyId, mode: 'test', premisesCode: 'KIOSK1', year: 2026, register: '' } as const
  const owner = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY, certificateId: String(certificate?.id) }
  await store.transaction((tx) =>
    tx.sales.insert({
      invoice: { ...sale, ...owner },
      sequence,
      highest: '1',
      usesEndedBefore: 1,
      seenAt: 1,
      use: { scope: 'test', key: 'daily', requestHash: 'hash', createdAt: 9, invoiceId: sale.id, response: null },
    }),
  )
  expect(await store.idempotency.get('test', 'daily')).toMatchObject({ createdAt: 9, response: null })
  expect(left()).toEqual(['once', 'twice', 'daily'])
  await store.idempotency.removeBefore(2, 'test')
  expect(left()).toEqual(['daily'])
})

test('old keys are looked for from the oldest on, not among all of an API key', async () => {
  const { store, path, use, left } = await openKeys()
  for (let at = 1; at <= 3000; at++) await use('test', String(at), at)
  const prototype = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1')) as Database.Statement
  const { run } = prototype
  const asked: [string, unknown][] = []
  prototype.run = function (this: Database.Statement, values: unknown) {
    asked.push([this.source, values])
    return run.call(this, values)
  }
  onTestFinished(() => {
    prototype.run = run
  })
  await store.idempotency.removeBefore(11, 'test')
  expect(left()).toHaveLength(2990)
  const removal = asked.find(([text]) => text.startsWith('delete'))
  const database = new Database(path)
  onTestFinished(() => void database.close())
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${removal?.[0]}`).all(removal?.[1])
  expect(plan[0]).toMatchObject({ detail: 'SEARCH idempotency_keys USING INTEGER PRIMARY KEY (rowid<?)' })
})
