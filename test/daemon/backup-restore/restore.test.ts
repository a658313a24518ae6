import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import type { Restored } from '../../../src/contract/reports/restored.ts'
import { type LastSteps, restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder, WrongUse } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { proveCopy } from '../../../src/daemon/backup-restore/restore-copy.ts'
import { replaceDatabase } from '../../../src/daemon/backup-restore/restore-swap.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { createLog } from '../../../src/daemon/lifecycle/log.ts'
import { zagrebYear } from '../../../src/domain/zagreb.ts'
import { NEWEST_SCHEMA } from '../../../src/store/sqlite/migrate.ts'
import { call } from '../../support/call.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { fisk } from '../../support/fisk.ts'
import { addCompany, startGateway, startSharedGateway } from '../../support/gateway.ts'
import { OIBS } from '../../support/pki.ts'
import { FISKD } from '../../support/programs.ts'
import { tamper } from '../../support/tamper.ts'
import { makeTempDir, tempDir } from '../../support/temp-dir.ts'

const YEAR = zagrebYear(Date.now())

/** A backup with three sales at POSL1, and with the vault key of the machine that made it. */
let backup: { file: string; vaultKey: string }
beforeAll(async () => {
  const dir = await makeTempDir(atTheEndOfFile)
  const gateway = await startSharedGateway()
  for (let i = 0; i < 3; i++) await gateway.sell()
  const file = join(dir, 'backup.db')
  const ran = await fisk(['backup', file], { socket: gateway.socketPath })
  if (ran.code !== 0) throw new Error(ran.stderr)
  const vaultKey = join(dir, 'vault.key')
  writeFileSync(vaultKey, readFileSync(join(gateway.dataDir, 'vault.key')), { mode: 0o600 })
  await gateway.stop()
  backup = { file, vaultKey }
})

/** A new machine with the vault key of the old one. */
async function machine(): Promise<string> {
  const dataDir = await tempDir()
  linkSync(backup.vaultKey, join(dataDir, 'vault.key'))
  return dataDir
}

/** In December and January two years are asked about; these tests mean one, and nothing was sold in the other. */
const otherYears = (now: number, args: string[]) =>
  [now - MONTH_MS, now, Date.now() + MONTH_MS]
    .map(zagrebYear)
    .filter((year) => year !== YEAR && !args.join().includes(`@${year}=`))
    .flatMap((year, i, years) => (years.indexOf(year) === i ? ['--highest', `POSL1@${year}=0`] : []))

const MONTH_MS = 30 * 86_400_000

const run = (dataDir: string, args: string[], file = backup.file, now = Date.now()): Promise<Restored> => {
  const rest = args.includes('--highest') && !args.includes('--gap') ? otherYears(now, args) : []
  return restore(readConfig({ FISKD_DATA_DIR: dataDir }), readRestoreOrder([file, ...args, ...rest]), now)
}

const rows = (dataDir: string, query: string, ...values: unknown[]) => {
  const database = new Database(join(dataDir, 'fiskd.db'), { readonly: true })
  try {
    return database.prepare(query).all(...values)
  } finally {
    database.close()
  }
}

const listed = (dataDir: string) =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith('fiskd.db'))
    .sort()

test('after a restore the next sale gets a number above everything that can have been given out', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const waiting = await gateway.sell()
  const file = join(await tempDir(), 'b.db')
  await fisk(['backup', file], { socket: gateway.socketPath })
  await gateway.cis.comeBack()
  for (let i = 0; i < 4; i++) await gateway.sell()
  await gateway.stop()
  const done = await run(gateway.dataDir, ['--highest', `POSL1@${YEAR}=7`], file)
  expect(done).toMatchObject({ invoices: 1, certificates_out_of_use: 0, sequences: expect.any(Array) })
  expect(done.replaced).toMatch(/fiskd\.db\.replaced-/)
  expect(existsSync(String(done.replaced))).toBe(true)
  expect(statSync(done.database).mode & 0o777).toBe(0o640)

  await gateway.restart()
  expect((await gateway.sell()).number).toBe('8')
  await gateway.sweep()
  expect(await gateway.invoice(waiting.id)).toMatchObject({ status: 'confirmed', zki: waiting.zki })

  const doctor = await diagnose(gateway)
  expect(doctor.filter(({ status }) => status === 'fail')).toEqual([])
  expect(doctor.find(({ name }) => name === 'numbers')).toMatchObject({
    status: 'ok',
    detail: 'no number is missing, but for those reserved when a backup was restored',
  })
  const { body } = await gateway.admin<{ data: { action: string; actor: string; detail: Restored }[] }>('/admin/audit')
  const entry = body.data.find(({ action }) => action === 'database.restored')
  expect(entry).toMatchObject({ actor: 'operator', detail: { sha256: done.sha256, invoices: 1 } })
  expect(entry?.detail.newest_invoice_at).toBe(done.newest_invoice_at)
  const test = { company: OIBS[0], mode: 'test', premises_code: 'POSL1', register: '', highest: '1', why: 'stated' }
  expect(entry?.detail.sequences[0]).toMatchObject({ ...test, year: expect.any(Number), from: '2', to: '7' })
})

