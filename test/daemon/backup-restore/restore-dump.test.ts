import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder, WrongUse } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { createLog } from '../../../src/daemon/lifecycle/log.ts'
import { openStore } from '../../../src/store/store.ts'
import { type Answer, call } from '../../support/call.ts'
import { startCentral, told } from '../../support/central-server.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, type InvoiceBody, startGateway, startSharedGateway } from '../../support/gateway.ts'
import { exchangeDatabases, postgresDatabase, query, runPostgres, skipWithoutPostgres } from '../../support/postgres.ts'
import { FISKD } from '../../support/programs.ts'
import { makeTempDir, tempDir } from '../../support/temp-dir.ts'

describe.skipIf(skipWithoutPostgres)('a PostgreSQL database that was restored from a dump', () => {
  let server: Gateway
  let dump: string
  let sales = 0
  beforeAll(async () => {
    const url = await postgresDatabase({ atTheEnd: atTheEndOfFile })
    server = await startSharedGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    for (let i = 0; i < 3; i++) await server.sell()
    dump = join(await makeTempDir(atTheEndOfFile), 'fiskd.dump')
    runPostgres('pg_dump', '--format=custom', `--file=${dump}`, `--dbname=${url}`)
    // Not in the dump.
    await server.sell()
    await server.stop()
  })

  const envOf = (url: string) => ({
    FISKD_ROLE: 'server',
    FISKD_DATABASE_URL: url,
    FISKD_DATA_DIR: server.dataDir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_LOG_LEVEL: 'silent',
    FISKD_CIS_TEST_URL: server.cis.url,
    FISKD_CIS_LIVE_URL: server.cis.url,
  })
  const restored = (url: string, ...args: string[]) =>
    restore(readConfig(envOf(url)), readRestoreOrder(args), Date.now())

  /** What was dumped, in a database of its own. @param ran whether a process is in the dump, as it is by night */
  async function fromDump({ ran = false } = {}): Promise<string> {
    const url = await postgresDatabase({ empty: true })
    runPostgres('pg_restore', '--exit-on-error', `--dbname=${url}`, dump)
    if (!ran) await query(url, 'DELETE FROM processes')
    // The record of what the other databases of this folder have issued.
    rmSync(join(server.dataDir, 'issued.log'), { force: true })
    return url
  }

  async function startOn(url: string) {
    const daemon = await startDaemon(readConfig(envOf(url)), createLog('silent'))
    onTestFinished(() => daemon.close())
    const ca = readFileSync(join(server.dataDir, 'tls/ca.pem'), 'utf8')
    return {
      close: () => daemon.close(),
      failed: daemon.failed,
      post(key: string): Promise<Answer<InvoiceBody>> {
        const headers = { authorization: `Bearer ${server.key}`, 'idempotency-key': key }
        return call({ base: daemon.urls[0] ?? '', ca }, { path: '/v1/invoices', body: server.sale(), headers })
      },
    }
  }

  const sellOnce = async (url: string) => {
    const on = await startOn(url)
    const answer = await on.post(`sale ${++sales}`)
    await on.close()
    return answer
  }

  test('takes no sale, and says what to do', async () => {
    const url = await fromDump()
    const answer = await sellOnce(url)
    expect(answer.status).toBe(500)
    expect(answer.text).toContain('was restored from a dump')
    expect(answer.text).toContain('run fisk restore without a file')
    expect(await query(url, 'SELECT count(*)::int AS sales FROM invoices')).toEqual([{ sales: 3 }])
  })

  test('asks for the numbers that were given out after it, and stays refused without them', async () => {
    const url = await fromDump()
    await expect(restored(url)).rejects.toThrow(/--highest POSL1@\d{4}=NUMBER {3}\(the backup ends at 3, /)
    await expect(restored(url, '--highest', 'POSL1=2')).rejects.toThrow('is too low: the backup holds 3')
    expect((await sellOnce(url)).status).toBe(500)
  })

  test('goes on above the highest number that is stated', async () => {
    const url = await fromDump()
    const done = await restored(url, '--highest', 'POSL1=4', '--gap', '1')
    expect(done).toMatchObject({ file: null, sha256: null, invoices: 3, replaced: null, lost: null })
    expect(done.sequences).toContainEqual(expect.objectContaining({ highest: '3', from: '4', to: '4', why: 'stated' }))
    expect((await sellOnce(url)).body).toMatchObject({ number: '5', status: 'confirmed' })
    const audited = await query(
      url,
      `SELECT count(*)::int AS entries FROM audit_log WHERE action = 'database.restored'`,
    )
    expect(audited).toEqual([{ entries: 1 }])
  })

  test('goes on after a gap, at every start from then on', async () => {
    const url = await fromDump({ ran: true })
    await restored(url, '--gap', '1000')
    expect((await sellOnce(url)).body).toMatchObject({ number: '1004' })
    const again = await startOn(url)
    expect((await again.post('later')).body).toMatchObject({ number: '1005' })
  })

  test('is made usable by fisk restore without a file', async () => {
    const url = await fromDump()
    const around = { fiskd: FISKD, env: { ...envOf(url), PATH: String(process.env.PATH) } }
    const refused = await fisk(['restore', '--yes'], around)
    expect(refused.stderr).toContain('or let a gap be left where nothing is known: --gap 1000')
    const ran = await fisk(['restore', '--gap', '7', '--yes'], around)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/from +a dump/)
    expect(ran.stdout).toContain('4 to 10 are never given out')
    expect((await sellOnce(url)).body).toMatchObject({ number: '11' })
  })

  test('of a server that sells nothing itself says what its gateways sold', async () => {
    const [url, there] = [await postgresDatabase(), await postgresDatabase({ empty: true })]
    const central = await startCentral({ FISKD_DATABASE_URL: url })
    const gateway = await startGateway()
    await central.enroll(gateway)
    for (let i = 0; i < 6; i++) await gateway.sell()
    await told(gateway)
    await central.server.stop()
    const file = join(await tempDir(), 'central.dump')
    runPostgres('pg_dump', '--format=custom', `--file=${file}`, `--dbname=${url}`)
    runPostgres('pg_restore', '--exit-on-error', `--dbname=${there}`, file)
    await query(there, 'DELETE FROM processes')
    const env = { ...envOf(there), FISKD_DATA_DIR: central.server.dataDir, PATH: String(process.env.PATH) }
    const { code, stdout, stderr } = await fisk(['restore', '--gap', '1000', '--yes'], { fiskd: FISKD, env })
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^of gateways +6 sales of 1 gateways, the newest \d\d\.\d\d\.\d{4}/m)
    expect(stdout).not.toContain('Receipt numbers:')
  })

  test('is restored by one fiskd while no other uses it', async () => {
    const url = await fromDump()
    await restored(url, '--gap', '10')
    await startOn(url)
    const elsewhere = { ...envOf(url), FISKD_DATA_DIR: await tempDir(), FISKD_SHARED_DIR: server.dataDir }
    const refused = restore(readConfig(elsewhere), readRestoreOrder(['--gap', '10']), Date.now())
    await expect(refused).rejects.toThrow('another fiskd uses this database: stop it first')
  })

  test.each([
    ['as it came from the dump', false],
    ['after fisk restore and a start of another process', true],
  ])('gives out no number to a process that ran on the database before, which ends: %s', async (_when, isUsable) => {
    const [url, there] = [await postgresDatabase({ empty: true }), await fromDump()]
    if (isUsable) {
      await restored(there, '--gap', '10')
      await (await openStore(there, 1)).close()
    }
    runPostgres('pg_restore', `--dbname=${url}`, dump)
    await restored(url, '--gap', '10')
    const running = await startOn(url)
    expect((await running.post('before')).body).toMatchObject({ number: '14' })

    await exchangeDatabases(url, there)
    expect((await running.post('meanwhile')).status).toBe(500)
    expect((await running.failed).message).toContain('was replaced: it was restored from a dump')
    expect((await running.post('later')).status).toBe(500)
    expect(await query(url, 'SELECT count(*)::int AS sales FROM invoices')).toEqual([{ sales: 3 }])
  })

  test('is none that PostgreSQL has only stored in another way, and none without a mark', async () => {
    const url = await fromDump()
    await restored(url, '--gap', '10')
    expect((await sellOnce(url)).body).toMatchObject({ number: '14' })
    await query(url, 'VACUUM (FULL, FREEZE) meta')
    expect((await sellOnce(url)).status).toBe(200)
    await query(url, `DELETE FROM meta WHERE key = 'stored_here'`)
    expect((await sellOnce(url)).status).toBe(200)
    expect(await query(url, `SELECT 1 AS marked FROM meta WHERE key = 'stored_here'`)).toEqual([{ marked: 1 }])
  })

  test('is not restored from a file, and a file is wanted where there is no PostgreSQL', async () => {
    await expect(restored('postgres://db.example.hr/fiskd', dump)).rejects.toThrow('run fisk restore without a file')
    const { FISKD_DATABASE_URL: _, ...env } = envOf('')
    await expect(restore(readConfig(env), readRestoreOrder(['--gap', '1']), 1)).rejects.toThrow(WrongUse)
  })
})
