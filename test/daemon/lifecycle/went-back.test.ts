import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { restore } from '../../../src/daemon/backup-restore/restore.ts'
import { readRestoreOrder } from '../../../src/daemon/backup-restore/restore-arguments.ts'
import { readConfig } from '../../../src/daemon/config.ts'
import { openSoundDatabase } from '../../../src/daemon/lifecycle/open-database.ts'
import { zagrebYear } from '../../../src/domain/zagreb.ts'
import { LatestIssued } from '../../../src/fiscal/numbering/latest-issued.ts'
import { checkJournals } from '../../../src/fiscal/sales/journal-check.ts'
import { openStore } from '../../../src/store/store.ts'
import { runDaemon } from '../../support/daemon-process.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { laterRelease } from '../../support/later-release.ts'
import { tempDir } from '../../support/temp-dir.ts'

const FILES = ['', '-wal']

/** The database as it is now, its log beside it; `comeBack` puts it in the place of a later one. */
function keep(gateway: Gateway, files = FILES) {
  const kept = join(gateway.dataDir, 'kept.db')
  const there = files.filter((suffix) => existsSync(gateway.database + suffix))
  for (const suffix of there) cpSync(gateway.database + suffix, kept + suffix)
  return {
    kept,
    async comeBack() {
      await gateway.stop()
      for (const suffix of [...FILES, '-shm']) rmSync(gateway.database + suffix, { force: true })
      for (const suffix of there) if (existsSync(kept + suffix)) cpSync(kept + suffix, gateway.database + suffix)
      await gateway.restart()
    },
  }
}

async function sell(gateway: Gateway, count: number) {
  const sold = []
  for (let i = 0; i < count; i++) sold.push(await gateway.sell())
  return sold
}

const numbersAtAuthority = (gateway: Gateway) => gateway.cis.received.map(({ number }) => number)
/** A message about a sale may come again, with its ZKI; a number of two sales has two. */
function expectEachNumberOnce(gateway: Gateway) {
  const sales = new Set(gateway.cis.received.map(({ number, zki }) => `${number} ${zki}`))
  expect(sales.size).toBe(new Set(numbersAtAuthority(gateway)).size)
}
const alerts = async (gateway: Gateway, kind: string) => {
  await gateway.watch()
  return (await gateway.admin<{ data: { severity: string; detail: object }[] }>(`/admin/alerts?kind=${kind}`)).body.data
}
const health = async (gateway: Gateway) => (await gateway.v1('/health')) as unknown as { status: number; body: object }

test('a database that lacks sales that were issued sells nothing at their premises, and no number is given out again', async () => {
  const gateway = await startGateway()
  await sell(gateway, 2)
  const { comeBack } = keep(gateway)
  const lost = await sell(gateway, 3)
  await comeBack()

  const refused = await gateway.post()
  const headers = { 'retry-after': '10' }
  expect(refused).toMatchObject({ status: 500, headers, body: { error: { code: 'internal_error' } } })
  expect(refused.text).toContain('lacks sales of premises POSL1')
  expect(await health(gateway)).toMatchObject({
    status: 503,
    body: { status: 'down', checks: { sales: { status: 'down' } } },
  })
  const [alert] = await alerts(gateway, 'sales_lost')
  expect(alert).toMatchObject({ severity: 'urgent', detail: { count: 3, first: '3', last: '5' } })
  expect(JSON.stringify(alert)).toContain(`5 (ZKI ${lost[2]?.zki}, JIR ${lost[2]?.jir})`)
  const status = await gateway.admin<{ problems: { problem: string }[] }>('/admin/status')
  expect(status.text).toContain('the database lacks sales that were issued, up to number 5')
  const doctor = await gateway.admin('/admin/doctor')
  expect(doctor.text).toContain(`3 (ZKI ${lost[0]?.zki}, JIR ${lost[0]?.jir})`)
})

test('another premises of the same database sells on', async () => {
  const gateway = await startGateway()
  const other = await gateway.addDevice({ premises_code: 'POSL2', isu_number: '777' })
  await gateway.sell({ device_id: other })
  const { comeBack } = keep(gateway)
  await sell(gateway, 1)
  await comeBack()
  expect((await gateway.post()).status).toBe(500)
  expect(await gateway.sell({ device_id: other })).toMatchObject({ status: 'confirmed' })
  expect(await health(gateway)).toMatchObject({ status: 200, body: { status: 'degraded' } })
})

