import { join } from 'node:path'
import type { Updateable } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { makeDefaultTenant } from '../../../src/store/open-store.ts'
import type { Tables } from '../../../src/store/shared/tables.ts'
import { writtenOnce, writtenOncePerColumns } from '../../../src/store/shared/written-once.ts'
import { openDatabase } from '../../../src/store/sqlite/connection.ts'
import { migrateToLatest } from '../../../src/store/sqlite/migrate.ts'
import { inTransaction } from '../../../src/store/sqlite/synchronous-statements.ts'
import { tempDir } from '../../support/temp-dir.ts'

async function openTenants() {
  const db = openDatabase(join(await tempDir(), 'fiskd.db'))
  onTestFinished(() => db.destroy())
  await migrateToLatest(db)
  await makeDefaultTenant(db, 1)
  return db
}

test('a statement is written with its first use, and bound to other values from then on', async () => {
  const db = await openTenants()
  let written = 0
  const named = writtenOnce((on, name: string, since: number) => {
    written++
    return on.selectFrom('tenants').select('id').where('createdAt', '>=', since).where('name', '=', name)
  })
  expect((await named(db, 'default', 1)).rows).toEqual([{ id: 'default' }])
  expect((await named(db, 'default', 2)).rows).toEqual([])
  expect((await named(db, "x' OR 1 = 1 --", 0)).rows).toEqual([])
  expect(written).toBe(1)
})

test('values that are always the same stand beside those that change', async () => {
  const db = await openTenants()
  const default_ = writtenOnce((on, since: number) =>
    on.selectFrom('tenants').select('id').where('id', '=', 'default').where('createdAt', '>=', since),
  )
  expect((await default_(db, 0)).rows).toEqual([{ id: 'default' }])
  expect((await default_(db, 5)).rows).toEqual([])
})

test('each choice of columns has a statement of its own, whatever the order of the fields', async () => {
  const db = await openTenants()
  const change = writtenOncePerColumns((on, changes: Updateable<Tables['tenants']>, id: string) =>
    on.updateTable('tenants').set(changes).where('id', '=', id),
  )
  const tenant = () => db.selectFrom('tenants').selectAll().executeTakeFirst()
  expect((await change(db, { name: 'a', createdAt: 7 }, 'default')).numAffectedRows).toBe(1n)
  expect(await tenant()).toMatchObject({ name: 'a', createdAt: 7 })
  await change(db, { createdAt: 8, name: 'b' }, 'default')
  expect(await tenant()).toMatchObject({ name: 'b', createdAt: 8 })
  await change(db, { name: 'c' }, 'default')
  expect(await tenant()).toMatchObject({ name: 'c', createdAt: 8 })
  expect((await change(db, { name: 'd' }, 'nobody')).numAffectedRows).toBe(0n)
})

test('a value that has no placeholder in the text is refused: the text would be that of the first use for ever', async () => {
  const db = await openTenants()
  const fooled = writtenOnce((on, column: 'id' | 'name', value: string) =>
    on
      .selectFrom('tenants')
      .select('id')
      .where(column === 'id' ? 'id' : 'name', '=', value),
  )
  await expect(fooled(db, 'id', 'default')).rejects.toThrow('a value has no placeholder')
})

test('a statement runs at once inside a transaction, and a write outside of one is refused', async () => {
  const db = await openTenants()
  const rename = writtenOncePerColumns((on, changes: { name: string }, id: string) =>
    on.updateTable('tenants').set(changes).where('id', '=', id),
  )
  const nameOf = writtenOnce((on, id: string) => on.selectFrom('tenants').select('name').where('id', '=', id))
  await inTransaction(db, async (trx) => {
    expect(rename.now(trx, { name: 'a' }, 'default').numAffectedRows).toBe(1n)
    expect(nameOf.now(trx, 'default').rows).toEqual([{ name: 'a' }])
  })
  expect(() => rename.now(db, { name: 'b' }, 'default')).toThrow('only a transaction of SQLite')
  expect(nameOf.now(db, 'default').rows).toEqual([{ name: 'a' }])
})
