import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { companyIdOf } from '../../../../src/domain/company-id.ts'
import { LOCAL_GATEWAY } from '../../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../../../src/store/store.ts'
import { enrolment } from '../../../support/enrolments.ts'
import { OIBS } from '../../../support/pki.ts'
import { fleet, withoutLogo } from '../../../support/sync-rows.ts'
import { tempDir } from '../../../support/temp-dir.ts'

const NOW = 1_790_000_000_000

/** Of a gateway that has enrolled. */
async function freshStore() {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  await store.enrolment.put(enrolment())
  expect(await placeAll(store)).toBe(0)
  onTestFinished(() => store.close())
  return { store, path }
}

/** One row of each kind, in the order in which they came. */
async function filled() {
  const { store, path } = await freshStore()
  const rows = fleet()
  const owner = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY }
  const invoice = rows.invoice(1, { status: 'retrying', jir: null, confirmedAt: null })
  const message = rows.message(invoice.id)
  const job = rows.printJob(invoice.id)
  const alert = rows.alert()
  await store.companies.insert({ ...withoutLogo(rows.company), ...owner })
  await store.certificates.insert({ ...rows.certificate, sealedKey: Buffer.from('secret') })
  await store.devices.insert({ ...rows.device, ...owner })
  await store.invoices.insert({ ...invoice, ...owner })
  await store.messages.insert({ ...message, requestXml: '<a/>', responseXml: '<b>č</b>' })
  await store.printJobs.insert(job)
  await store.alerts.raise({ ...alert, tenantId: DEFAULT_TENANT })
  return { store, path, rows, invoice, message, job, alert }
}

/** @returns how many rows were there before the enrolment */
async function placeAll(store: OpenStore): Promise<number> {
  const waiting = await store.outbox.waiting(0)
  while (!(await store.outbox.addOlder(100)));
  return waiting
}

const kindsOf = (entries: { kind: string }[]) => entries.map(({ kind }) => kind)
const readAll = async (store: OpenStore, tenant = DEFAULT_TENANT) =>
  store.outbox.read(await store.outbox.after(0, 100), tenant)

test('every new row of every kind is noted in the transaction that makes it, and read back as it is', async () => {
  const { store, rows, invoice, message, job, alert } = await filled()
  const all = ['company', 'certificate', 'device', 'invoice', 'message', 'print_job', 'alert']
  expect(kindsOf(await store.outbox.after(0, 100))).toEqual(all)
  const records = await readAll(store)
  expect(records.map(({ kind, id, version, row }) => [kind, id, version, row])).toEqual([
    ['company', rows.company.id, 1, rows.company],
    ['certificate', rows.certificate.id, 2, rows.certificate],
    ['device', rows.device.id, 3, rows.device],
    ['invoice', invoice.id, 4, invoice],
    ['message', message.id, 5, { ...message, requestXml: expect.any(Buffer), responseXml: expect.any(Buffer) }],
    ['print_job', `${invoice.id}/0`, 6, job],
    ['alert', alert.id, 7, alert],
  ])
  const [told] = records.flatMap((one) => (one.kind === 'message' ? one.row : []))
  expect(gunzipSync(told?.responseXml ?? '').toString()).toBe('<b>č</b>')
  expect(JSON.stringify(records)).not.toContain('secret')

  await expect(
    store.transaction(async (tx) => {
      await tx.devices.update(rows.device.id, { label: 'never' })
      throw new Error('power cut')
    }),
  ).rejects.toThrow('power cut')
  expect(await store.outbox.last()).toBe(7)
})

test('every change moves its row to the end, once however often it changes', async () => {
  const { store, rows, invoice, alert } = await filled()
  const { jir, confirmedAt, lateDelivery, lastErrorClass, errorCode, errorMessage, deliveryFindings } = invoice
  const progress = { jir, confirmedAt, lateDelivery, lastErrorClass, errorCode, errorMessage, deliveryFindings }
  const changes: [string, () => Promise<unknown>][] = [
    ['company', () => store.companies.update(rows.company.id, { name: 'Kava i čaj d.o.o.' })],
    ['certificate', () => store.certificates.revoke(rows.certificate.id, NOW)],
    ['device', () => store.devices.update(rows.device.id, { lastSeenAt: NOW })],
    ['invoice', () => store.invoices.progress(invoice.id, { ...progress, status: 'failed', attempts: 2 })],
    ['print_job', () => store.printJobs.begin(invoice.id, 0, NOW)],
    ['alert', () => store.alerts.resolve(alert.kind, alert.subject, NOW)],
  ]
  for (const [kind, change] of changes) {
    const before = await store.outbox.last()
    await change()
    const moved = await store.outbox.after(before, 100)
    expect(kindsOf(moved)).toEqual([kind])
    const [record] = await store.outbox.read(moved, DEFAULT_TENANT)
    expect(record?.version).toBe(moved[0]?.position)
  }
  for (let time = 1; time <= 10; time++) await store.devices.update(rows.device.id, { lastSeenAt: NOW + time })
  expect(await store.outbox.waiting(0)).toBe(7)
  const [device] = await store.outbox.read([{ position: 3, kind: 'device', id: rows.device.id }], DEFAULT_TENANT)
  expect(device).toMatchObject({ version: await store.outbox.last(), row: { lastSeenAt: NOW + 10 } })
})