test('an idempotency key of the backup still stands for its sale', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale()
  const first = await gateway.post(sale, 'kept')
  const file = join(await tempDir(), 'b.db')
  await fisk(['backup', file], { socket: gateway.socketPath })
  await gateway.stop()
  await run(gateway.dataDir, ['--gap', '10'], file)
  await gateway.restart()
  expect((await gateway.post(sale, 'kept')).body).toEqual(first.body)
  expect((await gateway.sell()).number).toBe('12')
})

test('nothing is restored while nobody says what was given out since', async () => {
  const dataDir = await machine()
  const refusal = await run(dataDir, []).catch((error: Error) => error.message)
  expect(refusal).toContain(`--highest POSL1@${YEAR}=NUMBER   (the backup ends at 3, `)
  expect(refusal).toContain('--gap 1000')
  expect(listed(dataDir)).toEqual([])
})

test.each([
  ['too low', ['--highest', `POSL1@${YEAR}=2`], `POSL1@${YEAR}=2 is too low: the backup holds 3 of POSL1`],
  ['of a premises that is not there', ['--highest', 'POSL9=5', '--gap', '5'], 'names nothing that the backup knows'],
  ['of no company', ['--highest', '12345678901/POSL1=5', '--gap', '5'], 'names nothing that the backup knows'],
  ['said twice', ['--highest', `POSL1@${YEAR}=5`, '--highest', `POSL1@${YEAR}=6`], 'say the same thing twice'],
])('a number is weighed: %s', async (_what, args, why) => {
  const dataDir = await machine()
  await expect(run(dataDir, args)).rejects.toThrow(why)
  expect(listed(dataDir)).toEqual([])
})

test.each([
  [['--highest', 'POSL1']],
  [['--highest', `POSL1@${YEAR}=01`]],
  [['--highest', 'POSL1/7=5']],
  [['--gap', '0']],
  [['--gap', 'many']],
  [['--hihgest', 'POSL1=5']],
  [['more']],
])('a command line that says nothing is refused: %j', (args) => {
  expect(() => readRestoreOrder(['backup.db', ...args])).toThrow(WrongUse)
})

test('the database that is still there is believed: nothing lower is taken, and a gap begins above it', async () => {
  const gateway = await startGateway()
  const file = join(await tempDir(), 'b.db')
  await gateway.sell()
  await fisk(['backup', file], { socket: gateway.socketPath })
  for (let i = 0; i < 3; i++) await gateway.sell()
  await gateway.cis.goDown()
  await gateway.sell()
  await gateway.cis.comeBack()
  await gateway.stop()
  await expect(run(gateway.dataDir, ['--highest', `POSL1@${YEAR}=4`], file)).rejects.toThrow(
    'too low: the database that was here holds 5 of POSL1',
  )
  const { lost, unreadable } = await run(gateway.dataDir, ['--gap', '100'], file)
  expect({ lost, unreadable }).toEqual({ lost: { invoices: 4, without_jir: 1 }, unreadable: [] })
  const reserved =
    "SELECT first, last, used_to FROM reserved_numbers WHERE mode = 'test' AND register = '' AND year = ?"
  expect(rows(gateway.dataDir, reserved, YEAR)).toEqual([{ first: '2', last: '105', used_to: '5' }])
  // The one with the fifth sale is set aside now, and counts still.
  await expect(run(gateway.dataDir, ['--highest', `POSL1@${YEAR}=104`], file)).rejects.toThrow('holds 105 of POSL1')
  rmSync(join(gateway.dataDir, 'fiskd.db'))
  await expect(run(gateway.dataDir, ['--highest', `POSL1@${YEAR}=4`], file)).rejects.toThrow('holds 5 of POSL1')
})

