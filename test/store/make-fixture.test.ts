import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { addCompany, type Gateway, startGateway, uploadCertificate } from '../support/gateway.ts'
import { OIBS, pki } from '../support/pki.ts'
import { tempDir } from '../support/temp-dir.ts'

/**
 * Fills a database the way this checkout of fiskd does it and writes it down as a fixture: fixtures/README.md says when
 * and how. It runs on the oldest checkout, too: what a program does not know, it answers with 404.
 */
const OUT = process.env.FISKD_FIXTURE_DIR ?? ''

test.skipIf(OUT === '')('a fixture of this schema is made', { timeout: 300_000 }, async () => {
  const dir = await tempDir()
  const paper = join(dir, 'paper')
  const live = join(dir, 'live.pem')
  writeFileSync(live, pki.bundlePem)
  const gateway = await startGateway({ FISKD_TRUST_LIVE: live })
  const replayed = await fill(gateway, paper)
  const copy = join(dir, 'fiskd.db')
  const database = new Database(join(gateway.dataDir, 'fiskd.db'), { readonly: true })
  await database.backup(copy)
  database.close()
  const vaultKey = readFileSync(join(gateway.dataDir, 'vault.key'), 'base64')
  const facts = { at: Date.now(), key: gateway.key, device: gateway.deviceId, vaultKey, replayed }
  await gateway.stop()
  await restoreOnce(dir, Buffer.from(vaultKey, 'base64'))
  writeDown(copy, paper, facts)
})

function writeDown(path: string, paper: string, facts: object): void {
  const database = new Database(path)
  settle(database)
  connect(database)
  const schema = String(database.prepare('SELECT name FROM kysely_migration ORDER BY name DESC').pluck().get())
  const sql = dump(database).replaceAll(`'${hostname()} `, "'kiosk ").replaceAll(paper, '/dev/usb/lp0')
  database.close()
  writeFileSync(join(OUT, `${schema}.sql.gz`), gzipSync(`-- ${JSON.stringify(facts)}\n${sql}`, { level: 9 }))
}

/** @returns a sale that was answered, to be answered alike for ever */
async function fill(gateway: Gateway, paper: string) {
  const { cis } = gateway
  await fleet(gateway)
  await access(gateway)
  await gateway.admin(`/admin/printers/${gateway.deviceId}`, {
    method: 'PATCH',
    body: { line: 'tcp:127.0.0.1:9', profile: 'epson-tm-t20', expire_after_s: 3600 },
  })
  const said = { sale: gateway.sale({ total: '19.99' }), idempotencyKey: 'replay-me' }
  const { status, text: body } = await gateway.post(said.sale, said.idempotencyKey)
  expect(status).toBe(200)

  await gateway.sell({ number: '41' })
  cis.misbehave('http-503', 'http-503')
  const waited = await gateway.sell({ total: '1.00' })
  await gateway.v1(`/invoices/${waited.id}/retry`, { method: 'POST' })
  cis.misbehave({ error: 's004' })
  await gateway.sell({ total: '4.04' })
  const strange = await gateway.addDevice({ label: 'mismatch', isu_number: '404' })
  cis.misbehave({ error: 's013', codes: [182] })
  await gateway.sell({ device_id: strange })
  for (const total of ['31.00', '7.77']) {
    cis.misbehave('http-503', 'http-503')
    await gateway.sell({ total })
  }
  const till = { sale_type: 'attended', operator_oib: '69435151530', sequence_mark: 'N' }
  const staffed = await gateway.addDevice({ premises_code: 'KASA', label: 'Blagajna žćš 🍫' })
  for (const register_mark of ['1', '2']) await gateway.sell({ ...till, device_id: staffed, register_mark })
  await sellLive(gateway)
  await print(gateway, paper)
  // One that is being sent at the moment of the copy, with its key, and whatever else is under way.
  cis.always('timeout')
  void gateway.post({ total: '5.55' }, 'in-flight').catch(() => {})
  void gateway.sweep().catch(() => {})
  await setTimeout(1000)
  return { ...said, status, body }
}

