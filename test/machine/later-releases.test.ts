import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { changeBuild } from '../../scripts/chaos/change-build.ts'
import { REACH_MIGRATIONS, undoLaterReleases } from '../../scripts/machine/later-releases.ts'
import { HOLD_BACK } from '../../scripts/machine/quick-guest.ts'
import { openStore } from '../../src/store/store.ts'
import { DIST, EMPTY_DATABASE } from '../support/programs.ts'
import { tempDir } from '../support/temp-dir.ts'

async function dirOfLaterRelease(): Promise<string> {
  const dir = await tempDir()
  const file = join(dir, 'fiskd.db')
  copyFileSync(EMPTY_DATABASE, file)
  const database = new Database(file)
  database.exec("INSERT INTO kysely_migration VALUES ('9001-later', '2026-11-26'), ('9002-later', '2026-11-26')")
  database.close()
  return dir
}

test('a database of later releases is read by this one once their changes are undone', async () => {
  const dir = await dirOfLaterRelease()
  const open = () => openStore(join(dir, 'fiskd.db'), 0)
  await expect(open()).rejects.toThrow('could not be brought up to date')
  undoLaterReleases(dir, 2)
  await (await open()).close()
})

test('an upgrade whose change of the schema is missing is found', async () => {
  const dir = await dirOfLaterRelease()
  expect(() => undoLaterReleases(dir, 3)).toThrow('2 of 3 changes of the schema are there')
})

test('the build has the places where an emulated machine holds it back and upgrades it', async () => {
  const dist = join(await tempDir(), 'dist')
  cpSync(DIST, dist, { recursive: true })
  changeBuild(dist, [HOLD_BACK, REACH_MIGRATIONS])
  expect(() => changeBuild(dist, [HOLD_BACK, [/nothing like it/g, '']])).toThrow('stands 0 times in the build')
})
