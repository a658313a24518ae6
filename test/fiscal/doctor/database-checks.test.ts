import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { UNWATCHED } from '../../../src/fiscal/clock/describe-clock.ts'
import { databaseChecks } from '../../../src/fiscal/doctor/database-checks.ts'
import type { DatabaseCare } from '../../../src/fiscal/ports/database-maintenance.ts'
import { changed, diagnose, inEnglish } from '../../support/diagnosis.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { broken, brokenInTable, sharedHealthyGateway, verdicts } from '../../support/healthy.ts'

let gateway: Gateway
let path: string
beforeAll(async () => {
  gateway = await sharedHealthyGateway()
  path = join(gateway.dataDir, 'fiskd.db')
})

function sql<T>(work: (database: Database.Database) => T): T {
  const database = new Database(path)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** Where the first page of a table that nothing in these tests reads lies in the file. */
function pageOfUsers(): { at: number; size: number } {
  return sql((database) => {
    database.pragma('wal_checkpoint(TRUNCATE)')
    const size = database.pragma('page_size', { simple: true }) as number
    const rootpage = database.prepare("SELECT rootpage FROM sqlite_master WHERE name = 'users'").pluck().get()
    return { at: (Number(rootpage) - 1) * size, size }
  })
}

function onFile<T>(work: (file: number) => T): T {
  const file = openSync(path, 'r+')
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}

test('database file: a page that a dying card has overwritten is found', async () => {
  const { at, size } = pageOfUsers()
  const kept = Buffer.alloc(size)
  onFile((file) => readSync(file, kept, 0, size, at))
  const found = await broken(
    gateway,
    () => onFile((file) => writeSync(file, Buffer.alloc(size, 0xaa), 0, size, at)),
    () => onFile((file) => writeSync(file, kept, 0, size, at)),
  )
  expect(verdicts(found)).toEqual(['database file fail'])
  expect(found[0]?.fix).toContain('fisk restore FILE')
})

test('schema: an index that somebody dropped is found by its name', async () => {
  const find = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL LIMIT 1"
  const index = sql((database) => database.prepare(find).get()) as { name: string; sql: string }
  const found = await broken(
    gateway,
    () => sql((database) => database.exec(`DROP INDEX ${index.name}`)),
    () => sql((database) => database.exec(index.sql)),
  )
  expect(verdicts(found)).toEqual(['schema fail'])
  expect(found[0]).toMatchObject({
    detail: `the index ${index.name} is missing`,
    fix: expect.stringContaining('evidence'),
  })
})

test('durability: a connection that does not wait for the disk is found', async () => {
  const care: Partial<DatabaseCare> = {
    server: null,
    fileProblems: async () => [],
    checkpoint: async () => {},
    schemaProblems: async () => [],
    durabilityProblems: async () => ['synchronous is 1 instead of 2'],
    contradictions: async () => ({ strays: [], repeated: [], sums: [] }),
  }
  const looks = databaseChecks({
    store: { ...NOTHING, transaction: <T>(work: (tx: typeof NOTHING) => T) => work(NOTHING) } as never,
    care: care as DatabaseCare,
    lookAtDisk: async () => ({ freeBytes: 1e9, room: 'everything' }),
    clock: { state: () => UNWATCHED },
  })
  const checks = inEnglish((await Promise.all(looks.map(({ run }) => run()))).flat())
  expect(checks.filter(({ status }) => status !== 'ok')).toEqual([
    {
      name: 'durability',
      status: 'fail',
      detail: 'synchronous is 1 instead of 2',
      fix: 'restart fiskd, and report this if it stays',
    },
  ])
})

const none = async () => []
/** A store without a sale. */
const NOTHING = {
  subjects: { freeze: none },
  invoices: { journals: none },
  numbering: { ahead: none, sequences: none, reserved: none, levels: none },
}

test.each([
  [
    'journal',
    'invoices',
    "document = json_set(document, '$.operatorOib', '1') WHERE journal_position = 2",
    'position 2',
  ],
  ['numbers', 'sequences', "highest = '1'", 'goes on after 1'],
  ['records', 'invoices', "number = '77' WHERE journal_position = 2", 'columns and document differ'],
  ['sums', 'turnover', "amount = amount + 1 WHERE unit = 'day' AND kind = 'total'", 'not those of the sales on'],
  ['JIRs', 'invoices', 'jir = (SELECT max(jir) FROM invoices)', 'more than one sale has'],
])('%s: what somebody changed behind the daemon is found by this check alone', async (name, table, change, says) => {
  const found = await brokenInTable(gateway, table, `UPDATE ${table} SET ${change}`)
  expect(verdicts(found)).toEqual([`${name} fail`])
  expect(found[0]).toMatchObject({ detail: expect.stringContaining(says), fix: expect.stringContaining('evidence') })
})

test('disk: one that is nearly full is found', async () => {
  const full = await startGateway({ FISKD_DISK_FLOOR_MB: '999999' })
  const found = changed(await diagnose(await startGateway()), await diagnose(full))
  expect(found.map(({ name }) => name)).toEqual(['disk'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('MB are free'),
    fix: expect.stringContaining('free some space'),
  })
})

test('clock: one that neither a time server nor the tax authority has confirmed is a warning', async () => {
  const alone = await startGateway()
  await alone.cis.goDown()
  alone.clock.synchronised = false
  await alone.restart()
  const doubtful = await diagnose(alone)
  alone.clock.synchronised = true
  await alone.checkClock()
  const found = changed(await diagnose(alone), doubtful)
  expect(verdicts(found)).toEqual(['clock warn'])
  expect(found[0]?.fix).toContain('sudo timedatectl set-ntp true')
})
