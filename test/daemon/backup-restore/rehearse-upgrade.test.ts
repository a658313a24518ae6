import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { rehearse } from '../../../src/daemon/backup-restore/rehearse-upgrade.ts'
import { VERSION } from '../../../src/daemon/version.ts'
import { NEWEST_SCHEMA } from '../../../src/store/sqlite/migrate.ts'
import { startGateway } from '../../support/gateway.ts'
import { LATER_SCHEMA, laterRelease } from '../../support/later-release.ts'
import { makeNewer } from '../../support/newer-database.ts'
import { FISKD } from '../../support/programs.ts'
import { mayMount, mountTmpfs } from '../../support/small-disk.ts'
import { SALES, soldDatabase } from '../../support/sold-database.ts'
import { tamper } from '../../support/tamper.ts'
import { tempDir } from '../../support/temp-dir.ts'

interface Said {
  ok: boolean
  version: string
  from_schema: string | null
  to_schema: string | null
  migrates: boolean
  invoices: number
  seconds: number
  kept: string | null
  data_dir: string | null
  database: string | null
  problems: string[]
}

/** Runs the program as the package does. */
function start(dataDir: string, args: string[] = [], env: Record<string, string> = {}, program = FISKD) {
  const child = spawn(process.execPath, [program, '--rehearse', ...args], {
    env: { PATH: process.env.PATH, FISKD_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let out = ''
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  const said = () => (out === '' ? null : (JSON.parse(out) as Said))
  const ended = once(child, 'close').then(([code]) => ({ code, said: said(), stderr }))
  return { child, ended }
}

const contents = (dir: string) =>
  Object.fromEntries(
    readdirSync(dir, { withFileTypes: true })
      .filter((one) => one.isFile())
      .map(({ name }) => [name, readFileSync(join(dir, name)).toString('base64')]),
  )

/** The same in this process, on a copy in a folder of its own. */
const problemsOf = async (dataDir: string) => (await rehearse(dataDir, { dir: await tempDir() }, Date.now())).problems

test('a rehearsal brings a copy up to date, tells the result, and leaves the data directory as it was', async () => {
  const { dataDir, path } = await soldDatabase()
  const before = contents(dataDir)
  const { code, said } = await start(dataDir, [], {}, await laterRelease()).ended
  expect(said).toEqual({
    ok: true,
    version: VERSION,
    from_schema: NEWEST_SCHEMA,
    to_schema: LATER_SCHEMA,
    migrates: true,
    invoices: SALES,
    seconds: expect.any(Number),
    kept: null,
    data_dir: dataDir,
    database: path,
    problems: [],
    not_rehearsed: null,
  })
  expect(code).toBe(0)
  const { 'fiskd.lock': lock, 'fiskd.pid': pid, ...after } = contents(dataDir)
  expect(lock).toBe('')
  expect(pid).toBeDefined()
  expect(after).toEqual(before)
})

test('a rehearsal needs no vault key, and no stop of the daemon that sells meanwhile', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  const dir = await tempDir()
  const [found] = await Promise.all([rehearse(gateway.dataDir, { dir }, Date.now()), gateway.sell(), gateway.sell()])
  expect(found).toMatchObject({ from_schema: NEWEST_SCHEMA, problems: [] })
  expect(found.invoices).toBeGreaterThanOrEqual(1)
  expect((await gateway.sell()).number).toBe('4')
})

test('what stands in the write-ahead log only is rehearsed, too, and stays there', async () => {
  const { dataDir, path } = await soldDatabase()
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
  const nothing = { ok: true, from_schema: null, to_schema: null, migrates: false, invoices: 0, database: null }
  expect([code, said]).toEqual([0, expect.objectContaining({ ...nothing, data_dir: join(fresh, 'not-there') })])
  expect(await problemsOf(fresh)).toEqual([])
  writeFileSync(join(fresh, 'fiskd.db.made'), '')
  expect(await problemsOf(fresh)).toEqual([expect.stringContaining('is gone')])
})

test('a damaged database, a newer one, and one that somebody changed fail the rehearsal', async () => {
  const damaged = await soldDatabase()
  const bytes = readFileSync(damaged.path)
  bytes.fill(0x5a, 4096 * 3, 4096 * 30)
  writeFileSync(damaged.path, bytes)
  expect(await problemsOf(damaged.dataDir)).toEqual([expect.stringContaining('the database is damaged')])

  const newer = await soldDatabase()
  makeNewer(newer.path)
  expect(await problemsOf(newer.dataDir)).toEqual([expect.stringContaining('belongs to fiskd 9.4.0')])

  const changed = await soldDatabase()
  const database = new Database(changed.path)
  database.exec('DROP TRIGGER invoices_are_kept')
  database.close()
  expect(await problemsOf(changed.dataDir)).toEqual([
    expect.stringContaining('the trigger invoices_are_kept is missing'),
  ])

  const forged = await soldDatabase()
  tamper(forged.path, "UPDATE invoices SET seal = 'x'")
  expect(await problemsOf(forged.dataDir)).toEqual([expect.stringContaining('the journal of ')])
})

test('a schema change that fails is told with its reason', async () => {
  const { dataDir } = await soldDatabase()
  const later = await laterRelease('await db.schema.createTable("invoices").addColumn("id", "text").execute()')
  const { said } = await start(dataDir, [], {}, later).ended
  const problem = 'the database schema could not be brought up to date: table "invoices" already exists'
  expect(said).toMatchObject({ ok: false, to_schema: null, migrates: false, problems: [problem] })
})

test('a wrong configuration fails it with every problem, and two words are wrong use', async () => {
  const dir = await tempDir()
  const { code, said } = await start(dir, [], { FISKD_ROLE: 'king', FISKD_LISTEN: 'here' }).ended
  expect([code, said?.problems.length]).toEqual([1, 2])
  expect(await start(dir, ['a', 'b']).ended).toMatchObject({
    code: 2,
    said: null,
    stderr: expect.stringContaining('usage: fiskd --rehearse [DIR] [--keep FILE]'),
  })
})

test('what is told as the new schema is what the copy really has, and nothing migrates that was not brought up to date', async () => {
  const { dataDir, path } = await soldDatabase()
  const { said } = await start(dataDir).ended
  expect(said).toMatchObject({ ok: true, from_schema: NEWEST_SCHEMA, to_schema: NEWEST_SCHEMA, migrates: false })
  makeNewer(path)
  expect((await start(dataDir).ended).said).toMatchObject({ ok: false, to_schema: null, migrates: false })
})

test('an unknown option, and a backup that cannot be made there, are wrong use before anything is begun', async () => {
  const { dataDir, path } = await soldDatabase()
  const before = contents(dataDir)
  const wrong = async (args: string[]) => {
    const { code, said, stderr } = await start(dataDir, args).ended
    expect([code, said]).toEqual([2, null])
    return stderr
  }
  expect(await wrong(['--kep', 'x'])).toMatch(/'--kep'.*usage: fiskd --rehearse/s)
  expect(await wrong(['--keep', path])).toBe(`fiskd: ${path} is there already: name another file\n`)
  const nowhere = join(dataDir, 'nowhere')
  expect(await wrong(['--keep', join(nowhere, 'kept.db')])).toBe(`fiskd: there is no directory ${nowhere}\n`)
  expect(await wrong([nowhere])).toBe(`fiskd: there is no directory ${nowhere}\n`)
  expect(contents(dataDir)).toEqual(before)
})

test('a copy that is kept is the database as it was, one whole file for its owner only', async () => {
  const { dataDir } = await soldDatabase()
  const place = await tempDir()
  const kept = join(place, 'kept.db')
  expect((await start(dataDir, ['--keep', kept]).ended).said).toMatchObject({ ok: true, kept })
  expect(readdirSync(place)).toEqual(['kept.db'])
  expect(statSync(kept).mode & 0o777).toBe(0o600)
  const database = new Database(kept, { readonly: true })
  onTestFinished(() => void database.close())
  expect(database.pragma('journal_mode', { simple: true })).toBe('delete')
  expect(database.prepare('SELECT name FROM kysely_migration').pluck().all()).toEqual([NEWEST_SCHEMA])
  expect(database.prepare('SELECT count(*) FROM invoices').pluck().get()).toBe(SALES)
})

test.skipIf(!mayMount())('without room for the copy nothing is begun', async () => {
  const { dataDir, path } = await soldDatabase()
  const disk = mountTmpfs(8)
  onTestFinished(() => disk.close())
  const size = statSync(path).size
  const problemsWith = async (bytes: number, keep?: string) => {
    disk.makeRoom()
    disk.leave(bytes)
    const place = join(disk.path, 'place')
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place)
    const { problems } = await rehearse(dataDir, { dir: place, keep }, Date.now())
    rmSync(place, { recursive: true })
    return problems
  }
  const noRoom = [expect.stringContaining('there is no room')]
  expect(await problemsWith(3 * size - 8192, join(disk.path, 'kept.db'))).toEqual(noRoom)
  expect(await problemsWith(3 * size - 8192, join(await tempDir(), 'kept.db'))).toEqual([])
  disk.makeRoom()
  disk.leave(2 * size - 8192)
  expect((await rehearse(dataDir, { dir: disk.path }, Date.now())).problems).toEqual([
    expect.stringContaining('there is no room'),
  ])
  expect(readdirSync(disk.path)).toEqual(['ballast'])
})

test.skipIf(!mayMount())('what must stay free for the sales meanwhile is not used up', async () => {
  const disk = mountTmpfs(16)
  onTestFinished(() => disk.close())
  const { dataDir } = await soldDatabase()
  cpSync(dataDir, join(disk.path, 'data'), { recursive: true })
  const run = async (floor: string) =>
    (await start(join(disk.path, 'data'), [], { FISKD_DISK_FLOOR_MB: floor }).ended).said?.problems
  expect(await run('17')).toEqual([expect.stringContaining('there is no room')])
  expect(await run('0')).toEqual([])
})

test('asked to stop in the middle it leaves nothing, and what a killed one left goes with the next', async () => {
  const { dataDir, path } = await soldDatabase()
  // So large that it is still read when the signal comes.
  const database = new Database(path)
  database.exec('CREATE TABLE large (bytes); INSERT INTO large VALUES (zeroblob(200000000))')
  database.close()
  const place = await tempDir()
  const keeping = await tempDir()
  mkdirSync(join(place, 'fiskd.db.rehearsal-4194999'))
  writeFileSync(join(keeping, 'fiskd.db.rehearsal-4194999.part'), '')
  const { child, ended } = start(dataDir, [place, '--keep', join(keeping, 'kept.db')])
  const made = join(place, `fiskd.db.rehearsal-${child.pid}`)
  while (!readdirSync(place).includes(`fiskd.db.rehearsal-${child.pid}`)) await setTimeout(2)
  writeFileSync(join(keeping, `fiskd.db.rehearsal-${child.pid}.part-journal`), '')
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 1, said: null })
  expect(readdirSync(keeping)).toEqual([])
  expect(made).toBeTruthy()
  expect(readdirSync(place)).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)('run by root it works as the owner of the database', async () => {
  const { dataDir, path } = await soldDatabase()
  const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
  for (const one of [dataDir, path]) chownSync(one, nobody, nobody)
  const { said } = await start(dataDir).ended
  expect(said).toMatchObject({ ok: true, problems: [] })
  expect(statSync(join(dataDir, 'fiskd.lock')).uid).toBe(nobody)
})

test.skipIf(process.getuid?.() !== 0)(
  'run by root it follows no link to a database of root: the owner of the folder counts',
  async () => {
    const { dataDir, path } = await soldDatabase()
    const hidden = join(await tempDir(), 'of-root.db')
    renameSync(path, hidden)
    chmodSync(hidden, 0o600)
    symlinkSync(hidden, path)
    const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
    lchownSync(path, nobody, nobody)
    chownSync(dataDir, nobody, nobody)
    const before = readdirSync(dataDir)
    const { said } = await start(dataDir).ended
    expect(said).toMatchObject({ ok: false, invoices: 0, problems: [expect.stringContaining('EACCES')] })
    const made = readdirSync(dataDir).filter((name) => !before.includes(name))
    expect(made.filter((name) => lstatSync(join(dataDir, name)).uid !== nobody)).toEqual([])
  },
)
