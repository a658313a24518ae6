import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { zagrebYear } from '../../src/domain/zagreb.ts'
import type { Diagnosis } from '../../src/fiscal/doctor/doctor.ts'
import { checkJournals } from '../../src/fiscal/sales/journal-check.ts'
import { startSimulator } from '../../src/simulator/index.ts'
import { NEWEST_SCHEMA } from '../../src/store/sqlite/migrate.ts'
import { quickCheck } from '../../src/store/sqlite/quick-check.ts'
import { digestOf, freshSchema, SCHEMA_DIGEST } from '../../src/store/sqlite/schema-check.ts'
import { openStore } from '../../src/store/store.ts'
import { uploadCertificate } from '../support/gateway.ts'
import { allRows, OLD_SCHEMAS, type OldDatabase, oldDatabase, type Row, startOn } from '../support/old-database.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'

const MIGRATIONS = join(import.meta.dirname, '../../src/store/sqlite/migrations')
const MINUTE_MS = 60_000

/**
 * SHA-256 of every schema change, as it was released. A released one is never edited: databases in the field have it as
 * it was, and the two would differ for ever. Make a new one instead.
 */
const RELEASED: Record<string, string> = {
  '001-initial': '29fbf889d54f0060eb7b5984f76b5d8d53b045161f4436b85def2007953bd755',
  '002-whole-v1': 'e04083ebf37bc6449acd56a56511ec96db927db210b12b3c1da0458706847f3a',
  '003-trust': 'a10c499b28ff87c9b55d5491bd1ef894e070c4ec4487a4b9ffb4e388d83ed5e6',
  '004-receipts': '1eed635585ca2ee7053cf20678ca5097afe556c0472556f1d285670f0eae4f64',
  '005-sync': '04c48b2bb02e038dc88ad9c2f5c524309fee99a341078f72cdc2101d0028096c',
  '006-office': '579a7ac8b7ec1121c33042b9060ee1685578aece5545bd0c2ffc04f35e56c991',
  '007-numbers-ahead': '611fcf80f76aed3bbd2dad30d9c28f3afbad8afac4b32f8617947f664265a70d',
  '008-companies-of-tenants': '7c8e1a9f766da81a11c8526cb5f9f8caf67013c6e3bf4d45bb761bec61af1bf4',
}

test('no schema change that was released is edited', () => {
  const actual = readdirSync(MIGRATIONS).map((file) => [
    file.replace('.ts', ''),
    createHash('sha256')
      .update(readFileSync(join(MIGRATIONS, file)))
      .digest('hex'),
  ])
  expect(Object.fromEntries(actual)).toEqual(RELEASED)
})

test('the schema that a start expects is the one that all changes make', async () => {
  expect(SCHEMA_DIGEST).toBe(digestOf(await freshSchema()))
})

test('there is a filled database of every schema before the newest, and of the newest', () => {
  // Of the newest, too: when the next one comes, it is too late to make it without looking for the right commit.
  expect(OLD_SCHEMAS).toEqual(Object.keys(RELEASED).sort())
  expect(OLD_SCHEMAS.at(-1)).toBe(NEWEST_SCHEMA)
})