test('the numbers of lost sales are skipped by command, and the premises sells above them for good', async () => {
  const gateway = await startGateway()
  await sell(gateway, 2)
  const { comeBack } = keep(gateway)
  await sell(gateway, 3)
  await comeBack()
  const order = { company_id: gateway.companyId, premises_code: 'POSL1' }
  const plan = await gateway.admin<object>('/admin/numbers/skip-lost', { body: { ...order, dry_run: true } })
  expect(plan.body).toMatchObject({ skipped: [{ from: '2', to: '5', lost: [{ number: '3' }, {}, {}] }] })
  expect((await gateway.post()).status).toBe(500)
  expect((await gateway.admin('/admin/numbers/skip-lost', { body: order })).status).toBe(200)
  expect(await gateway.sell()).toMatchObject({ number: '6' })
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '7' })
  expect(await health(gateway)).toMatchObject({ body: { checks: { sales: { status: 'ok' } } } })
  expect(numbersAtAuthority(gateway)).toEqual(['1', '2', '3', '4', '5', '6', '7'])
})

test('a number that was given out again before anything was compared is told, and skip-lost lets the premises sell on', async () => {
  const gateway = await startGateway()
  await sell(gateway, 2)
  const { comeBack } = keep(gateway)
  await sell(gateway, 1)
  const known = readFileSync(record(gateway))
  rmSync(record(gateway))
  await gateway.stop()
  rmSync(record(gateway), { force: true })
  await comeBack()
  expect(await gateway.sell()).toMatchObject({ number: '3' })
  await gateway.stop()
  writeFileSync(record(gateway), known)
  await gateway.restart()
  expect((await gateway.post()).status).toBe(500)
  const order = { company_id: gateway.companyId, premises_code: 'POSL1' }
  expect((await gateway.admin('/admin/numbers/skip-lost', { body: order })).status).toBe(200)
  const [sold] = await sell(gateway, 1)
  expect(Number(sold?.number)).toBeGreaterThan(3)
  await gateway.stop()
  const store = await openStore(gateway.database, 1)
  expect(await checkJournals(store)).toMatchObject({ broken: [], wrongNumbers: [] })
  await store.close()
})

test('a sequence that is set back skips the numbers of sales that the database lacks', async () => {
  const gateway = await startGateway()
  await sell(gateway, 2)
  const { comeBack } = keep(gateway)
  await sell(gateway, 3)
  await comeBack()
  const order = { company_id: gateway.companyId, premises_code: 'POSL1' }
  await gateway.admin('/admin/numbers/skip-lost', { body: order })
  expect(await gateway.sell()).toMatchObject({ number: '6' })
  const healed = await gateway.admin('/admin/numbers/heal', { body: { ...order, after: '2' } })
  expect(healed.status).toBe(200)
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '7' })
  expectEachNumberOnce(gateway)
})

test('a database that a restore has replaced, put back in its place, sells nothing', async () => {
  const gateway = await startGateway()
  await sell(gateway, 1)
  const backup = await gateway.admin('/admin/backup')
  await sell(gateway, 2)
  await gateway.stop()
  const replaced = readFileSync(gateway.database)
  const file = join(gateway.dataDir, 'backup.db')
  writeFileSync(file, backup.bytes)
  const config = readConfig({ FISKD_DATA_DIR: gateway.dataDir, FISKD_LISTEN: '127.0.0.1:0' })
  await restore(config, readRestoreOrder([file, '--highest', 'POSL1=3']), Date.now())
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '4' })
  await gateway.stop()
  for (const suffix of ['-wal', '-shm']) rmSync(gateway.database + suffix, { force: true })
  writeFileSync(gateway.database, replaced)
  await gateway.restart()
  expect((await gateway.post()).status).toBe(500)
  expectEachNumberOnce(gateway)
})

test('no number is given out again by a sequence that is set back among lost sales of which only the latest are known', async () => {
  const gateway = await startGateway()
  await sell(gateway, 2)
  const { comeBack } = keep(gateway)
  await sell(gateway, 55)
  await comeBack()
  const order = { company_id: gateway.companyId, premises_code: 'POSL1' }
  await gateway.admin('/admin/numbers/skip-lost', { body: order })
  expect(await gateway.sell()).toMatchObject({ number: '58' })
  const refused = await gateway.admin('/admin/numbers/heal', { body: { ...order, after: '2' } })
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.text).toContain('sales up to number 57 were issued')
  expect(await gateway.sell()).toMatchObject({ number: '59' })
})

