import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { startGateway } from '../support/gateway.ts'
import { tempDir } from '../support/temp-dir.ts'

const SCRIPT = join(import.meta.dirname, '../../systemd/sold-since.mjs')

/** Exit code of the question whether anything was sold since the backup. */
const soldSince = (backup: string, database: string) => spawnSync(process.execPath, [SCRIPT, backup, database]).status

const backUp = async (database: string) => {
  const backup = join(await tempDir(), 'backup.db')
  const source = new Database(database, { readonly: true })
  await source.backup(backup).finally(() => source.close())
  return backup
}

/** A gateway that has sold once. */
async function sellingGateway() {
  const gateway = await startGateway()
  await gateway.sell()
  return { gateway, database: join(gateway.dataDir, 'fiskd.db') }
}

test('nothing was sold since a backup of just now, and the database is left as one file', async () => {
  const { gateway, database } = await sellingGateway()
  await gateway.stop()
  const backup = await backUp(database)
  expect(soldSince(backup, database)).toBe(0)
  for (const file of [database, backup]) expect([`${file}-wal`, `${file}-shm`].filter(existsSync)).toEqual([])
})

test('something was sold since: the backup may not take its place', async () => {
  const { gateway, database } = await sellingGateway()
  const backup = await backUp(database)
  await gateway.sell()
  await gateway.stop()
  expect(soldSince(backup, database)).toBe(1)
})

test('a number that was given out is enough, even if no sale of it is left', async () => {
  const { gateway, database } = await sellingGateway()
  await gateway.stop()
  const backup = await backUp(database)
  const opened = new Database(database)
  opened.exec("UPDATE sequences SET highest = '2'")
  opened.close()
  expect(soldSince(backup, database)).toBe(1)
})

test('what cannot be read is not taken for unchanged', async () => {
  const { gateway, database } = await sellingGateway()
  await gateway.stop()
  const backup = await backUp(database)
  writeFileSync(backup, 'no database')
  expect(soldSince(backup, database)).toBe(2)
})
