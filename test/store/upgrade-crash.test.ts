import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/store/sqlite/connection.ts'
import { migrateToLatest, NEWEST_SCHEMA } from '../../src/store/sqlite/migrate.ts'
import { quickCheck } from '../../src/store/sqlite/quick-check.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { LATER, LATER_CHANGES } from '../support/later-changes.ts'
import { mayMount, mountTmpfs } from '../support/small-disk.ts'
import { soldDatabase } from '../support/sold-database.ts'
import { tempDir } from '../support/temp-dir.ts'

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** Brings a database up to date in a process of its own, which is killed before its n-th statement runs. */
function upgradeAndDie(path: string, statement: number): { died: boolean; statements: number } {
  const script = `
    import Database from ${url('../../node_modules/better-sqlite3/lib/index.js')}
    let left = ${statement}
    let count = 0
    const Statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'))
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
    const { openDatabase } = await import(${url('../../src/store/sqlite/connection.ts')})
    const { migrateToLatest } = await import(${url('../../src/store/sqlite/migrate.ts')})
    const { LATER_CHANGES } = await import(${url('../support/later-changes.ts')})
    const db = openDatabase(${JSON.stringify(path)}, () => {}, false)
    await migrateToLatest(db, LATER_CHANGES)
    await db.destroy()
    process.stdout.write(String(count))
  `
  const ran = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  if (ran.signal === null && ran.status !== 0) throw new Error(ran.stderr)
  return { died: ran.signal === 'SIGKILL', statements: Number(ran.stdout) }
}

async function upgrade(path: string): Promise<void> {
  const db = openDatabase(path, () => {}, false)
  await migrateToLatest(db, LATER_CHANGES).finally(() => db.destroy())
}

type Row = Record<string, unknown>

/** The newest change, all rows of all tables that this release knows, and how many rows the new table has. */
function contentsOf(path: string) {
  const database = new Database(path, { readonly: true })
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
      .pluck()
      .all()
    const rowsOf = (name: string) => database.prepare<[], Row>(`SELECT * FROM "${name}" ORDER BY 1, 2`).all()
    const known = tables.filter((name) => name !== 'later' && name !== 'kysely_migration')
    const newest = database.prepare<[], string>('SELECT max(name) FROM kysely_migration').pluck().get()
    const later = tables.includes('later') ? rowsOf('later').length : undefined
    // An upgrade runs with foreign keys switched off.
    expect(database.pragma('foreign_key_check')).toEqual([])
    return { newest, later, rows: new Map(known.map((name) => [name, rowsOf(name)])) }
  } finally {
    database.close()
  }
}

test('a process that is killed anywhere in an upgrade leaves the old schema or the new one, and the next goes on', async () => {
  const whole = await soldDatabase()
  const before = contentsOf(whole.path)
  const { statements } = upgradeAndDie(whole.path, 0)
  const upgraded = { ...before, newest: LATER, later: 150 }
  expect([before.newest, statements > 150]).toEqual([NEWEST_SCHEMA, true])
  expect(contentsOf(whole.path)).toEqual(upgraded)

  const seen = new Set<unknown>()
  const moments = [0.1, 0.4, 0.8].map((part) => Math.ceil(part * statements))
  for (const moment of [...moments, statements - 1, statements]) {
    const { path } = await soldDatabase()
    expect(upgradeAndDie(path, moment).died).toBe(true)
    const { newest } = contentsOf(path)
    seen.add(newest)
    expect(await quickCheck(path).problems).toEqual([])
    expect(contentsOf(path)).toEqual(newest === LATER ? upgraded : before)
    await upgrade(path)
    expect(contentsOf(path)).toEqual(upgraded)
  }
  expect(seen).toEqual(new Set([NEWEST_SCHEMA, LATER]))
})

test.skipIf(!mayMount())(
  'a disk that is full in the middle of an upgrade leaves the old database, which can be used',
  async () => {
    const disk = mountTmpfs(4)
    atTheEndOfFile(() => disk.close())
    const sold = await soldDatabase()
    const path = join(disk.path, 'fiskd.db')
    writeFileSync(path, readFileSync(sold.path))
    const before = contentsOf(path)
    for (const left of [0, 40_000, 120_000]) {
      disk.leave(left)
      await expect(upgrade(path)).rejects.toThrow('the database schema could not be brought up to date')
      expect(await quickCheck(path).problems).toEqual([])
      disk.makeRoom()
      expect(contentsOf(path)).toEqual(before)
    }
    await upgrade(path)
    expect(contentsOf(path)).toEqual({ ...before, newest: LATER, later: 150 })
  },
)

test('an upgrade that was interrupted is finished by the next start, on a database that was not closed', async () => {
  const sold = await soldDatabase()
  const path = join(await tempDir(), 'fiskd.db')
  // As after a power cut: the newest of it stands only in the write-ahead log.
  const database = new Database(sold.path)
  database.pragma('wal_autocheckpoint = 0')
  database.prepare("UPDATE devices SET label = 'renamed before the cut'").run()
  for (const suffix of ['', '-wal']) writeFileSync(path + suffix, readFileSync(sold.path + suffix))
  database.close()
  await upgrade(path)
  const { newest, rows } = contentsOf(path)
  expect(newest).toBe(LATER)
  expect(rows.get('devices')?.map(({ label }) => label)).toContain('renamed before the cut')
})
