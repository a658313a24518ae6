import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { rehearse } from '../../src/daemon/rehearse.ts'
import { VERSION } from '../../src/daemon/version.ts'
import { NEWEST_SCHEMA } from '../../src/store/migrate.ts'
import { startGateway } from '../support/gateway.ts'
import { makeNewer } from '../support/newer-database.ts'
import { OLD_SCHEMAS, oldDatabase } from '../support/old-database.ts'
import { mayMount, mountTmpfs } from '../support/small-disk.ts'
import { tamper } from '../support/tamper.ts'
import { tempDir } from '../support/temp-dir.ts'

const MAIN = join(import.meta.dirname, '../../src/daemon/main.ts')

interface Said {
  ok: boolean
  version: string
  from_schema: string | null
  to_schema: string
  invoices: number
  seconds: number
  problems: string[]
}

/** Runs the program as the package does. */
function start(dataDir: string, args: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, '--rehearse', ...args], {
    env: { PATH: process.env.PATH, FISKD_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code, said: out === '' ? null : (JSON.parse(out) as Said) }))
  return { child, ended }
}

const contents = (dir: string) =>
  Object.fromEntries(
    readdirSync(dir, { withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name }) => [name, readFileSync(join(dir, name)).toString('base64')]),
  )

/** The same in this process, on a copy in a folder of its own. */
const problemsOf = async (dataDir: string) => (await rehearse(dataDir, await tempDir(), Date.now())).problems

test('a rehearsal brings a copy up to date, tells the result, and leaves the data directory as it was', async () => {
  const { dataDir } = await oldDatabase('001-initial')
  const before = contents(dataDir)
  const { code, said } = await start(dataDir).ended
  expect(said).toEqual({
    ok: true,
    version: VERSION,
    from_schema: '001-initial',
    to_schema: NEWEST_SCHEMA,
    invoices: 13,
    seconds: expect.any(Number),
    problems: [],
  })
  expect(code).toBe(0)
  const { 'fiskd.lock': lock, 'fiskd.pid': pid, ...after } = contents(dataDir)
  expect(lock).toBe('')
  expect(pid).toBeDefined()
  expect(after).toEqual(before)
})

test.each(OLD_SCHEMAS)('a database of schema %s passes the rehearsal', async (schema) => {
  const { dataDir } = await oldDatabase(schema)
  expect(await rehearse(dataDir, await tempDir(), Date.now())).toMatchObject({ fromSchema: schema, problems: [] })
})

test('a rehearsal needs no vault key, and no stop of the daemon that sells meanwhile', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  const dir = await tempDir()
  const [found] = await Promise.all([rehearse(gateway.dataDir, dir, Date.now()), gateway.sell(), gateway.sell()])
  expect(found).toMatchObject({ fromSchema: NEWEST_SCHEMA, problems: [] })
  expect(found.invoices).toBeGreaterThanOrEqual(1)
  expect((await gateway.sell()).number).toBe('4')
})

test('what stands in the write-ahead log only is rehearsed, too, and stays there', async () => {
  const { dataDir, path } = await oldDatabase('003-trust')
  const database = new Database(path)
  onTestFinished(() => void database.close())
  database.pragma('wal_autocheckpoint = 0')
  database.prepare("UPDATE sequences SET highest = '999999' WHERE premises_code = 'POSL1'").run()
  const before = contents(dataDir)
  expect(await problemsOf(dataDir)).toEqual([])
  const { 'fiskd.lock': _lock, 'fiskd.pid': _pid, ...after } = contents(dataDir)
  expect(after).toEqual(before)
})

test('a machine without a database passes; one that has lost its own does not', async () => {
  const fresh = await tempDir()
  const { code, said } = await start(join(fresh, 'not-there')).ended
  expect([code, said]).toEqual([0, expect.objectContaining({ ok: true, from_schema: null, invoices: 0 })])
  expect(await problemsOf(fresh)).toEqual([])
  writeFileSync(join(fresh, 'fiskd.db.made'), '')
  expect(await problemsOf(fresh)).toEqual([expect.stringContaining('is gone')])
})

test('a damaged database, a newer one, and one that somebody changed fail the rehearsal', async () => {
  const damaged = await oldDatabase('002-whole-v1')
  const bytes = readFileSync(damaged.path)
  bytes.fill(0x5a, 4096 * 3, 4096 * 30)
  writeFileSync(damaged.path, bytes)
  expect(await problemsOf(damaged.dataDir)).toEqual([expect.stringContaining('the database is damaged')])

  const newer = await oldDatabase('004-receipts')
  makeNewer(newer.path)
  expect(await problemsOf(newer.dataDir)).toEqual([expect.stringContaining('belongs to fiskd 9.4.0')])

  const changed = await oldDatabase('004-receipts')
  const database = new Database(changed.path)
  database.exec('DROP TRIGGER invoices_are_kept')
  database.close()
  expect(await problemsOf(changed.dataDir)).toEqual([
    expect.stringContaining('the trigger invoices_are_kept is missing'),
  ])

  const forged = await oldDatabase('004-receipts')
  tamper(forged.path, "UPDATE invoices SET seal = 'x' WHERE premises_code = 'PAPIR'")
  expect(await problemsOf(forged.dataDir)).toEqual([expect.stringContaining('the journal of PAPIR')])
})

test('a schema change that fails is told with its reason', async () => {
  const { dataDir, path } = await oldDatabase('001-initial')
  const database = new Database(path)
  database.exec('CREATE INDEX invoices_by_time ON invoices (id)')
  database.close()
  const [problem] = await problemsOf(dataDir)
  expect(problem).toBe('the database schema could not be brought up to date: index invoices_by_time already exists')
})

test('a wrong configuration fails it with every problem, and two words are wrong use', async () => {
  const dir = await tempDir()
  const { code, said } = await start(dir, [], { FISKD_ROLE: 'king', FISKD_LISTEN: 'here' }).ended
  expect([code, said?.problems.length]).toEqual([1, 2])
  expect((await start(dir, ['a', 'b']).ended).code).toBe(2)
})

test.skipIf(!mayMount())('without room for the copy nothing is begun', async () => {
  const { dataDir, path } = await oldDatabase('004-receipts')
  const disk = mountTmpfs(8)
  onTestFinished(() => disk.close())
  disk.leave(2 * statSync(path).size - 8192)
  expect((await rehearse(dataDir, disk.path, Date.now())).problems).toEqual([
    expect.stringContaining('there is no room'),
  ])
  expect(readdirSync(disk.path)).toEqual(['ballast'])
})

test('asked to stop in the middle it leaves nothing, and what a killed one left goes with the next', async () => {
  const { dataDir } = await oldDatabase('001-initial')
  const place = await tempDir()
  mkdirSync(join(place, 'fiskd.db.rehearsal-4194999'))
  const { child, ended } = start(dataDir, [place])
  const made = join(place, `fiskd.db.rehearsal-${child.pid}`)
  while (!readdirSync(place).includes(`fiskd.db.rehearsal-${child.pid}`)) await setTimeout(2)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(1)
  expect(made).toBeTruthy()
  expect(readdirSync(place)).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('run by root it works as the owner of the database', async () => {
  const { dataDir, path } = await oldDatabase('004-receipts')
  const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
  for (const one of [dataDir, path]) chownSync(one, nobody, nobody)
  const { said } = await start(dataDir).ended
  expect(said).toMatchObject({ ok: true, problems: [] })
  expect(statSync(join(dataDir, 'fiskd.lock')).uid).toBe(nobody)
})