/** Companies and devices in every state, certificates in use, superseded and revoked. */
async function fleet(gateway: Gateway): Promise<void> {
  const { admin } = gateway
  await uploadCertificate(gateway, gateway.companyId, await pki.issueCompany({ oib: OIBS[0] }), { label: 'second' })
  const idle = await addCompany(gateway, OIBS[2], { name: 'Stara "tvrtka" j.d.o.o.' })
  await admin(`/v1/companies/${idle}`, { method: 'PATCH', body: { status: 'suspended' } })
  const listed = await admin<{ data?: { id: string }[] }>(`/v1/certificates?company_id=${idle}`)
  for (const { id } of listed.body.data ?? []) {
    await admin(`/admin/certificates/${id}/revoke`, { method: 'POST', body: {} })
  }
  await gateway.addDevice({ label: 'without ISU', premises_address: { street: 'Ilica', city: 'Zagreb' } })
  const archived = await gateway.addDevice({ label: 'archived', isu_number: '9' })
  await admin(`/v1/devices/${archived}`, { method: 'PATCH', body: { status: 'archived' } })
}

async function access(gateway: Gateway): Promise<void> {
  const { admin } = gateway
  await gateway.createKey({ name: 'bound', device_id: gateway.deviceId })
  const spare = await admin('/admin/keys', { body: { mode: 'test', name: 'revoked' } })
  await admin(`/admin/keys/${spare.body.id}/revoke`, { body: {} })
  const password = 'a long test password'
  for (const role of ['viewer', 'operator', 'admin']) {
    await admin('/admin/users', { body: { name: `${role}@example.hr`, password, role } })
  }
  await gateway.v1('/../dashboard/session', { body: { name: 'admin@example.hr', password } })
  await admin('/admin/tenants', { body: { name: 'second' } })
}

async function sellLive(gateway: Gateway): Promise<void> {
  const { companyId, key } = gateway
  gateway.companyId = await addCompany(gateway, OIBS[1], { name: 'Uživo d.o.o.', mode: 'live' })
  const device_id = await gateway.addDevice({ label: 'live', premises_code: 'UZIVO', isu_number: '202' })
  gateway.key = await gateway.createKey({ mode: 'live' })
  await gateway.sell({ device_id })
  Object.assign(gateway, { companyId, key })
}

/** On a printer that cannot be asked, and four copies for one that is not there. */
async function print(gateway: Gateway, paper: string): Promise<void> {
  const device_id = await gateway.addDevice({ label: 'paper', premises_code: 'PAPIR', isu_number: '303' })
  const body = { line: `file:${paper}`, profile: 'generic' }
  await gateway.admin(`/admin/printers/${device_id}`, { method: 'PATCH', body })
  await gateway.sell({ device_id })
  const { id } = await gateway.sell({ total: '6.00' })
  for (let copy = 1; copy <= 4; copy++) await gateway.admin(`/admin/invoices/${id}/copies`, { method: 'POST' })
  await setTimeout(3000)
}