test('a number that only paper knows is skipped, too', async () => {
  const gateway = await startGateway()
  await sell(gateway, 2)
  const order = { company_id: gateway.companyId, premises_code: 'POSL1' }
  for (const after of ['2', '2000000', '0']) {
    expect((await gateway.admin('/admin/numbers/skip-lost', { body: { ...order, after } })).status).toBe(400)
  }
  const body = { ...order, after: '7', mode: 'test', year: zagrebYear(Date.now()) }
  const skipped = await gateway.admin<object>('/admin/numbers/skip-lost', { body })
  expect(skipped.body).toMatchObject({ skipped: [{ from: '2', to: '7', lost: [] }] })
  expect(await gateway.sell()).toMatchObject({ number: '8' })
})

/** What a power cut in the first start leaves: the file and its log, before the database was remembered. */
async function firstStart() {
  const path = join(await tempDir(), 'made.db')
  const blank = new Database(path)
  blank.pragma('page_size = 1024')
  blank.pragma('journal_mode = WAL')
  const file = readFileSync(path)
  blank.close()
  const store = await openStore(path, 1)
  const log = readFileSync(`${path}-wal`)
  await store.close()
  return { file, log, made: readFileSync(path) }
}

test.each<[string, (of: Awaited<ReturnType<typeof firstStart>>) => (Buffer | undefined)[]]>([
  ['before it had made the file', () => []],
  ['when the file was empty', () => [Buffer.alloc(0)]],
  ['when the file had its first page', ({ file }) => [file]],
  ['when the log was empty', ({ file }) => [file, Buffer.alloc(0)]],
  ['when the log had its header', ({ file, log }) => [file, log.subarray(0, 32)]],
  ['when the log had half of the tables', ({ file, log }) => [file, log.subarray(0, log.length / 2)]],
  ['when the log had zeros', ({ file, log }) => [file, Buffer.alloc(log.length)]],
  ['when the tables were committed', ({ file, log }) => [file, log]],
  ['when the log was copied to the file', ({ made }) => [made]],
])('a first start that was interrupted %s is taken up by the next one', async (_when, left) => {
  const dataDir = await tempDir()
  const [file, log] = left(await firstStart())
  if (file) writeFileSync(join(dataDir, 'fiskd.db'), file)
  if (log) writeFileSync(join(dataDir, 'fiskd.db-wal'), log)
  const gateway = await startGateway({ FISKD_DATA_DIR: dataDir })
  expect(await gateway.sell()).toMatchObject({ number: '1' })
})

test.each(['fiskd.db.made', 'vault.key', 'tls', 'issued.log'])(
  'a file without a table is refused beside %s',
  async (trace) => {
    const dataDir = await tempDir()
    writeFileSync(join(dataDir, 'fiskd.db'), (await firstStart()).file)
    writeFileSync(join(dataDir, trace), '')
    const trouble = { onDamage() {}, onRefusedWrite() {} }
    await expect(openSoundDatabase(dataDir, 1, trouble)).rejects.toThrow('is gone')
  },
)

test('a newer copy of the database brings the premises back', async () => {
  const gateway = await startGateway()
  await sell(gateway, 1)
  const old = keep(gateway)
  await sell(gateway, 1)
  await gateway.stop()
  const newest = readFileSync(gateway.database)
  await gateway.restart()
  await old.comeBack()
  expect((await gateway.post()).status).toBe(500)
  await gateway.stop()
  for (const suffix of ['-wal', '-shm']) rmSync(gateway.database + suffix, { force: true })
  writeFileSync(gateway.database, newest)
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '3' })
})

