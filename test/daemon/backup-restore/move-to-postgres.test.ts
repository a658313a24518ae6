import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { migrateStore } from '../../../src/daemon/backup-restore/move-to-postgres.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { createLog } from '../../../src/daemon/lifecycle/log.ts'
import { LEFT_TABLES, MOVED_TABLES } from '../../../src/store/postgres/move.ts'
import { openStore } from '../../../src/store/store.ts'
import { type Answer, call } from '../../support/call.ts'
import { type Gateway, type InvoiceBody, startGateway } from '../../support/gateway.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { tamper } from '../../support/tamper.ts'

const envOf = ({ dataDir, cis }: Gateway, url?: string) => ({
  FISKD_DATA_DIR: dataDir,
  FISKD_LISTEN: '127.0.0.1:0',
  FISKD_LOG_LEVEL: 'silent',
  FISKD_CIS_TEST_URL: cis.url,
  FISKD_CIS_LIVE_URL: cis.url,
  FISKD_ROLE: 'server',
  ...(url && { FISKD_DATABASE_URL: url }),
})

const move = (gateway: Gateway, url: string) => migrateStore(readConfig(envOf(gateway, url)), Date.now())

/** Starts a daemon where the sales are now. @returns how to post a sale to it */
async function startOn(gateway: Gateway, url?: string) {
  const daemon = await startDaemon(readConfig(envOf(gateway, url)), createLog('silent'))
  onTestFinished(() => daemon.close())
  const ca = readFileSync(join(gateway.dataDir, 'tls/ca.pem'), 'utf8')
  return {
    close: () => daemon.close(),
    post(key: string, body: object): Promise<Answer<InvoiceBody>> {
      const headers = { authorization: `Bearer ${gateway.key}`, 'idempotency-key': key }
      return call({ base: daemon.urls[0] ?? '', ca }, { path: '/v1/invoices', body, headers })
    },
  }
}

/** A stopped server on SQLite that has sold at two premises. */
async function soldOn() {
  const gateway = await startGateway({ FISKD_ROLE: 'server' })
  const sale = gateway.sale()
  const answer = await gateway.post(sale, 'replayed')
  const other = await gateway.addDevice({ premises_code: 'POSL2', isu_number: '102' })
  await gateway.sell({ device_id: other })
  await gateway.cis.goDown()
  const waiting = await gateway.sell({ total: '4.00' })
  await gateway.cis.comeBack()
  await gateway.stop()
  return { gateway, sale, answer, waiting, path: join(gateway.dataDir, 'fiskd.db') }
}

const rowsOf = (path: string, table: string) => {
  const database = new Database(path, { readonly: true })
  try {
    return database.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[]
  } finally {
    database.close()
  }
}