test('a broken database is read as far as it goes, and set aside', async () => {
  const dataDir = await machine()
  writeFileSync(join(dataDir, 'fiskd.db'), Buffer.alloc(5000, 'x'))
  writeFileSync(join(dataDir, 'fiskd.db-wal'), 'y')
  writeFileSync(join(dataDir, 'fiskd.db.damage'), 'it is broken')
  const { replaced, lost, unreadable } = await run(dataDir, ['--gap', '10'])
  expect({ lost, unreadable }).toEqual({ lost: null, unreadable: [join(dataDir, 'fiskd.db')] })
  const [{ detail }] = rows(dataDir, "SELECT detail FROM audit_log WHERE action = 'database.restored'") as [Logged]
  expect(JSON.parse(detail)).toMatchObject({ lost: null, unreadable: [join(dataDir, 'fiskd.db')] })
  expect(readFileSync(String(replaced), 'utf8')).toBe('x'.repeat(5000))
  expect(existsSync(`${replaced}-wal`)).toBe(true)
  expect(listed(dataDir).filter((name) => !name.includes('replaced'))).toEqual(['fiskd.db'])
})

test('a new machine takes a backup over, and sells with the vault key of the old one', async () => {
  const dataDir = await machine()
  await run(dataDir, ['--highest', `POSL1@${YEAR}=3`, '--highest', `live/POSL1@${YEAR}=0`])
  expect(rows(dataDir, 'SELECT * FROM reserved_numbers')).toEqual([])
  await using daemon = await start(dataDir)
  expect(await daemon.certificateStatus()).toBe('valid')
})

test('without the vault key of the backup nothing is restored, unless the certificates are given up', async () => {
  const dataDir = await tempDir()
  await expect(run(dataDir, ['--gap', '10'])).rejects.toThrow('--forget-keys')
  expect(listed(dataDir)).toEqual([])
  const done = await run(dataDir, ['--gap', '10', '--forget-keys'])
  expect(done.certificates_out_of_use).toBe(1)
  const actions = "SELECT action FROM audit_log WHERE action IN ('certificate.superseded', 'database.restored')"
  expect(rows(dataDir, `${actions} ORDER BY action`)).toMatchObject([
    { action: 'certificate.superseded' },
    { action: 'database.restored' },
  ])
  await using daemon = await start(dataDir)
  expect(await daemon.certificateStatus()).toBe('missing')
  // The key made for it stays, also when it is restored once more.
  await daemon.close()
  await expect(run(dataDir, ['--gap', '10'])).rejects.toThrow('the vault key of this machine is not the one')
})

test('a key that fits is not given up', async () => {
  const dataDir = await machine()
  expect((await run(dataDir, ['--gap', '10', '--forget-keys'])).certificates_out_of_use).toBe(0)
})

test('a file that is no database, or not ours, or newer, or damaged, is refused', async () => {
  const dataDir = await machine()
  const file = join(await tempDir(), 'file')
  const refused = async (why: string) => {
    await expect(run(dataDir, ['--gap', '10'], file)).rejects.toThrow(why)
    expect(listed(dataDir)).toEqual([])
  }
  await refused('there is no file')
  writeFileSync(file, 'a letter to the tax authority, in several pages'.repeat(50))
  await refused('not a database')
  writeFileSync(file, '')
  await refused('it is no database of fiskd')

  writeFileSync(file, readFileSync(backup.file))
  const newer = new Database(file)
  newer.prepare("INSERT INTO kysely_migration (name, timestamp) VALUES ('999-future', '2030')").run()
  newer.close()
  await refused(`it was made by a newer fiskd 1.0.0 (schema 999-future; this one knows up to ${NEWEST_SCHEMA})`)

  const bytes = readFileSync(backup.file)
  bytes.fill(0x5a, 4096 * 3, 4096 * 40)
  writeFileSync(file, bytes)
  await refused('cannot be restored')

  writeFileSync(file, readFileSync(backup.file))
  const changed = new Database(file)
  changed.exec('DROP TRIGGER invoices_are_kept')
  changed.close()
  await refused('the trigger invoices_are_kept is missing')
})

test('a running daemon is left alone', async () => {
  const gateway = await startGateway()
  await expect(run(gateway.dataDir, ['--gap', '10'])).rejects.toThrow('stop it first')
  expect((await gateway.sell()).number).toBe('1')
})

