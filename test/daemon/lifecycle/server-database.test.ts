import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { createLog } from '../../../src/daemon/lifecycle/log.ts'
import { blockWrites } from '../../support/database.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { FISKD } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'

const envOf = (url: string, dataDir: string) => ({
  FISKD_ROLE: 'server',
  FISKD_DATABASE_URL: url,
  FISKD_DATA_DIR: dataDir,
  FISKD_LISTEN: '127.0.0.1:0',
  FISKD_LOG_LEVEL: 'silent',
})

function fiskd(env: Record<string, string>, ...args: string[]) {
  return spawnSync(process.execPath, [FISKD, ...args], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
}

const startServer = async () => {
  const url = await postgresDatabase()
  return { url, server: await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url }) }
}

test('a database that nobody answers for ends the start with exit code 1 and what to look at, without the password', async () => {
  const { status, stderr } = fiskd(envOf('postgres://fiskd:secret@127.0.0.1:1/fiskd', await tempDir()))
  expect(status).toBe(1)
  expect(stderr).toContain('the database postgres://127.0.0.1:1/fiskd cannot be opened')
  expect(stderr).toContain('FISKD_DATABASE_URL')
  expect(stderr).not.toContain('secret')
})

test('an upgrade of a server on PostgreSQL is not rehearsed, and goes on', async () => {
  const env = envOf('postgres://fiskd:secret@db.example.hr/fiskd', await tempDir())
  const { status, stdout } = fiskd(env, '--rehearse')
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ ok: true, migrates: false, kept: null, database: 'postgres://db.example.hr/fiskd', problems: [] },
    not_rehearsed: expect.stringContaining('pg_dump'),
  })
})

test('a backup of a file is not restored into PostgreSQL', async () => {
  const dataDir = await tempDir()
  writeFileSync(join(dataDir, 'backup.db'), '')
  const config = readConfig(envOf('postgres://fiskd:secret@db.example.hr/fiskd', dataDir))
  const refused = restore(config, readRestoreOrder([join(dataDir, 'backup.db')]), 1)
  await expect(refused).rejects.toThrow('restore a dump of it into an empty database with pg_restore')
})

describe.skipIf(skipWithoutPostgres)('a server on PostgreSQL', () => {
  test('is looked at by the doctor, who leaves to others what is about files and dumps', async () => {
    const { server } = await startServer()
    await server.sell()
    const checks = await diagnose(server)
    const of = (name: string) => checks.find((check) => check.name === name)
    expect(of('database file')).toMatchObject({ status: 'skip', detail: expect.stringContaining('pg_amcheck') })
    expect(of('backup')).toMatchObject({ status: 'skip', detail: expect.stringContaining('pg_dump') })
    expect(of('schema')).toMatchObject({ status: 'ok' })
    expect(of('journal')).toMatchObject({ status: 'ok', detail: expect.stringContaining('1 sale') })
    expect(of('records')).toMatchObject({ status: 'ok' })
    expect(of('files in place')).toMatchObject({ status: 'ok' })
    // The PostgreSQL of the tests runs with fsync off.
    expect(of('durability')).toMatchObject({ status: 'fail', fix: 'set it to on in postgresql.conf' })
  })

  test('is told by the doctor what somebody changed behind it', async () => {
    const { server, url } = await startServer()
    const sold = await server.sell()
    await server.sell()
    await query(
      url,
      `SET session_replication_role = replica; UPDATE invoices SET zki = 'f', jir = 'j';
       ALTER TABLE invoices DISABLE TRIGGER invoices_are_kept`,
    )
    const failed = (await diagnose(server)).filter(({ status }) => status === 'fail').map(({ name }) => name)
    expect(failed).toEqual(expect.arrayContaining(['schema', 'records', 'JIRs']))
    expect(JSON.stringify(await diagnose(server))).toContain(sold.id)
  })

  test('makes no backup of a file that is not there, and names what does', async () => {
    const { server } = await startServer()
    const refused = await server.admin('/admin/backup')
    expect(refused).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('pg_dump') } } })
  })

  test('refuses the sale while the database takes none, and goes on when it does again', async () => {
    const { server, url } = await startServer()
    const health = async () => (await server.v1('/health')).status
    const mend = await blockWrites({ database: url })
    expect(await server.post()).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } })
    expect(await health()).toBe(503)
    await mend()
    await expect.poll(health).toBe(200)
    expect((await server.sell()).number).toBe('1')
  })

  test('does not begin with another vault key than the first one of its database, and says where to get it', async () => {
    const { url } = await startServer()
    const other = await tempDir()
    await expect(startDaemon(readConfig(envOf(url, other)), createLog('silent'))).rejects.toThrow(
      'copy it from another server on the same database',
    )
    writeFileSync(join(other, 'vault.key'), Buffer.alloc(32, 7), { mode: 0o600 })
    await expect(startDaemon(readConfig(envOf(url, other)), createLog('silent'))).rejects.toThrow(
      'servers on one database share one key',
    )
  })

  test.each([
    ['of a newer fiskd', `INSERT INTO kysely_migration VALUES ('900-future', '2030')`, 'belongs to', 'pg_restore'],
    ['whose guards are gone', 'DROP TRIGGER invoices_are_kept ON invoices', 'invoices_are_kept is missing', 'undo'],
  ])('sells nothing on a database %s, and says what to do', async (_which, statement, problem, fix) => {
    const url = await postgresDatabase()
    await query(url, statement)
    const daemon = await startDaemon(readConfig(envOf(url, await tempDir())), createLog('silent'))
    onTestFinished(() => daemon.close())
    const answer = await fetchInsecure(`${daemon.urls[0]}/v1/invoices`)
    expect(answer).toContain(problem)
    expect(answer).toContain(fix)
  })
})

async function fetchInsecure(url: string): Promise<string> {
  const { Agent, fetch } = await import('undici')
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } })
  const answer = await fetch(url, { dispatcher, headers: { authorization: 'Bearer fisk_test_x' } })
  return answer.text().finally(() => dispatcher.close())
}