/** What a program needs a month or bad luck for, written as it writes it. */
function settle(database: Database.Database): void {
  const [waiting] = database.prepare("SELECT id FROM invoices WHERE status = 'retrying' ORDER BY id").pluck().all()
  database.prepare("UPDATE invoices SET status = 'expired' WHERE id = ?").run(waiting)
  if (!database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'print_jobs'").get()) return
  const end = database.prepare(
    'UPDATE print_jobs SET status = ?, begun_at = created_at, ended_at = created_at + 900 WHERE copy = ?',
  )
  for (const [i, status] of ['printed', 'failed', 'expired'].entries()) end.run(status, i + 1)
  database.prepare("UPDATE print_jobs SET status = 'sending', begun_at = created_at WHERE copy = 4").run()
}

/** What a gateway knows of its server, and a server of its gateways: one database has seldom both. */
function connect(database: Database.Database): void {
  if (!database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sync_enrolment'").get()) return
  const [tenant, gateway, at] = ['default', '3d1c1b54-6f0e-4c39-9d59-0c5f7d0f6b11', 1_780_000_000_000]
  const company = database.prepare('SELECT id FROM companies ORDER BY created_at').pluck().get()
  const rows: Record<string, Record<string, unknown>[]> = {
    alerts: [
      { id: 'alert-open', tenant_id: tenant, kind: 'gateway_silent', subject: gateway, detail: '{}', raised_at: at },
      {
        ...{ id: 'alert-over', tenant_id: tenant, kind: 'gateway_silent', subject: gateway, detail: '{}' },
        ...{ raised_at: at - 9, acknowledged_at: at - 8, acknowledged_by: 'operator', resolved_at: at - 7 },
      },
    ],
    // Of a vault key that is gone: nobody is called by it.
    sync_enrolment: [
      {
        only: 1,
        tenant_id: tenant,
        url: 'https://127.0.0.1:9',
        sealed_credential: Buffer.from('sealed'),
        sealed_key: Buffer.from('sealed'),
        gateway_id: gateway,
        position: 0,
        pushed: 0,
        numbers: '[]',
        last_command: 0,
        enrolled_at: at,
      },
    ],
    sync_refusals: [
      { kind: 'device', id: 'd', version: 7, code: 'premises_owned_by_gateway', message: 'why', refused_at: at },
    ],
    received_commands: [
      { id: 'c1', number: 1, type: 'doctor', received_at: at, status: 'done', result: '{}', told_at: at },
      { id: 'c2', number: 2, type: 'doctor', received_at: at, status: 'begun' },
    ],
    gateways: [
      {
        ...{ id: gateway, tenant_id: tenant, name: 'kiosk-7', created_at: at, credential_hash: 'a'.repeat(64) },
        ...{ public_key: 'MCow', enrolled_at: at, mark: 41, session: 's', last_command: 1, last_seen_at: at },
        heartbeat: '{"version":"1.0.0"}',
      },
      {
        id: 'g2',
        tenant_id: tenant,
        name: 'kiosk-8',
        created_at: at,
        token_hash: 'b'.repeat(64),
        token_expires_at: at,
      },
    ],
    premises_claims: [{ company_id: company, premises_code: 'DALEKO', gateway_id: gateway, claimed_at: at }],
    refused_records: [
      {
        gateway_id: gateway,
        kind: 'invoice',
        id: 'i',
        version: 3,
        code: 'invoice_is_final',
        message: 'why',
        refused_at: at,
      },
    ],
    gateway_commands: [
      {
        ...{ id: 'c1', gateway_id: gateway, number: 1, type: 'support_bundle', body: '{}', issued_by: 'operator' },
        ...{ issued_at: at, expires_at: at + 1, status: 'done', sent_at: at, answered_at: at, result: '{}' },
      },
    ],
    numbers_ahead: [
      {
        ...{ company_id: company, mode: 'live', premises_code: 'DALEKO', year: 2026, register: '' },
        ...{ number: '9'.repeat(20), noted_at: at },
      },
    ],
    mails: [
      {
        ...{ id: 'm1', tenant_id: tenant, recipient: 'ured@example.hr', language: 'hr', subject: 'Račun čeka JIR' },
        ...{ text: 'Pogledajte pregled.', html: '<p>Pogledajte pregled.</p>', created_at: at, status: 'sent' },
        ...{ attempts: 1, next_try_at: at, sent_at: at },
      },
      {
        ...{
          id: 'm2',
          tenant_id: tenant,
          recipient: 'ured@example.hr',
          language: 'en',
          subject: 'Test',
          text: '',
          html: '',
        },
        ...{ created_at: at, status: 'sending', attempts: 2, next_try_at: at, last_error: '421 later' },
      },
    ],
    notices: [{ alert_id: 'alert-open', recipient: 'ured@example.hr', mail_id: 'm1' }],
    command_attachments: [{ command_id: 'c1', name: 'bundle.tar.gz', content: Buffer.from([0x1f, 0x8b]) }],
  }
  for (const [table, all] of Object.entries(rows)) {
    if (!database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table)) continue
    for (const row of all) {
      const columns = Object.keys(row)
      const places = columns.map(() => '?').join(', ')
      database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(Object.values(row))
    }
  }
}

/** A restore leaves numbers that are never given out. */
async function restoreOnce(dir: string, vaultKey: Buffer): Promise<void> {
  const program = new URL('../../src/daemon/backup-restore/restore.ts', import.meta.url)
  if (!existsSync(program)) return
  const { restore } = await import(/* @vite-ignore */ program.href)
  const { readConfig } = await import('../../src/daemon/config.ts')
  writeFileSync(join(dir, 'vault.key'), vaultKey, { mode: 0o600 })
  const file = join(dir, 'fiskd.db')
  const order = { file, stated: [], gap: 10n, forgetKeys: false }
  await restore(readConfig({ FISKD_DATA_DIR: dir }), order, Date.now())
}

/** Tables with their rows, then what watches over rows. */
function dump(database: Database.Database): string {
  const parts = database
    .prepare<[], { type: string; name: string; sql: string }>(
      `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY rowid`,
    )
    .all()
  const tables = parts.filter(({ type }) => type === 'table')
  const rows = tables.flatMap(({ name }) => {
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name)
    const list = columns.map((column) => `quote("${column}")`).join(" || ', ' || ")
    const values = database.prepare(`SELECT ${list} FROM "${name}"`).pluck().all()
    return values.map((row) => `INSERT INTO "${name}" VALUES (${row});`)
  })
  const rules = parts.filter(({ type }) => type !== 'table')
  return [...tables.map(({ sql }) => `${sql};`), ...rows, ...rules.map(({ sql }) => `${sql};`), ''].join('\n')
}