test.each([
  ['removed', (file: string) => rmSync(file, { force: true })],
  ['emptied', (file: string) => writeFileSync(file, '')],
  [
    'without its header',
    (file: string) => writeFileSync(file, Buffer.concat([Buffer.alloc(32), readFileSync(file).subarray(32)])),
  ],
  ['cut', (file: string) => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
])('a database whose log is %s gives out no number again', async (_how, harm) => {
  const gateway = await startGateway()
  await sell(gateway, 5)
  const { kept, comeBack } = keep(gateway)
  harm(`${kept}-wal`)
  await comeBack()
  const status = await gateway.admin('/admin/status')
  if (!status.text.includes('"can_sell":true')) expect(status.text).toContain('fisk restore FILE')
  const again = await gateway.post()
  if (again.status === 200) expect(again.body).toMatchObject({ number: '6' })
  expectEachNumberOnce(gateway)
})

test('the file of a database without its log, and without a table, is refused like an empty one', async () => {
  const gateway = await startGateway()
  await sell(gateway, 1)
  await gateway.stop()
  for (const suffix of ['-wal', '-shm']) rmSync(gateway.database + suffix, { force: true })
  writeFileSync(gateway.database, readFileSync(gateway.database).subarray(0, 0))
  const { default: Database } = await import('better-sqlite3')
  const blank = new Database(gateway.database)
  blank.pragma('journal_mode = WAL')
  blank.close()
  await gateway.restart()
  expect((await gateway.admin('/admin/status')).text).toContain('is gone')
})

const record = (gateway: Gateway) => join(gateway.dataDir, 'issued.log')

test.each([
  ['removed', (file: string) => rmSync(file), 'it is missing'],
  [
    'torn in the middle',
    (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('"number":"2"', '"number":"9"')),
    'a part of it is not as it was written',
  ],
  ['of another installation', (file: string) => writeFileSync(file, OF_ANOTHER), 'it is about another database'],
  [
    'a folder, so that it cannot be written',
    (file: string) => {
      rmSync(file)
      mkdirSync(file)
    },
    'it cannot be written',
  ],
])('a record that is %s is an alert, and stops no sale', async (_how, harm, problem) => {
  const gateway = await startGateway()
  await sell(gateway, 3)
  await gateway.stop()
  harm(record(gateway))
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '4' })
  expect(JSON.stringify(await alerts(gateway, 'issued_record'))).toContain(problem)
})

test('a data directory that never had a record, as a new process on an old database has it, is no alert', async () => {
  const gateway = await startGateway()
  const other = await gateway.addDevice({ premises_code: 'POSL2', isu_number: '777' })
  await gateway.sell({ device_id: other })
  await sell(gateway, 2)
  const { comeBack } = keep(gateway)
  await gateway.stop()
  for (const name of ['issued.log', 'issued.log.made']) rmSync(join(gateway.dataDir, name))
  await gateway.restart()
  expect(await alerts(gateway, 'issued_record')).toEqual([])
  const sales = readFileSync(record(gateway), 'utf8').matchAll(/"premisesCode":"(\w+)".*"number":"(\d+)"/g)
  expect([...sales].map(([, premises, number]) => `${premises} ${number}`)).toEqual(['POSL1 2', 'POSL2 1'])
  await sell(gateway, 1)
  await comeBack()
  expect((await gateway.post()).status).toBe(500)
})

test('the record of very many premises knows fewer sales of each', () => {
  const latest = new LatestIssued()
  const sale = { companyId: 'c', mode: 'live', year: 2026, register: '', invoiceId: 'i', zki: 'z', jir: null } as const
  const add = (premises: number, place: number) =>
    latest.add({
      ...sale,
      premisesCode: `P${premises}`,
      position: place,
      number: String(place),
      seal: `${premises} ${place}`,
    })
  for (let premises = 0; premises < 100; premises++) for (let place = 1; place <= 60; place++) add(premises, place)
  expect(latest.all()).toHaveLength(100 * 50)
  for (let premises = 100; premises < 2_000; premises++) for (let place = 1; place <= 60; place++) add(premises, place)
  expect(latest.all()).toHaveLength(10_000)
  expect(latest.all().filter(({ position }) => position === 60)).toHaveLength(2_000)
})

const OF_ANOTHER = 'c0dc81b8 {"database":"11111111-1111-4111-8111-111111111111"}\n'

test('an end of the record that was not written, as a power cut leaves it, is no alert', async () => {
  const gateway = await startGateway()
  await sell(gateway, 3)
  await gateway.stop()
  const whole = readFileSync(record(gateway))
  writeFileSync(record(gateway), Buffer.concat([whole.subarray(0, whole.length - 40), Buffer.alloc(4096)]))
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '4' })
  expect(await alerts(gateway, 'issued_record')).toEqual([])
})

test.each<[string, (record: Buffer, file: string) => Buffer]>([
  ['before its line', (record) => record.subarray(0, lineFromEnd(record, 2))],
  ['within its line', (record) => record.subarray(0, lineFromEnd(record, 2) + 100)],
  ['after its line', (record) => record.subarray(0, lineFromEnd(record, 1))],
  ['within the line with its JIR', (record) => record.subarray(0, lineFromEnd(record, 1) + 100)],
  [
    'while the record was written anew',
    (record, file) => {
      writeFileSync(join(dirname(file), '.issued.log.1.0123456789ab'), record.subarray(0, record.length / 2))
      return record
    },
  ],
])('a process that was killed %s stops no sequence and leaves no gap', async (_when, left) => {
  const gateway = await startGateway()
  await sell(gateway, 3)
  const atKill = left(readFileSync(record(gateway)), record(gateway))
  await gateway.stop()
  writeFileSync(record(gateway), atKill)
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '4' })
  expect(await health(gateway)).toMatchObject({ body: { checks: { sales: { status: 'ok' } } } })
  for (const kind of ['issued_record', 'sales_lost']) expect(await alerts(gateway, kind)).toEqual([])
  expect(readdirSync(gateway.dataDir).filter((name) => name.startsWith('.issued.log'))).toEqual([])
})

