import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { companyIdOf } from '../../../src/domain/company-id.ts'
import type { Mode } from '../../../src/domain/sale/sale.ts'
import { KEY_LIFETIME_MS, LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
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
    store.idempotency.insert({ scope, key, requestHash: 'hash', invoiceId: null, response: null }, createdAt)
  const removeBefore = (moment: number, mode: Mode | null) =>
    store.idempotency.removeOver(KEY_LIFETIME_MS + moment - 1, mode)
  return { store, path, use, left, removeBefore }
}

test('keys are removed when they are too old, those of one mode and no younger ones', async () => {
  const { use, left, removeBefore } = await openKeys()
  for (const at of [1, 2, 3, 4]) await use('test', `test ${at}`, at)
  for (const at of [1, 9]) await use('live', `live ${at}`, at)
  await use('user', 'user 1', 1)
  await removeBefore(3, 'test')
  expect(left()).toEqual(['test 3', 'test 4', 'live 1', 'live 9', 'user 1'])
  await removeBefore(5, 'test')
  await removeBefore(5, 'live')
  expect(left()).toEqual(['live 9', 'user 1'])
  // It stands behind one that is not too old yet.
  await removeBefore(5, null)
  expect(left()).toEqual(['live 9', 'user 1'])
  await removeBefore(10, 'live')
  await removeBefore(10, null)
  expect(left()).toEqual([])
})

test('no key that is used every day keeps older ones from being removed', async () => {
  const { store, use, left, removeBefore } = await openKeys()
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
      keyTime: KEY_LIFETIME_MS + 1,
      seenAt: 1,
      use: { scope: 'test', key: 'daily', requestHash: 'hash', invoiceId: sale.id, response: null },
    }),
  )
  const again = await store.idempotency.get('test', 'daily', KEY_LIFETIME_MS + 2)
  expect(again).toMatchObject({ invoiceId: sale.id, isOver: false, response: null })
  expect(left()).toEqual(['once', 'twice', 'daily'])
  await removeBefore(2, 'test')
  expect(left()).toEqual(['daily'])
})

test('old keys are looked for from the oldest on, not among all of an API key', async () => {
  const { path, use, left, removeBefore } = await openKeys()
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
  await removeBefore(11, 'test')
  expect(left()).toHaveLength(2990)
  const removal = asked.find(([text]) => text.startsWith('delete'))
  const database = new Database(path)
  onTestFinished(() => void database.close())
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${removal?.[0]}`).all(removal?.[1])
  expect(plan[0]).toMatchObject({ detail: 'SEARCH idempotency_keys USING INTEGER PRIMARY KEY (rowid<?)' })
})
