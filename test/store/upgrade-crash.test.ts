import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { NEWEST_SCHEMA } from '../../src/store/sqlite/migrate.ts'
import { quickCheck } from '../../src/store/sqlite/quick-check.ts'
import { openStore } from '../../src/store/store.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { allRows, danglingReferences, oldDatabase } from '../support/old-database.ts'
import { mayMount, mountTmpfs } from '../support/small-disk.ts'
import { tempDir } from '../support/temp-dir.ts'

const STORE = new URL('../../src/store/store.ts', import.meta.url).href
const DRIVER = new URL('../../node_modules/better-sqlite3/lib/index.js', import.meta.url).href

/** Opens databases, one after another, each in a process of its own that is killed before its n-th statement runs. */
function openAndDie(path: string, statement: number): { died: boolean; statements: number } {
  const script = `
    import Database from ${JSON.stringify(DRIVER)}
    let left = ${statement}
    let count = 0
    const Statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'))
    let watched = false
    for (const name of ['run', 'all', 'get', 'iterate']) {
      const original = Statement[name]
      Statement[name] = function (...args) {
        if (this.database.name === ${JSON.stringify(path)}) {
          count++
          if (--left === 0) process.kill(process.pid, 'SIGKILL')
        }
        return original.apply(this, args)
      }
    }
    const { openStore } = await import(${JSON.stringify(STORE)})
    await (await openStore(${JSON.stringify(path)}, 1)).close()
    process.stdout.write(String(count))
  `
  const ran = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  if (ran.signal === null && ran.status !== 0) throw new Error(ran.stderr)
  return { died: ran.signal === 'SIGKILL', statements: Number(ran.stdout) }
}

const schemaOf = (path: string) => {
  const database = new Database(path, { readonly: true })
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all()
    const changes = database.prepare('SELECT name FROM kysely_migration ORDER BY name').pluck().all()
    return { changes, tables: tables.length, newest: changes.at(-1) }
  } finally {
    database.close()
  }
}

test('a process that is killed anywhere in an upgrade leaves the old schema or the new one, and the next goes on', async () => {
  const whole = await oldDatabase('001-initial')
  const before = { rows: allRows(whole.path), schema: schemaOf(whole.path) }
  const { statements } = openAndDie(whole.path, 0)
  const upgraded = schemaOf(whole.path)
  expect([statements > 100, upgraded.newest]).toEqual([true, NEWEST_SCHEMA])

  const seen = new Set<unknown>()
  const moments = [0.1, 0.4, 0.8].map((part) => Math.ceil(part * statements))
  for (const moment of [...moments, statements - 4, statements - 1]) {
    const { path } = await oldDatabase('001-initial')
    expect(openAndDie(path, moment).died).toBe(true)
    const { newest } = schemaOf(path)
    seen.add(newest)
    expect(await quickCheck(path).problems).toEqual([])
    if (newest === '001-initial') expect([schemaOf(path), allRows(path)]).toEqual([before.schema, before.rows])
    else expect(schemaOf(path)).toEqual(upgraded)
    const store = await openStore(path, 2)
    expect(await store.care.schemaProblems()).toEqual([])
    expect(allRows(path).get('invoices')).toEqual(allRows(whole.path).get('invoices'))
    expect(danglingReferences(path)).toEqual([])
    await store.close()
  }
  expect(seen).toEqual(new Set(['001-initial', NEWEST_SCHEMA]))
})

test.skipIf(!mayMount())(
  'a disk that is full in the middle of an upgrade leaves the old database, which can be used',
  async () => {
    const disk = mountTmpfs(4)
    atTheEndOfFile(() => disk.close())
    const { path } = await oldDatabase('002-whole-v1', disk.path)
    const before = { rows: allRows(path), schema: schemaOf(path) }
    for (const left of [0, 40_000, 120_000]) {
      disk.leave(left)
      await expect(openStore(path, 2)).rejects.toThrow('the database schema could not be brought up to date')
      expect(await quickCheck(path).problems).toEqual([])
      disk.makeRoom()
      expect([schemaOf(path), allRows(path)]).toEqual([before.schema, before.rows])
    }
    const store = await openStore(path, 2)
    expect(schemaOf(path).newest).toBe(NEWEST_SCHEMA)
    expect(danglingReferences(path)).toEqual([])
    await store.close()
  },
)

test('an upgrade that was interrupted is finished by the daemon, on a database that was not closed', async () => {
  const old = await oldDatabase('003-trust')
  const dir = await tempDir()
  // As after a power cut: the newest of it stands only in the write-ahead log.
  const database = new Database(old.path)
  database.pragma('wal_autocheckpoint = 0')
  database.prepare("UPDATE devices SET label = 'renamed before the cut' WHERE label = 'machine'").run()
  for (const suffix of ['', '-wal']) writeFileSync(join(dir, `fiskd.db${suffix}`), readFileSync(old.path + suffix))
  database.close()
  const store = await openStore(join(dir, 'fiskd.db'), 2)
  await store.close()
  const labels = allRows(join(dir, 'fiskd.db'))
    .get('devices')
    ?.map(({ label }) => label)
  expect(labels).toContain('renamed before the cut')
  expect(danglingReferences(join(dir, 'fiskd.db'))).toEqual([])
})
