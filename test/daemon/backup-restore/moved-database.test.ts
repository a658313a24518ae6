import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder, WrongUse } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { openStore } from '../../../src/store/store.ts'
import { startCentral, syncOf, told } from '../../support/central-server.ts'
import { runDaemon } from '../../support/daemon-process.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { exchangeDatabases, postgresDatabase, query, runPostgres, skipWithoutPostgres } from '../../support/postgres.ts'
import { FISKD } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'

const NOTE = `SELECT convert_from(value, 'UTF8') AS note FROM meta WHERE key = 'last_stop'`

async function startServer(): Promise<Gateway> {
  const url = await postgresDatabase({ empty: true })
  return startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
}

/** Puts a copy in the place of the database. @returns the original, under another name, as it is now */
async function move(url: string, spoil = ''): Promise<string> {
  const other = await postgresDatabase({ empty: true })
  const dump = join(await tempDir(), 'fiskd.dump')
  runPostgres('pg_dump', '--format=custom', `--file=${dump}`, `--dbname=${url}`)
  runPostgres('pg_restore', '--exit-on-error', `--dbname=${other}`, dump)
  if (spoil) await query(other, `SET session_replication_role = replica; ${spoil}`)
  await exchangeDatabases(url, other)
  return other
}

const envOf = ({ database, dataDir }: Pick<Gateway, 'database' | 'dataDir'>) => ({
  ...{ FISKD_ROLE: 'server', FISKD_DATABASE_URL: database, FISKD_DATA_DIR: dataDir },
  PATH: String(process.env.PATH),
})
const restored = (server: Pick<Gateway, 'database' | 'dataDir'>, ...args: string[]) =>
  restore(readConfig(envOf(server)), readRestoreOrder(args), Date.now())

async function stoppedAfterSales(count: number): Promise<Gateway> {
  const server = await startServer()
  for (let i = 0; i < count; i++) await server.sell()
  await server.stop()
  return server
}