test('a crash between the old database and the new one leaves the old one, and the next restore works', async () => {
  const dataDir = await machine()
  await run(dataDir, ['--gap', '10'])
  const path = join(dataDir, 'fiskd.db')
  linkSync(path, `${path}.replaced-2026-01-01T00-00-00Z`)
  writeFileSync(`${path}.restoring`, 'half')
  writeFileSync(`${path}.restoring-journal`, 'half')
  const { replaced } = await run(dataDir, ['--gap', '10'])
  expect(listed(dataDir)).toEqual(['fiskd.db', String(replaced).replace(/.*\//, '')])
})

test('early in the year both years are asked about, each by its name', async () => {
  const now = Date.UTC(YEAR + 1, 0, 5)
  const dataDir = await machine()
  const refusal = await run(dataDir, [], backup.file, now).catch((error: Error) => error.message)
  expect(refusal).toContain(`--highest POSL1@${YEAR}=NUMBER   (the backup ends at 3, `)
  expect(refusal).toContain(`--highest POSL1@${YEAR + 1}=NUMBER   (the backup holds none`)
  await expect(run(dataDir, ['--highest', 'POSL1=9'], backup.file, now)).rejects.toThrow(
    `can mean POSL1@${YEAR} or POSL1@${YEAR + 1}`,
  )
  const stated = ['--highest', `POSL1@${YEAR}=9`, '--highest', `POSL1@${YEAR + 1}=2`]
  await run(dataDir, stated, backup.file, now)
  const query = "SELECT year, first, last FROM reserved_numbers WHERE mode = 'test' AND register = '' ORDER BY year"
  expect(rows(dataDir, query)).toEqual([
    { year: YEAR, first: '4', last: '9' },
    { year: YEAR + 1, first: '1', last: '2' },
  ])
})

test('a company that may have gone live since has its live numbers put out of use, too', async () => {
  const dataDir = await machine()
  await run(dataDir, ['--highest', `POSL1@${YEAR}=9`])
  const query = "SELECT mode, first, last FROM reserved_numbers WHERE register = '' ORDER BY mode"
  expect(rows(dataDir, query)).toEqual([
    { mode: 'live', first: '1', last: '9' },
    { mode: 'test', first: '4', last: '9' },
  ])
})

test('registers that number by themselves are stated by themselves, and premises of two companies by their OIB', async () => {
  const gateway = await startGateway()
  const attended = { sale_type: 'attended', operator_oib: OIBS[0], sequence_mark: 'N' }
  for (const register_mark of ['1', '2', '2']) await gateway.sell({ ...attended, register_mark })
  const company_id = await addCompany(gateway, OIBS[1])
  await gateway.addDevice({ company_id, premises_code: 'POSL1', isu_number: '303' })
  const file = join(await tempDir(), 'b.db')
  await fisk(['backup', file], { socket: gateway.socketPath })
  await gateway.stop()
  const refusal = await run(gateway.dataDir, [], file).catch((error: Error) => error.message)
  for (const name of [`${OIBS[0]}/POSL1/1`, `${OIBS[0]}/POSL1/2`, `${OIBS[1]}/POSL1`]) {
    expect(refusal).toContain(`--highest ${name}@${YEAR}=NUMBER`)
  }
  await expect(run(gateway.dataDir, ['--highest', 'POSL1=9', '--gap', '5'], file)).rejects.toThrow('can mean')
  const stated = [`${OIBS[0]}/POSL1/1@${YEAR}=8`, `${OIBS[0]}/POSL1/2@${YEAR}=9`, `${OIBS[1]}/POSL1@${YEAR}=0`]
  await run(gateway.dataDir, [...stated.flatMap((one) => ['--highest', one]), '--gap', '5'], file)
  await gateway.restart()
  const next = async (register_mark: string) => (await gateway.sell({ ...attended, register_mark })).number
  expect([await next('1'), await next('2')]).toEqual(['9', '10'])
})

test('a premises that came after the backup can be stated by its OIB', async () => {
  const dataDir = await machine()
  await run(dataDir, ['--highest', `POSL1@${YEAR}=3`, '--highest', `test/${OIBS[0]}/POSL2@${YEAR}=77`])
  const query = "SELECT premises_code AS place, last FROM reserved_numbers WHERE mode = 'test'"
  expect(rows(dataDir, query)).toEqual([{ place: 'POSL2', last: '77' }])
})

test('a supplied number that is known to have been given out is not taken again; one that is only guessed is', async () => {
  const gateway = await startGateway()
  const file = join(await tempDir(), 'b.db')
  await fisk(['backup', file], { socket: gateway.socketPath })
  for (let i = 0; i < 3; i++) await gateway.sell()
  await gateway.stop()
  await run(gateway.dataDir, ['--gap', '100'], file)
  await gateway.restart()
  for (const number of ['1', '3']) {
    const { status, body } = await gateway.post(gateway.sale({ number }))
    expect(status).toBe(409)
    expect(body).toMatchObject({ error: { code: 'invoice_already_exists', param: 'number' } })
  }
  expect((await gateway.sell({ number: '4' })).status).toBe('confirmed')
  expect((await gateway.sell()).number).toBe('104')
})

test('what a database that is there knows of a company added after the backup is wanted, and kept for its return', async () => {
  const gateway = await startGateway()
  const file = join(await tempDir(), 'b.db')
  await fisk(['backup', file], { socket: gateway.socketPath })
  const company_id = await addCompany(gateway, OIBS[1])
  const device_id = await gateway.addDevice({ company_id, premises_code: 'NEW1', isu_number: '303' })
  await gateway.sell({ device_id })
  await gateway.stop()
  const known = ['--highest', `POSL1@${YEAR}=0`]
  const refusal = await run(gateway.dataDir, known, file).catch((error: Error) => error.message)
  expect(refusal).toContain(`--highest NEW1@${YEAR}=NUMBER`)
  await run(gateway.dataDir, [...known, '--highest', `${OIBS[1]}/NEW1@${YEAR}=6`, '--gap', '5'], file)
  await gateway.restart()
  expect(await addCompany(gateway, OIBS[1])).toBe(company_id)
  const again = await gateway.addDevice({ company_id, premises_code: 'NEW1', isu_number: '303' })
  expect((await gateway.sell({ device_id: again })).number).toBe('7')
})

const runWith = (last: LastSteps, dataDir: string) =>
  restore(readConfig({ FISKD_DATA_DIR: dataDir }), readRestoreOrder([backup.file, '--gap', '10']), Date.now(), last)

test('a copy that has lost what was reserved takes no place', async () => {
  const dataDir = await machine()
  const losing: LastSteps['proveCopy'] = (copy, changed) => {
    tamper(copy, 'DELETE FROM reserved_numbers')
    return proveCopy(copy, changed)
  }
  await expect(runWith({ proveCopy: losing, replaceDatabase }, dataDir)).rejects.toThrow('it holds 0 of ')
  expect(listed(dataDir)).toEqual([])
})

test('a report of damage stays while nothing has taken the place of the database', async () => {
  const dataDir = await machine()
  writeFileSync(join(dataDir, 'fiskd.db.damage'), 'it is broken')
  const failing = () => {
    throw new Error('no swap')
  }
  await expect(runWith({ proveCopy, replaceDatabase: failing }, dataDir)).rejects.toThrow('no swap')
  expect(existsSync(join(dataDir, 'fiskd.db.damage'))).toBe(true)
  await run(dataDir, ['--gap', '10'])
  expect(existsSync(join(dataDir, 'fiskd.db.damage'))).toBe(false)
})

test('fisk restore has fiskd do it, says what came of it, and explains a refusal', async () => {
  const dataDir = await machine()
  const around = {
    fiskd: FISKD,
    env: { FISKD_DATA_DIR: dataDir, PATH: String(process.env.PATH) },
  }
  const refused = await fisk(['restore', backup.file, '--yes'], around)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`--highest POSL1@${YEAR}=NUMBER`)
  expect((await fisk(['restore', backup.file, '--gap', 'x', '--json', '--yes'], around)).code).toBe(2)

  const ran = await fisk(['restore', backup.file, '--highest', `POSL1@${YEAR}=9`, '--gap', '1', '--yes'], around)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toContain('4 to 9 are never given out')
  expect(ran.stdout.replace(/\s+/g, ' ')).toContain('starts at 1 again unless stated: --highest OIB/PREMISES=N')
  expect(ran.stdout).toContain('Next: systemctl start fiskd')
  for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  const again = await fisk(['restore', backup.file, '--gap', '10', '--json', '--yes'], around)
  expect(JSON.parse(again.stdout)).toMatchObject({ database: join(dataDir, 'fiskd.db'), invoices: 3 })
})

type Logged = { detail: string }

/** A daemon on restored data. */
async function start(dataDir: string) {
  const config = readConfig({ FISKD_DATA_DIR: dataDir, FISKD_LISTEN: '127.0.0.1:0', FISKD_LOG_LEVEL: 'silent' })
  const daemon = await startDaemon(config, createLog('silent'))
  let open = true
  const close = async () => {
    if (open) await daemon.close()
    open = false
  }
  return {
    close,
    [Symbol.asyncDispose]: close,
    async certificateStatus() {
      const answer = await call<{ data: { certificate_status: string }[] }>(
        { socketPath: config.socketPath },
        { path: '/v1/companies' },
      )
      return answer.body.data[0]?.certificate_status
    },
  }
}
