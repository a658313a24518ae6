import { copyFileSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { readConfig } from '../../../src/daemon/config.ts'
import { NoDatabase } from '../../../src/daemon/lifecycle/open-database.ts'
import { prepare } from '../../../src/daemon/lifecycle/prepare.ts'
import { VERSION } from '../../../src/daemon/version.ts'
import { NEWEST_SCHEMA } from '../../../src/store/sqlite/migrate.ts'
import { fisk } from '../../support/fisk.ts'
import { startGateway } from '../../support/gateway.ts'
import { makeNewer } from '../../support/newer-database.ts'

const databaseFiles = (dataDir: string) =>
  Object.fromEntries(
    readdirSync(dataDir)
      .filter((name) => name.startsWith('fiskd.db'))
      .sort()
      .map((name) => [name, readFileSync(join(dataDir, name)).toString('base64')]),
  )

const WHOSE = `the database belongs to fiskd 9.4.0 (schema 900-future), and this is the older fiskd ${VERSION} (schema ${NEWEST_SCHEMA})`
const plain = (text: string) => text.replace(/\s+/g, ' ')

test('a database of a newer fiskd is not touched, and everybody who asks is told whose it is and what to do', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.stop()
  makeNewer(join(gateway.dataDir, 'fiskd.db'))
  const before = databaseFiles(gateway.dataDir)

  await gateway.restart()
  expect(await gateway.v1('/health')).toMatchObject({
    status: 503,
    body: { status: 'down', checks: { database: { status: 'down', detail: WHOSE } } },
  })
  const refused = await gateway.post()
  expect(refused).toMatchObject({ status: 500, body: { error: { message: expect.stringContaining(WHOSE) } } })
  for (const command of ['status', 'doctor']) {
    const { code, stdout } = await fisk([command], { socket: gateway.socketPath })
    expect([command, code]).toEqual([command, 1])
    expect(plain(stdout)).toContain(WHOSE)
    expect(plain(stdout)).toContain('install the newer fiskd again: sudo apt install')
  }
  await gateway.stop()
  expect(databaseFiles(gateway.dataDir)).toEqual(before)

  const config = readConfig({ FISKD_DATA_DIR: gateway.dataDir })
  await expect(prepare(config, Date.now())).rejects.toThrow(NoDatabase)
  expect(databaseFiles(gateway.dataDir)).toEqual(before)
})

test('one that was not closed keeps its write-ahead log, byte by byte', async () => {
  const gateway = await startGateway()
  await gateway.stop()
  const path = join(gateway.dataDir, 'fiskd.db')
  const open = new Database(path)
  open.pragma('wal_autocheckpoint = 0')
  open.prepare("INSERT INTO kysely_migration (name, timestamp) VALUES ('900-future', '2030')").run()
  for (const suffix of ['', '-wal']) copyFileSync(path + suffix, `${path}${suffix}.left`)
  open.close()
  for (const suffix of ['', '-wal']) renameSync(`${path}${suffix}.left`, path + suffix)
  const before = databaseFiles(gateway.dataDir)
  expect(Object.keys(before)).toContain('fiskd.db-wal')

  await gateway.restart()
  const { body } = await gateway.v1('/health')
  expect(JSON.stringify(body)).toContain(`the database belongs to fiskd ${VERSION} (schema 900-future)`)
  await gateway.stop()
  expect(databaseFiles(gateway.dataDir)).toEqual(before)
})

test('a database that does not say which program made it is refused all the same', async () => {
  const gateway = await startGateway()
  await gateway.stop()
  makeNewer(join(gateway.dataDir, 'fiskd.db'), null)
  await gateway.restart()
  const { body } = await gateway.v1('/health')
  expect(JSON.stringify(body)).toContain('the database belongs to a newer fiskd (schema 900-future)')
})

test('which fiskd used a database last is written down in it, once', async () => {
  const gateway = await startGateway()
  await gateway.restart()
  const database = new Database(join(gateway.dataDir, 'fiskd.db'), { readonly: true })
  const found = database.prepare("SELECT CAST(value AS TEXT) FROM meta WHERE key = 'program'").pluck().all()
  database.close()
  expect(found).toEqual([VERSION])
})
