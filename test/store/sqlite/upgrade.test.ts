import { join } from 'node:path'
import Database from 'better-sqlite3'
import { CamelCasePlugin, Kysely, Migrator, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { NO_SEAL } from '../../../src/domain/sale/journal.ts'
import { sealOf } from '../../../src/fiscal/sales/journal.ts'
import { initial } from '../../../src/store/sqlite/migrations/001-initial.ts'
import { wholeV1 } from '../../../src/store/sqlite/migrations/002-whole-v1.ts'
import { openStore } from '../../../src/store/store.ts'
import { danglingReferences } from '../../support/old-database.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** A database as the fiskd before the journal left it, with sales of two premises. */
async function oldDatabase(): Promise<string> {
  const path = join(await tempDir(), 'fiskd.db')
  const database = new Database(path)
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] })
  const migrations = { '001-initial': initial, '002-whole-v1': wholeV1 }
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error) throw error
  database.exec("INSERT INTO tenants VALUES ('default', 'default', 1)")
  database.exec("INSERT INTO companies VALUES ('c', 'default', 'C', '02994650199', 1, '{}', '{}', 'test', 'active', 1)")
  database.exec(`INSERT INTO devices VALUES
    ('d', 'default', 'c', 'P1', NULL, 'D', '1', 'assigned', '{}', 'active', 1, NULL, NULL, 1)`)
  database.exec(
    "INSERT INTO certificates VALUES ('z', 'c', NULL, 'o', 'cn', 'i', 's', 1, 2, x'', x'', 1, NULL, NULL, '[]')",
  )
  const insert = database.prepare(`INSERT INTO invoices VALUES
    (?, 'default', 'c', 'd', 'z', 'test', 'retrying', NULL, 'zki', ?, 2026, '', ?, 'text', 5, ?, 0, 1, 9, NULL, ?, NULL, NULL, NULL)`)
  const document = (number: string) => JSON.stringify({ premisesCode: 'P1', number, total: '1.00' })
  for (let i = 1; i <= 1200; i++) {
    const premises = i % 3 === 0 ? 'P2' : 'P1'
    insert.run(`inv_${String(i).padStart(6, '0')}`, premises, String(i), document(String(i)), 1000 + Math.floor(i / 2))
  }
  const level = database.prepare("INSERT INTO numbering_levels VALUES ('c', 'test', ?, 2026, 'P')")
  for (const premises of ['P1', 'P2']) level.run(premises)
  database.exec(`INSERT INTO messages
    VALUES ('m1', 'inv_000001', 'u1', 1, 200, NULL, NULL, 12, 1000, '<žeton/>', '<odgovor/>'),
           ('m2', 'inv_000001', 'u2', 2, NULL, NULL, NULL, 12, 1000, '<žeton2/>', NULL)`)
  await db.destroy()
  return path
}

test('an older database keeps every sale and message, and gets the seals of its journals', async () => {
  const path = await oldDatabase()
  const store = await openStore(path, 2)
  expect(danglingReferences(path)).toEqual([])
  const journal = { companyId: 'c', mode: 'test' } as const
  const first = await store.invoices.journal({ ...journal, premisesCode: 'P1' }, 0, 2000)
  const second = await store.invoices.journal({ ...journal, premisesCode: 'P2' }, 0, 2000)
  expect([first.length, second.length]).toEqual([800, 400])
  expect(second.slice(0, 3).map(({ document }) => document.number)).toEqual(['3', '6', '9'])
  for (const entries of [first, second]) {
    let seal = NO_SEAL
    for (const [i, entry] of entries.entries()) {
      expect(entry).toMatchObject({ journalPosition: i + 1, numberSupplied: false, seal: sealOf(entry, seal) })
      seal = entry.seal
    }
  }
  expect((await store.messages.trail('inv_000001')).messages).toMatchObject([
    { messageUuid: 'u1', requestXml: '<žeton/>', responseXml: '<odgovor/>' },
    { messageUuid: 'u2', requestXml: '<žeton2/>', responseXml: null },
  ])
  await store.close()
})
