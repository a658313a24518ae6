import { existsSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { openSoundDatabase } from '../../../src/daemon/lifecycle/open-database.ts'
import { quickCheck } from '../../../src/store/sqlite/quick-check.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'

const databaseOf = (gateway: Gateway) => join(gateway.dataDir, 'fiskd.db')
const asideIn = (gateway: Gateway) => readdirSync(gateway.dataDir).filter((name) => /\.damaged-.*Z$/.test(name))

/** Overwrites what lies on the pages of a table, as a dying SD card does. */
function scribbleOver(path: string, table: string): void {
  const database = new Database(path)
  const [row] = database.pragma(`page_size`) as { page_size: number }[]
  const { rootpage } = database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table) as {
    rootpage: number
  }
  database.pragma('wal_checkpoint(TRUNCATE)')
  database.close()
  const size = row?.page_size ?? 4096
  writeSync(openSync(path, 'r+'), Buffer.alloc(size, 0xaa), 0, size, (rootpage - 1) * size)
}

async function damagedGateway(): Promise<Gateway> {
  const gateway = await startGateway()
  await gateway.sell({ total: '4.20' })
  await gateway.stop()
  scribbleOver(databaseOf(gateway), 'messages')
  return gateway
}

test('a damaged database is set aside under a dated name, and nothing is sold until one is restored', async () => {
  const gateway = await damagedGateway()
  await gateway.restart()

  const refused = await gateway.post()
  expect(refused.status).toBe(500)
  expect(refused.body.error).toMatchObject({ type: 'api_error', code: 'internal_error' })
  expect(refused.body.error.message).toMatch(/^nothing can be sold: the database was damaged .*fisk restore FILE/)
  const health = await gateway.v1('/health')
  expect(health).toMatchObject({ status: 503, body: { status: 'down', checks: { database: { status: 'down' } } } })
  expect((await gateway.v1('/health/fiscal')).status).toBe(200)

  const [aside] = asideIn(gateway)
  expect(aside).toMatch(/^fiskd\.db\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/)
  const kept = new Database(join(gateway.dataDir, String(aside)), { readonly: true })
  expect(kept.prepare("SELECT document ->> '$.total' AS total FROM invoices").all()).toEqual([{ total: '4.20' }])
  kept.close()
  expect(existsSync(databaseOf(gateway))).toBe(false)
})

test('the technician is told what happened and what to do', async () => {
  const gateway = await damagedGateway()
  await gateway.restart()
  const { code, stdout } = await fisk(['status'], { socket: gateway.socketPath })
  expect(code).toBe(1)
  expect(stdout.replace(/\s+/g, ' ')).toMatch(/CANNOT sell.*the database was damaged.*Fix: stop fiskd and restore/)
  const refused = await fisk(['key', 'list'], { socket: gateway.socketPath })
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('nothing can be sold')
})

test('a later start makes no empty database in its place, either', async () => {
  const gateway = await damagedGateway()
  await gateway.restart()
  await gateway.restart()
  expect((await gateway.post()).body.error.message).toContain('is set aside as')
  expect(existsSync(databaseOf(gateway))).toBe(false)
  expect(asideIn(gateway)).toHaveLength(1)
})

test('a database that is gone is not replaced by an empty one, which would give out its numbers again', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.stop()
  renameSync(databaseOf(gateway), join(gateway.dataDir, 'elsewhere.db'))
  for (const suffix of ['-wal', '-shm']) rmSync(databaseOf(gateway) + suffix, { force: true })
  await gateway.restart()
  expect((await gateway.post()).body.error.message).toMatch(
    /the database .* is gone; .*fiskd\.db\.made, vault\.key, tls/,
  )
  expect(existsSync(databaseOf(gateway))).toBe(false)

  await gateway.stop()
  renameSync(join(gateway.dataDir, 'elsewhere.db'), databaseOf(gateway))
  await gateway.restart()
  expect((await gateway.sell()).number).toBe('2')
})

test('it is missed, too, where key and certificate lie elsewhere', async () => {
  const gateway = await startGateway()
  await gateway.stop()
  for (const name of ['fiskd.db', 'fiskd.db-wal', 'fiskd.db-shm', 'vault.key', 'tls']) {
    rmSync(join(gateway.dataDir, name), { force: true, recursive: true })
  }
  const config = readConfig({ FISKD_DATA_DIR: gateway.dataDir, FISKD_LISTEN: '127.0.0.1:0' })
  await expect(openSoundDatabase(config.dataDir, Date.now(), { onDamage() {}, onRefusedWrite() {} })).rejects.toThrow(
    'is gone',
  )
})

test('a schema that somebody changed is refused by name, and the file stays where it is', async () => {
  const gateway = await startGateway()
  await gateway.stop()
  const database = new Database(databaseOf(gateway))
  database.exec('DROP TRIGGER invoices_are_kept')
  database.exec('CREATE TABLE scratch (x)')
  database.close()
  await gateway.restart()
  const { message } = (await gateway.post()).body.error
  expect(message).toContain('the trigger invoices_are_kept is missing')
  expect(message).toContain("the table scratch is not fiskd's")
  expect(existsSync(databaseOf(gateway))).toBe(true)
})

test('damage that is found while the database is used ends the daemon, and the next start sets it aside', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.stop()
  const config = readConfig({ FISKD_DATA_DIR: gateway.dataDir, FISKD_LISTEN: '127.0.0.1:0' })
  const daemon = await startDaemon(config, pino({ level: 'silent' }))
  onTestFinished(() => daemon.close())
  scribbleOver(databaseOf(gateway), 'companies')
  await gateway.admin('/v1/companies')
  expect((await daemon.failed).message).toMatch(/^the database is damaged: .*malformed/)
  await daemon.close()

  await gateway.restart()
  expect((await gateway.post()).body.error.message).toContain('was damaged')
  expect(asideIn(gateway)).toHaveLength(1)
})

test.each([1000, 3_000_000])(
  'a check of a file with %d bytes in it finds what is broken, and nothing else',
  async (bytes) => {
    const path = join(await tempDir(), 'some.db')
    const database = new Database(path)
    database.exec(
      `CREATE TABLE notes (text); CREATE TABLE large (bytes); INSERT INTO large VALUES (zeroblob(${bytes}))`,
    )
    database.exec(`INSERT INTO notes VALUES ('kept')`)
    database.close()
    expect(await quickCheck(path).problems).toEqual([])
    const check = quickCheck(path)
    await check.stop()
    expect(await check.problems).toEqual([])
    scribbleOver(path, 'notes')
    expect((await quickCheck(path).problems).length).toBeGreaterThan(0)
  },
)

test('a database of which a power cut left nothing but the name is missed like one that is gone', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.stop()
  writeFileSync(databaseOf(gateway), '')
  await gateway.restart()
  expect((await gateway.post()).body.error.message).toMatch(/the database .* is gone/)
  expect(statSync(databaseOf(gateway)).size).toBe(0)
})
