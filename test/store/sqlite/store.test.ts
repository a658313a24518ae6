import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { Duplicate } from '../../../src/fiscal/ports/store.ts'
import { invoices } from '../../../src/store/shared/invoices/invoices.ts'
import { openDatabase } from '../../../src/store/sqlite/connection.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../../src/store/store.ts'
import { tempDir } from '../../support/temp-dir.ts'

async function freshStore(): Promise<{ store: OpenStore; path: string }> {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  onTestFinished(() => store.close())
  return { store, path }
}

const company = {
  id: 'c1',
  gatewayId: LOCAL_GATEWAY,
  tenantId: DEFAULT_TENANT,
  name: 'Žuta čizma',
  oib: '02994650199',
  vatRegistered: true,
  address: { street: 'Ilica 1' },
  fiscalConfig: { default_vat_rate: null },
  mode: 'test',
  status: 'active',
  createdAt: 2,
  logoHash: null,
} as const

test('what is stored is read back the same', async () => {
  const { store } = await freshStore()
  await store.companies.insert(company)
  expect(await store.companies.get('c1')).toEqual(company)
  expect(await store.companies.byOib(company.tenantId, company.oib)).toEqual(company)
  expect(await store.companies.get('c2')).toBeUndefined()
})

test('a taken unique key is told from every other failure', async () => {
  const { store } = await freshStore()
  await store.companies.insert(company)
  await expect(store.companies.insert({ ...company, id: 'c2' })).rejects.toBeInstanceOf(Duplicate)
  const homeless = { ...company, id: 'c3', oib: '18683136487', tenantId: 'nobody' }
  await expect(store.companies.insert(homeless)).rejects.not.toBeInstanceOf(Duplicate)
})

test('a transaction that fails stores nothing, and one that is slow keeps the others waiting', async () => {
  const { store } = await freshStore()
  const failing = store.transaction(async (tx) => {
    await tx.companies.insert(company)
    await new Promise((resolve) => setTimeout(resolve, 20))
    throw new Error('power cut')
  })
  const following = store.transaction((tx) => tx.companies.all())
  await expect(failing).rejects.toThrow('power cut')
  expect(await following).toEqual([])
})

test('the database is durable and strict: WAL, FULL, foreign keys, STRICT tables', async () => {
  const { path } = await freshStore()
  const database = new Database(path, { readonly: true })
  expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
  const tables = database
    .prepare(
      "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'",
    )
    .all()
  expect(tables.length).toBeGreaterThan(9)
  expect(tables.filter((table) => (table as { strict: number }).strict !== 1)).toEqual([])
  database.close()
})

test('a database that cannot keep sales safely is refused', async () => {
  // A database in memory has no write-ahead log, as a file on some network shares has none.
  expect(() => openDatabase(':memory:')).toThrow('cannot keep sales safely')
})

test('a database of a newer fiskd is refused', async () => {
  const { store, path } = await freshStore()
  await store.close()
  const database = new Database(path)
  database.prepare("INSERT INTO kysely_migration (name, timestamp) VALUES ('999-future', '2030')").run()
  database.close()
  await expect(openStore(path, 2)).rejects.toThrow('schema')
})

/** The steps of SQLite for what is asked last, one text for each. */
async function planOf(ask: (rows: ReturnType<typeof invoices>) => Promise<unknown>): Promise<string[]> {
  const { path } = await freshStore()
  const asked: { sql: string; parameters: readonly unknown[] }[] = []
  const db = openDatabase(path)
  onTestFinished(() => db.destroy())
  const recording = db.withPlugin({
    transformQuery: ({ node }) => {
      const { sql, parameters } = db.getExecutor().compileQuery(node, { queryId: 'plan' } as never)
      asked.push({ sql, parameters })
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await ask(invoices(recording))
  const database = new Database(path, { readonly: true })
  const query = asked.at(-1)
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${query?.sql}`).all(...(query?.parameters ?? []))
  database.close()
  return plan.map((step) => (step as { detail: string }).detail)
}

const BY_DEADLINE = 'SEARCH invoices USING INDEX invoices_unconfirmed (status=?'
const PENDING = 'SEARCH invoices USING INDEX invoices_unconfirmed_by_time (tenant_id=? AND mode=? AND status=?)'

test('the most endangered invoices are found by an index, in its order', async () => {
  const after = { deadlineAt: 1, id: 'inv_1' }
  for (const ask of [
    (rows: ReturnType<typeof invoices>) => rows.byDeadline('retrying', 1, { mode: 'test', after }),
    (rows: ReturnType<typeof invoices>) => rows.waiting('failed', 2, 200, after),
  ]) {
    const plan = await planOf(ask)
    expect(plan).toEqual([expect.stringContaining(BY_DEADLINE)])
  }
})

test('invoices that are pending are found by an index, and all that wait are counted by two', async () => {
  expect(await planOf((rows) => rows.byDeadline('pending', 50))).toContain(PENDING)
  const plan = (await planOf((rows) => rows.queue())).join()
  expect(plan).toContain('INDEX invoices_unconfirmed')
  expect(plan).toContain(PENDING)
  expect(plan).not.toMatch(/SCAN invoices(?! USING COVERING INDEX invoices_unconfirmed)/)
})

test.each([
  ['all', {}, 'invoices_by_time (tenant_id=? AND mode=? AND (occurred_at,id)<(?,?))'],
  [
    'those of a company',
    { companyId: 'c' },
    'invoices_by_company (company_id=? AND mode=? AND (occurred_at,id)<(?,?))',
  ],
  ['those of a device', { deviceId: 'd' }, 'invoices_by_device (device_id=? AND mode=? AND (occurred_at,id)<(?,?))'],
  [
    'those of a premises',
    { premisesCode: 'P1' },
    'invoices_by_premises (tenant_id=? AND premises_code=? AND mode=? AND (occurred_at,id)<(?,?))',
  ],
  ...[{}, { companyId: 'c' }, { deviceId: 'd' }, { premisesCode: 'P1' }].map((more): [string, object, string] => [
    `those that wait, by ${Object.keys(more)[0] ?? 'nothing else'}`,
    { ...more, status: 'failed' },
    'invoices_unconfirmed_by_time (tenant_id=? AND mode=? AND status=? AND (occurred_at,id)<(?,?))',
  ]),
])('a page of %s is found by an index in its order, however late it is', async (_which, filter, index) => {
  const after = { at: 1, id: 'inv_1' }
  const plan = await planOf((rows) =>
    rows.list({ tenantId: 'default', mode: 'test', companyIds: null, ...filter }, { limit: 51, after }),
  )
  expect(plan).toEqual([`SEARCH invoices USING INDEX ${index}`])
})