describe.each(OLD_SCHEMAS)('a database of schema %s', (schema) => {
  test('is full: every table has rows, and every state of an invoice is there', async () => {
    const rows = allRows((await oldDatabase(schema)).path)
    expect([...rows].filter(([, found]) => found.length === 0).map(([table]) => table)).toEqual([])
    const states = (table: string) => new Set(rows.get(table)?.map(({ status }) => status))
    expect(states('invoices')).toEqual(new Set(['pending', 'confirmed', 'retrying', 'failed', 'expired']))
    if (rows.has('print_jobs')) expect(states('print_jobs').size).toBe(6)
  })

  test('keeps every row and every field when it is brought up to date, and passes all checks then', async () => {
    const old = await oldDatabase(schema)
    const before = allRows(old.path)
    const store = await openStore(old.path, old.at)
    const after = allRows(old.path)
    for (const [table, rows] of before) expect([table, kept(rows, after.get(table))]).toEqual([table, rows])

    expect(await quickCheck(old.path).problems).toEqual([])
    expect(await store.care.schemaProblems()).toEqual([])
    expect(await store.care.durabilityProblems()).toEqual([])
    expect(await store.care.contradictions()).toEqual({ strays: [], repeated: [] })
    const { entries, broken, wrongNumbers } = await checkJournals(store)
    expect({ entries, broken }).toEqual({ entries: 13, broken: [] })
    // Who chose a number was not written down before the third schema, and is not made up.
    const gaps = schema < '003' ? [expect.objectContaining({ why: expect.stringContaining('at number 41') })] : []
    expect(wrongNumbers).toEqual(gaps)
    await store.close()
  })

  test('is sold on: an old key is replayed to the byte, the next numbers follow, and JIRs arrive', async () => {
    const old = await oldDatabase(schema)
    const cis = await startSimulator({ pki })
    onTestFinished(() => cis.close())
    const trust = join(old.dataDir, 'trust.pem')
    writeFileSync(trust, pki.bundlePem)
    const env = { FISKD_CIS_TEST_URL: cis.url, FISKD_CIS_LIVE_URL: cis.url, FISKD_TRUST_TEST: trust }
    const next = highestOf(old.path) + 1n

    // The certificate in it is not of this run's authority, which does not answer.
    cis.always('http-503')
    const soon = old.at + MINUTE_MS
    const gateway = await startOn(old, soon, env)
    const { sale, idempotencyKey, status, body } = old.replayed
    const replayed = await gateway.v1('/invoices', { body: sale, headers: { 'idempotency-key': idempotencyKey } })
    // The first schema knew a request by its bytes alone; it is refused then, and not sold twice.
    if (schema === '001-initial') expect(replayed).toMatchObject({ status: 409 })
    else expect({ status: replayed.status, text: replayed.text }).toEqual({ status, text: body })
    const inFlight = await gateway.v1('/invoices?limit=100')
    expect(JSON.stringify(inFlight.body)).not.toContain('"pending"')
    expect(await gateway.v1('/invoices', saleOf(old, soon))).toMatchObject({
      status: 200,
      body: { number: String(next), status: 'retrying' },
    })
    await gateway.stop()

    cis.always(null)
    const now = Math.max(Date.now(), soon + MINUTE_MS)
    const later = await startOn(old, now, env)
    await uploadCertificate(later, companyIdOf(OIBS[0]), await certificateOf(OIBS[0]))
    const number = zagrebYear(now) === zagrebYear(soon) ? next + 1n : 1n
    expect(await later.v1('/invoices', saleOf(old, now))).toMatchObject({
      status: 200,
      body: { number: String(number), status: 'confirmed', jir: expect.any(String) },
    })
    const doctor = await later.admin<Diagnosis>('/admin/doctor')
    const checks = Object.fromEntries(doctor.body.checks.map(({ name, status }) => [name, status]))
    expect(checks).toMatchObject({ 'database file': 'ok', schema: 'ok', journal: 'ok' })
  })
})

const highestOf = (path: string) => {
  const rows = allRows(path).get('sequences') ?? []
  const [row] = rows.filter((one) => one.premises_code === 'POSL1' && one.mode === 'test' && one.register === '')
  return BigInt(String(row?.highest))
}

let keys = 0
const saleOf = ({ device }: OldDatabase, now: number) => ({
  body: { device_id: device, occurred_at: new Date(now).toISOString(), total: '3.30', payment_method: 'G' },
  headers: { 'idempotency-key': `upgraded-${keys++}` },
})

/** The rows as they were before, out of those that there are now: columns that are new are left out. */
function kept(before: Row[], after: Row[] = []): Row[] {
  // Schema changes are listed in a table of the database, too.
  return after.slice(0, before.length || undefined).map((row, i) => {
    const columns = Object.keys(before[i] ?? {})
    return Object.fromEntries(columns.map((column) => [column, asItWas(before[i]?.[column], row[column])]))
  })
}

/** XML is zipped since the third schema. */
function asItWas(before: unknown, after: unknown): unknown {
  return typeof before === 'string' && Buffer.isBuffer(after) ? gunzipSync(after).toString('utf8') : after
}