test('a row that changes while rows are read never goes with the version of what it was', async () => {
  const { store, rows } = await filled()
  const [entry] = (await store.outbox.after(0, 100)).filter(({ kind }) => kind === 'device')
  if (!entry) throw new Error('there is a device')
  const versions = new Map<string, number>()
  let changing = true
  const changes = (async () => {
    for (let time = 1; time <= 300; time++) {
      await store.devices.update(rows.device.id, { label: `label ${time}` })
      const [now] = await store.outbox.of([entry])
      versions.set(`label ${time}`, now?.position ?? 0)
    }
    changing = false
  })()
  const seen: { label: string; version: number }[] = []
  while (changing) {
    const [record] = await store.outbox.read([entry], DEFAULT_TENANT)
    if (record?.kind === 'device') seen.push({ label: record.row.label, version: record.version })
  }
  await changes
  expect(new Set(seen.map(({ label }) => label)).size).toBeGreaterThan(20)
  for (const { label, version } of seen) if (versions.has(label)) expect(version).toBe(versions.get(label))
})

test('rows of other tenants, and rows that gateways have told of, are left out', async () => {
  const { store, path } = await filled()
  await store.tenants.insert({ id: 'other', name: 'other', createdAt: 1 })
  const oib = OIBS[1] as string
  const rows = fleet({ oib, isuNumber: '900', label: 'Elsewhere' })
  await store.companies.insert({
    ...withoutLogo(rows.company),
    id: companyIdOf(oib),
    tenantId: 'other',
    gatewayId: LOCAL_GATEWAY,
  })
  expect((await readAll(store)).filter(({ kind }) => kind === 'company')).toHaveLength(1)
  expect(kindsOf(await readAll(store, 'other'))).toEqual(['company'])

  const last = await store.outbox.last()
  const db = new Database(path)
  db.prepare(
    `INSERT INTO alerts (id, tenant_id, kind, subject, detail, raised_at, gateway_id) VALUES (?, ?, 'x', 'y', '{}', 1, 'g')`,
  ).run(randomUUID(), DEFAULT_TENANT)
  db.close()
  expect(await store.outbox.last()).toBe(last)
})

test('rows that are touched go behind all others in their order, and places begin behind one that was named', async () => {
  const { store } = await filled()
  await store.outbox.goBeyond(1000)
  const [first, second] = await store.outbox.after(0, 2)
  if (!first || !second) throw new Error('there are two')
  await store.outbox.touch([second, first, { kind: 'device', id: 'nobody' }])
  const moved = await store.outbox.after(7, 100)
  expect(moved.map(({ position, id }) => [position, id])).toEqual([
    [1001, first.id],
    [1002, second.id],
  ])
  await store.outbox.goBeyond(500)
  expect(await store.outbox.last()).toBe(1002)
  expect(await store.outbox.waiting(7)).toBe(2)
})

test('an outbox that is empty begins behind what it is told', async () => {
  const { store } = await freshStore()
  expect([await store.outbox.last(), await store.outbox.waiting(0)]).toEqual([0, 0])
  await store.outbox.goBeyond(41)
  await store.companies.insert({ ...withoutLogo(fleet().company), tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY })
  expect(await store.outbox.last()).toBe(42)
})

test('an enrolment is kept whole, and what was refused is kept once for each row', async () => {
  const { store } = await freshStore()
  const stored = enrolment({ position: 3, pushed: 4, lastCommand: 5 })
  await store.enrolment.put(stored)
  expect(await store.enrolment.get()).toEqual(stored)
  const sequence = { companyId: 'c', mode: 'test', premisesCode: 'P', year: 2026, register: '' } as const
  const numbers = [{ ...sequence, highest: '7', level: 'P' as const }]
  await store.enrolment.update({ position: 9, numbers })
  await store.enrolment.update({})
  expect(await store.enrolment.get()).toEqual({ ...stored, position: 9, numbers })

  const refusal = { kind: 'device', id: 'd', version: 1, code: 'a', message: 'b', refusedAt: 1 } as const
  await store.enrolment.refusals.put([refusal, { ...refusal, id: 'e' }])
  await store.enrolment.refusals.put([{ ...refusal, code: 'c', refusedAt: 2 }])
  expect(await store.enrolment.refusals.list(10)).toMatchObject([{ id: 'd', code: 'c' }, { id: 'e' }])
  const [first] = await store.enrolment.refusals.page(null, 1)
  expect(first).toMatchObject({ kind: 'device', id: 'd' })
  expect(await store.enrolment.refusals.page(first ?? null, 10)).toMatchObject([{ id: 'e' }])
  await store.enrolment.refusals.remove([{ kind: 'device', id: 'e' }])
  expect(await store.enrolment.refusals.count()).toBe(1)
  await store.enrolment.remove()
  expect([await store.enrolment.get(), await store.enrolment.refusals.count()]).toEqual([undefined, 0])
})

test('a long backlog is counted right, and others have their turn meanwhile', async () => {
  const { store, path } = await freshStore()
  const db = new Database(path)
  const many = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 17500) SELECT'
  db.exec(`INSERT INTO outbox (kind, id) ${many} 'invoice', i FROM n`)
  db.exec(
    `INSERT INTO sync_refusals ${many} CASE i % 2 WHEN 0 THEN 'device' ELSE 'invoice' END, i, 1, 'c', 'm', 1, 1 FROM n`,
  )
  db.close()
  let turns = 0
  let ticking = setImmediate(function tick() {
    turns++
    ticking = setImmediate(tick)
  })
  onTestFinished(() => clearImmediate(ticking))
  expect(await store.outbox.waiting(2500)).toBe(15_000)
  expect(turns).toBeGreaterThanOrEqual(3)
  turns = 0
  expect(await store.enrolment.refusals.count()).toBe(17_500)
  expect(turns).toBeGreaterThanOrEqual(3)
})