describe.skipIf(skipWithoutPostgres)('a database that moves to PostgreSQL', () => {
  test('is put out of use durably: its mark is on the disk before the copy may be sold on', async () => {
    const { gateway } = await soldOn()
    const exec = vi.spyOn(Database.prototype, 'exec')
    onTestFinished(() => exec.mockRestore())
    const durable: unknown[] = []
    exec.mockImplementation(function (this: Database.Database, source: string) {
      if (source === 'COMMIT') durable.push(this.pragma('synchronous', { simple: true }))
      this.prepare(source).run()
      return this
    })
    await move(gateway, await postgresDatabase({ empty: true }))
    expect(durable).toEqual([2])
  })

  test('takes its sales, numbers and idempotency keys along, and the file is not sold on any more', async () => {
    const { gateway, sale, answer, waiting, path } = await soldOn()
    const url = await postgresDatabase({ empty: true })
    const before = rowsOf(path, 'invoices')
    const moved = await move(gateway, url)
    expect(moved).toMatchObject({ from: path, invoices: 3, rows: { invoices: 3, devices: 2, sequences: 2 } })
    expect(rowsOf(path, 'invoices')).toEqual(before)

    const server = await startOn(gateway, url)
    const replayed = await server.post('replayed', sale)
    expect({ status: replayed.status, text: replayed.text }).toEqual({ status: 200, text: answer.text })
    expect((await server.post('next', gateway.sale())).body).toMatchObject({ number: '3', status: 'confirmed' })
    const [swept] = await query(url, 'SELECT zki, number FROM invoices WHERE id = $1', [waiting.id])
    expect(swept).toEqual({ zki: waiting.zki, number: '2' })
    await server.close()

    const file = await startOn(gateway)
    const refused = await file.post('old', gateway.sale())
    expect(refused.status).toBe(500)
    expect(refused.text).toContain('were moved to postgres://')
    expect(refused.text).toContain('FISKD_DATABASE_URL')
    await file.close()
    await expect(openStore(url, 1).then((store) => store.close())).resolves.toBeUndefined()
    await expect(move(gateway, url)).rejects.toThrow('was moved')
  })

  test('is copied whole or not at all: into nothing but an empty database', async () => {
    const { gateway, path } = await soldOn()
    const url = await postgresDatabase({ empty: true })
    await query(url, 'CREATE TABLE theirs (id int)')
    await expect(move(gateway, url)).rejects.toThrow('is not empty (theirs)')
    const used = await postgresDatabase()
    const store = await openStore(used, 1)
    await expect(move(gateway, used)).rejects.toThrow('another fiskd uses the database')
    await store.tenants.insert({ id: 't', name: 't', createdAt: 1 })
    await store.close()
    await expect(move(gateway, used)).rejects.toThrow('is not empty (tenants)')
    expect(rowsOf(path, 'meta').map(({ key }) => key)).not.toContain('moved_to')
    expect((await (await startOn(gateway)).post('goes on', gateway.sale())).body).toMatchObject({ number: '3' })
  })

  test('a row that PostgreSQL does not take ends the move, and nothing of it stays', async () => {
    const { gateway, path } = await soldOn()
    const database = new Database(path)
    database.exec("UPDATE devices SET premises_address = 'a' || char(0) || 'b' WHERE label = 'machine'")
    database.close()
    const url = await postgresDatabase()
    await expect(move(gateway, url)).rejects.toThrow()
    expect(await query(url, 'SELECT count(*)::int AS rows FROM companies')).toEqual([{ rows: 0 }])
    expect(rowsOf(path, 'meta').map(({ key }) => key)).not.toContain('moved_to')
  })

  test('a broken journal is not moved', async () => {
    const { gateway, path } = await soldOn()
    tamper(path, "UPDATE invoices SET occurred_at = 1 WHERE number = '1'")
    await expect(move(gateway, await postgresDatabase())).rejects.toThrow('nothing is moved before that is explained')
  })

  test('a copy that fisk backup made is not moved, and not changed', async () => {
    const gateway = await startGateway({ FISKD_ROLE: 'server' })
    await gateway.sell()
    const backup = await gateway.admin('/admin/backup')
    await gateway.stop()
    for (const suffix of ['-wal', '-shm']) rmSync(gateway.database + suffix, { force: true })
    writeFileSync(gateway.database, backup.bytes)
    await expect(move(gateway, await postgresDatabase())).rejects.toThrow('is a copy that fisk backup made')
    expect(readFileSync(gateway.database).equals(backup.bytes)).toBe(true)
  })

  test('a move that was cut off before the file was marked leaves a copy that nobody sells on', async () => {
    const { gateway, path } = await soldOn()
    const kept = join(gateway.dataDir, 'kept.db')
    cpSync(path, kept)
    const url = await postgresDatabase()
    await move(gateway, url)
    // As if the power had gone in between.
    cpSync(kept, path)
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
    await query(url, `INSERT INTO meta VALUES ('move', 'x')`)
    await expect(openStore(url, 1)).rejects.toThrow('run fisk migrate-store again')
    await expect(move(gateway, url)).rejects.toThrow('make another one')
    expect((await (await startOn(gateway)).post('goes on', gateway.sale())).body).toMatchObject({ number: '3' })
  })

  test('a move that was cut off after the file was marked is finished by the next', async () => {
    const { gateway, path } = await soldOn()
    const url = await postgresDatabase()
    await move(gateway, url)
    const [mark] = rowsOf(path, 'meta').filter(({ key }) => key === 'move')
    await query(url, `INSERT INTO meta VALUES ('move', $1)`, [mark?.value])
    await expect(openStore(url, 1)).rejects.toThrow('run fisk migrate-store again')
    expect(await move(gateway, url)).toMatchObject({ rows: null })
    expect((await (await startOn(gateway, url)).post('next', gateway.sale())).body).toMatchObject({ number: '3' })
  })

  test('a server on PostgreSQL does not begin beside a file whose numbers it does not know', async () => {
    const { gateway } = await soldOn()
    const server = await startOn(gateway, await postgresDatabase())
    const refused = await server.post('again', gateway.sale())
    expect(refused.status).toBe(500)
    expect(refused.text).toContain('fisk migrate-store')
  })

  test('leaves no table behind that anybody has thought of', async () => {
    const { path } = await soldOn()
    const database = new Database(path, { readonly: true })
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'kysely_%'",
      )
      .pluck()
      .all()
    database.close()
    expect([...MOVED_TABLES, ...LEFT_TABLES].toSorted()).toEqual(tables.toSorted())
  })
})