describe.skipIf(skipWithoutPostgres)('a PostgreSQL database that was moved after every fiskd had stopped', () => {
  test('says when they stopped, and is sold on without a number by hand once that is wanted', async () => {
    const server = await stoppedAfterSales(3)
    const [{ note } = { note: '' }] = await query<{ note: string }>(server.database, NOTE)
    const [at = ''] = note.split(' ')
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
    await move(server.database)

    await server.restart()
    const refused = await server.post()
    expect(refused.status).toBe(500)
    expect(refused.text).toContain(`has all that was sold until every fiskd had stopped at ${at}`)
    expect(refused.text).toContain('which must not be started again, run fisk restore --moved')
    await server.stop()
    // What asks for numbers and gets none changes nothing.
    await expect(restored(server)).rejects.toThrow('--highest POSL1')

    const ran = await fisk(['restore', '--moved', '--yes'], { fiskd: FISKD, env: envOf(server) })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('goes on after 3')
    expect(ran.stdout).not.toMatch(/never given out|revoke again|starts at 1 again/)
    await server.restart()
    expect(await server.sell()).toMatchObject({ number: '4', status: 'confirmed' })
    expect(await query(server.database, NOTE)).toEqual([])
  })

  test('goes on with its gateways, which tell nothing again', async () => {
    const central = await startCentral({ FISKD_DATABASE_URL: await postgresDatabase({ empty: true }) })
    const gateway = await startGateway()
    await central.enroll(gateway)
    await gateway.sell()
    await told(gateway)
    await central.server.stop()
    await move(central.server.database)
    await restored(central.server, '--moved')
    await central.server.restart()
    await gateway.sell()
    await told(gateway)
    expect((await syncOf(gateway)).sync).toMatchObject({ refused: 0, tells_again: false, conflicts: [] })
    expect(await query(central.server.database, 'SELECT count(*)::int AS sales FROM invoices')).toEqual([{ sales: 2 }])
  })

  test('has no note of it when a process was killed, and wants the numbers', async () => {
    const server = await startServer()
    const daemon = await runDaemon(server, onTestFinished, { env: envOf(server) })
    await daemon.post()
    daemon.signal('SIGKILL')
    await daemon.ended
    expect(await query(server.database, NOTE)).toEqual([])
    await move(server.database)
    await expect(restored(server, '--moved')).rejects.toThrow('does not say that every fiskd had stopped in order')
  })

  test.each([
    ['the numbers', 'DELETE FROM sequences'],
    ['the sales', 'DELETE FROM invoices'],
    ['the ends of the journals', 'UPDATE journals SET position = position - 1'],
    [
      'a process that has not stopped',
      `INSERT INTO processes (instance, host, pid, version, started_at) VALUES ('i', 'h', 1, '1', 1)`,
    ],
  ])('is refused where the note is not all of the truth: %s', async (_what, spoil) => {
    const server = await stoppedAfterSales(2)
    await move(server.database, spoil)
    await expect(restored(server, '--moved')).rejects.toThrow('not all of it has come here')
  })

  test('is refused where the original was sold on, as far as a data directory knows it', async () => {
    const server = await stoppedAfterSales(2)
    const original = await move(server.database)
    await exchangeDatabases(server.database, original)
    // The original.
    await server.restart()
    expect(await query(server.database, NOTE)).toEqual([])
    await server.sell()
    await server.stop()
    await exchangeDatabases(server.database, original)
    await expect(restored(server, '--moved')).rejects.toThrow('issued.log knows numbers that the copy lacks')
    // Another one does not know it.
    const elsewhere = { ...envOf(server), FISKD_DATA_DIR: await tempDir(), FISKD_SHARED_DIR: server.dataDir }
    await restore(readConfig(elsewhere), readRestoreOrder(['--moved']), Date.now())
    await server.restart()
    expect((await server.post()).text).toContain('the database lacks sales of premises POSL1')
  })

  test('keeps its note to itself: neither the original after its next start nor a copy of the copy has it', async () => {
    const server = await stoppedAfterSales(1)
    await move(server.database)
    rmSync(join(server.dataDir, 'issued.log'))
    await restored(server, '--gap', '10')
    const store = await openStore(server.database, 1)
    onTestFinished(() => store.close())
    await move(server.database)
    await expect(restored(server, '--moved')).rejects.toThrow('does not say that every fiskd had stopped in order')
  })

  test('wants nothing else beside --moved', async () => {
    for (const args of [['--gap', '1'], ['--highest', 'POSL1=1'], ['--ask-server'], ['fiskd.db']]) {
      expect(() => readRestoreOrder(['--moved', ...args])).toThrow(WrongUse)
    }
  })
})

describe.skipIf(skipWithoutPostgres)('the last process that stops', () => {
  test('notes it, whichever of several that stop at once it is', async () => {
    const url = await postgresDatabase()
    for (let round = 0; round < 5; round++) {
      const stores = await Promise.all([1, 2, 3].map(() => openStore(url, 1)))
      expect(await query(url, NOTE)).toEqual([])
      await Promise.all(stores.map((store) => store.close()))
      expect(await query(url, NOTE)).toHaveLength(1)
    }
  })

  test('is not one that leaves another behind, whose next stop is the last', async () => {
    const url = await postgresDatabase()
    const [one, other] = [await openStore(url, 1), await openStore(url, 1)]
    await one.close()
    expect(await query(url, NOTE)).toEqual([])
    await other.close()
    expect(await query(url, NOTE)).toHaveLength(1)
  })

  test('is not one that a frozen process has outlived, which comes back', async () => {
    const url = await postgresDatabase()
    const [frozen, other] = [await openStore(url, 1), await openStore(url, 1)]
    await query(url, 'DELETE FROM processes WHERE id = (SELECT min(id) FROM processes)')
    await other.close()
    expect(await query(url, NOTE)).toHaveLength(1)
    // Its next beat, before which it can store nothing.
    await setTimeout(3_000)
    expect(await query(url, NOTE)).toEqual([])
    await frozen.close()
    expect(await query(url, NOTE)).toHaveLength(1)
  })
})