/** Where the last line of the record, or one before it, begins. */
function lineFromEnd(record: Buffer, nth: number): number {
  const lines = record
    .toString('utf8')
    .split('\n')
    .slice(0, -1 - nth)
  return Buffer.byteLength(lines.join('\n')) + 1
}

test('a record that was made anew finds a database that goes back later', async () => {
  const gateway = await startGateway()
  await sell(gateway, 2)
  const { comeBack } = keep(gateway)
  await sell(gateway, 1)
  await gateway.stop()
  rmSync(record(gateway))
  await gateway.restart()
  await comeBack()
  expect((await gateway.post()).status).toBe(500)
})

test('a copy that fisk backup made is no database to sell on, until it is restored', async () => {
  const gateway = await startGateway()
  await sell(gateway, 2)
  const backup = await gateway.admin('/admin/backup')
  await sell(gateway, 2)
  await gateway.stop()
  for (const suffix of [...FILES, '-shm']) rmSync(gateway.database + suffix, { force: true })
  rmSync(record(gateway))
  writeFileSync(gateway.database, backup.bytes)
  await gateway.restart()
  const refused = await gateway.post()
  expect(refused.status).toBe(500)
  expect((await gateway.admin('/admin/status')).text).toContain(`fisk restore ${gateway.database}`)
  await gateway.stop()

  const config = readConfig({ FISKD_DATA_DIR: gateway.dataDir, FISKD_LISTEN: '127.0.0.1:0' })
  await restore(config, readRestoreOrder([gateway.database, '--gap', '10']), Date.now())
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '13' })
  expect(await alerts(gateway, 'issued_record')).toEqual([])
})

test('a copy of an older fiskd is refused before anything of it is changed', async () => {
  const gateway = await startGateway()
  await sell(gateway, 1)
  const backup = await gateway.admin('/admin/backup')
  await gateway.stop()
  for (const suffix of [...FILES, '-shm']) rmSync(gateway.database + suffix, { force: true })
  writeFileSync(gateway.database, backup.bytes)
  const before = readFileSync(gateway.database)
  await runDaemon(gateway, onTestFinished, { program: await laterRelease() })
  expect((await gateway.admin('/admin/status')).text).toContain(`fisk restore ${gateway.database}`)
  expect(readFileSync(gateway.database).equals(before)).toBe(true)
})

test('a line of the record that was written by half spoils no other one', async () => {
  const gateway = await startGateway()
  await sell(gateway, 1)
  const { comeBack } = keep(gateway)
  const file = await open(record(gateway))
  const write = vi.spyOn(Object.getPrototypeOf(file) as typeof file, 'write')
  await file.close()
  onTestFinished(() => write.mockRestore())
  write.mockImplementationOnce(async function (this: typeof file, text) {
    return { bytesWritten: writeSync(this.fd, String(text).slice(0, 100)), buffer: text as never }
  })
  await sell(gateway, 2)
  await expect.poll(() => readFileSync(record(gateway), 'utf8').match(/"number":"3"/g)?.length).toBe(2)
  // As it is now: a clean stop would write it anew.
  const written = readFileSync(record(gateway))
  await gateway.stop()
  writeFileSync(record(gateway), written)
  await comeBack()
  expect((await gateway.post()).status).toBe(500)
  expect(await alerts(gateway, 'issued_record')).toEqual([])
})

test('a restore goes on above what the record knows as given out, though the database is gone', async () => {
  const gateway = await startGateway()
  await sell(gateway, 1)
  const backup = await gateway.admin('/admin/backup')
  await sell(gateway, 4)
  await gateway.stop()
  for (const suffix of [...FILES, '-shm']) rmSync(gateway.database + suffix, { force: true })
  const file = join(gateway.dataDir, 'backup.db')
  writeFileSync(file, backup.bytes)
  const config = readConfig({ FISKD_DATA_DIR: gateway.dataDir, FISKD_LISTEN: '127.0.0.1:0' })
  await restore(config, readRestoreOrder([file, '--gap', '1']), Date.now())
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ number: '7' })
})
