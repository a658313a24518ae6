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
import { quickCheck } from '../../src/store/sqlite/quick-check.ts'
import { digestOf, freshSchema, SCHEMA_DIGEST } from '../../src/store/sqlite/schema-check.ts'
import { openStore } from '../../src/store/store.ts'
import { uploadCertificate } from '../support/gateway.ts'
import {
  allRows,
  danglingReferences,
  OLD_SCHEMAS,
  type OldDatabase,
  oldDatabase,
  type Row,
  startOn,
} from '../support/old-database.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'

const MIGRATIONS = join(import.meta.dirname, '../../src/store/sqlite/migrations')
const MINUTE_MS = 60_000

/** They do not count: the files that they name may move. */
const IMPORTS = /^import [^;]*?from '[^']*'\n/gm

/**
 * SHA-256 of every schema change, as it was released. A released one is never edited: databases in the field have it as
 * it was, and the two would differ for ever. Make a new one instead.
 */
const RELEASED: Record<string, string> = {
  '001-initial': 'b029bdbf710fa0d7986297030eb583e691934f524447cf8e8cbd810375b33c6a',
  '002-whole-v1': '92fe38b0d3b62c6308b0a8a244189a2dac6a9c1607d65edc08dfebeaa5313d34',
  '003-trust': 'f6cc33784266933145fb39c93f834c6efcea6e5afccb9893f11ab0f7c699a2a4',
  '004-receipts': 'e972948d1f08f4a7e94d6c54c3da16491a4762b64ebde41565b717f8824b8e8e',
  '005-sync': '66cf1484a03974b1b1f28a2f994bd10336d5d77e54e79af47e78f2fad2aaabb0',
  '006-office': '24e92c91bde52530d3538a760a9f85c923a931009144a426e4cec70dbead6015',
  '007-numbers-ahead': 'dd4a2a81a04e6374e9ced52f2d9801ea515945c9e1587acdad0c7f07662cd748',
  '008-companies-of-tenants': 'e268b2d0a217e990fa10910dbdcd9cc9eabc3e0e42ac1e72d2cc2d917a18fade',
}

test('no schema change that was released is edited', () => {
  const actual = readdirSync(MIGRATIONS).map((file) => [
    file.replace('.ts', ''),
    createHash('sha256')
      .update(readFileSync(join(MIGRATIONS, file), 'utf8').replace(IMPORTS, ''))
      .digest('hex'),
  ])
  // What comes after the last released one may still change.
  const newest = String(Object.keys(RELEASED).at(-1))
  expect(Object.fromEntries(actual.filter(([name = '']) => name <= newest))).toEqual(RELEASED)
})

test('the schema that a start expects is the one that all changes make', async () => {
  expect(SCHEMA_DIGEST).toBe(digestOf(await freshSchema()))
})

test('there is a filled database of every schema that was released', () => {
  expect(OLD_SCHEMAS).toEqual(Object.keys(RELEASED).sort())
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
    expect(danglingReferences(old.path)).toEqual([])
    expect(await store.care.schemaProblems()).toEqual([])
    expect(await store.care.durabilityProblems()).toEqual([])
    expect(await store.care.contradictions()).toEqual({ strays: [], repeated: [], sums: [] })
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
