import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { addCompany, type Gateway, startGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { startVirtualPrinter } from '../support/printer.ts'
import { entryFor, makeList } from '../support/revocation-lists.ts'

interface Line {
  level: number
  msg: string
  reqId?: string
  passId?: string
  [field: string]: unknown
}

const INFO = 30
const DEBUG = 20

/** A gateway, and what it has written into its log so far. */
async function startLogging(level = 'info') {
  const written: string[] = []
  const gateway = await startGateway({ FISKD_LOG_LEVEL: level }, { write: (line) => void written.push(line) })
  return { gateway, text: () => written.join(''), lines: (): Line[] => written.map((line) => JSON.parse(line)) }
}

const keyless = { authorization: undefined }

/** Makes writes to a table fail, as a full disk does, until the returned function is called. */
function breakWrites(gateway: Gateway, table: string): () => void {
  const database = new Database(join(gateway.dataDir, 'fiskd.db'))
  database.exec(`CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
  return () => {
    database.exec('DROP TRIGGER broken')
    database.close()
  }
}

test('whatever happens, no key, OIB, passphrase, password, token, certificate or XML gets into the log', async () => {
  const { gateway, text, lines } = await startLogging()
  const oib = OIBS[1]
  const secrets = {
    passphrase: 'tajna-lozinka-certifikata',
    password: 'tajna lozinka korisnika',
    key: 'fisk_test_0Wrong0',
  }

  // Setting up, rightly and wrongly.
  await addCompany(gateway, oib, { name: 'Druga d.o.o.' })
  const { p12, passphrase } = await certificateOf(OIBS[2])
  expect((await gateway.admin('/v1/companies', { body: { name: 'X', oib } })).status).toBe(409)
  expect((await gateway.admin('/v1/companies', { body: { name: 'X', oib: '12345678901' } })).status).toBe(400)
  expect((await gateway.admin(`/v1/companies/${oib}`, { method: 'PATCH', body: { name: 'Y' } })).status).toBe(404)
  expect((await gateway.admin(`/admin/devices?ref=${oib}`)).status).toBe(200)
  expect((await uploadCertificate(gateway, gateway.companyId, { p12, ...secrets })).status).toBe(400)
  expect((await uploadCertificate(gateway, gateway.companyId, { p12, passphrase })).status).toBe(400)
  const notACertificate = { p12: Buffer.from(pki.bundlePem), passphrase: secrets.passphrase }
  expect((await uploadCertificate(gateway, gateway.companyId, notACertificate)).status).toBe(400)
  const form = new FormData()
  form.set('company_id', gateway.companyId)
  form.set(
    'file',
    new Blob([`label,premises_code,device_config\na,P1,"{""operator_oib"":""${oib}x""}"\nb,P-1,\n`]),
    oib,
  )
  expect((await gateway.admin('/v1/devices/import', { body: form })).status).toBe(200)
  const bundle = { mode: 'live', for: 'uploads', certificates: Buffer.from(pki.bundlePem).toString('base64') }
  expect((await gateway.admin('/admin/trust', { body: bundle })).status).toBe(200)
  expect((await gateway.admin('/admin/trust', { body: { ...bundle, certificates: 'AAAA' } })).status).toBe(400)

  // Who asks, rightly and wrongly.
  await gateway.admin('/admin/users', { body: { name: 'ana', password: secrets.password, role: 'admin' } })
  const signIn = (password: string) =>
    gateway.v1('/../dashboard/session', { body: { name: 'ana', password }, headers: keyless })
  expect((await signIn(`${secrets.password}!`)).status).toBe(401)
  const signedIn = await signIn(secrets.password)
  const { csrf_token: csrf } = signedIn.body as unknown as { csrf_token: string }
  const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';')
  const asAna = { headers: { ...keyless, cookie, 'x-csrf-token': csrf } }
  expect((await gateway.v1('/companies', { ...asAna, body: { name: 'X', oib } })).status).toBe(409)
  expect((await gateway.v1('/invoices', { headers: { authorization: `Bearer ${secrets.key}` } })).status).toBe(401)
  expect((await gateway.v1('/invoices', { headers: { ...keyless, cookie: `${cookie}x` } })).status).toBe(401)
  expect((await gateway.v1(`/invoices?key=${gateway.key}&oib=${oib}`)).status).toBe(400)
  for (const path of [
    `/invoices/${oib}`,
    `/${oib}/${gateway.key}`,
    `/%zz${oib}`,
    `/invoices/${oib}%ff${gateway.key}`,
  ]) {
    expect([400, 404]).toContain((await gateway.v1(path)).status)
  }

  // Sales, and what the tax authority says about them.
  const attended = { sale_type: 'attended', register_mark: '7', operator_oib: OIBS[2], recipient_oib: oib }
  expect((await gateway.sell(attended)).status).toBe('confirmed')
  expect((await gateway.post({ ...attended, operator_oib: '12345678901' })).status).toBe(400)
  expect((await gateway.post({ total: `${oib}` })).status).toBe(400)
  expect((await gateway.v1('/invoices', { body: `{"oib": "${oib}", <tns:Oib>` })).status).toBe(400)
  gateway.cis.misbehave({ error: 's005', message: `OIB ${OIBS[0]} nije OIB ${oib}` })
  const failed = await gateway.sell()
  for (const misbehaviour of ['tampered', 'soap-fault', 'not-xml'] as const) {
    gateway.cis.misbehave(misbehaviour)
    await gateway.sell()
  }
  await gateway.v1(`/invoices/${failed.id}/retry?include_messages=true`, { method: 'POST' })
  await gateway.cis.goDown()
  await gateway.sell()
  await gateway.sweep()
  await gateway.cis.comeBack()
  expect((await gateway.v1('/invoices?limit=200')).status).toBe(200)
  expect((await gateway.admin('/admin/audit')).text).toContain(oib)
  await gateway.admin('/admin/status')

  // A database that takes no writes.
  for (const [table, work] of [
    ['messages', () => gateway.sweep()],
    ['messages', () => gateway.post()],
    ['invoices', () => gateway.post()],
    ['companies', () => gateway.admin('/v1/companies', { body: { name: 'X', oib: OIBS[2] } })],
    ['audit_log', () => gateway.addDevice()],
    ['sessions', () => signIn(secrets.password)],
  ] as const) {
    const mend = breakWrites(gateway, table)
    await work()
    mend()
  }
  await gateway.sweep()
  await gateway.restart()
  gateway.clock.aheadMs = 40 * 86_400_000
  await gateway.sweep()
  await gateway.stop()

  expect(lines().filter(({ level }) => level > INFO).length).toBeGreaterThan(4)
  expect(lines().length).toBeGreaterThan(40)
  const log = text()
  for (const secret of [...OIBS, '12345678901', gateway.key, passphrase, cookie.split('=')[1] ?? '', csrf]) {
    expect(log).not.toContain(secret)
  }
  for (const secret of Object.values(secrets)) expect(log).not.toContain(secret)
  expect(log).not.toMatch(/fisk_(?:test|live)_|<tns:|<\?xml|<soap|BEGIN CERTIFICATE|MII[A-Za-z0-9+/]{20}|__Host-/)
  expect(log).not.toMatch(/(?<![0-9A-Za-z])\d{11}(?![0-9A-Za-z])/)
}, 60_000)

test('a request is one line, with its id, its route, what came of it and who asked', async () => {
  const { gateway, lines } = await startLogging()
  const about = (id: string) => lines().filter(({ reqId }) => reqId === id)
  const sold = await gateway.sell()
  const headers = { 'x-request-id': 'till 7: 1' }
  expect((await gateway.v1(`/invoices/${sold.id}?include_messages=true`, { headers })).status).toBe(200)
  const { body: keys } = await gateway.admin<{ data: { id: string }[] }>('/admin/keys')
  expect(about('till 7: 1')).toMatchObject([
    {
      level: INFO,
      method: 'GET',
      path: `/v1/invoices/${sold.id}`,
      status: 200,
      ms: expect.any(Number),
      by: keys.data[0]?.id,
      from: '127.0.0.1',
    },
  ])
  for (const [path, expected] of [
    ['/v1/nothing?x=1', { status: 404 }],
    ['/v1/%zz', { status: 400 }],
    ['/v1/invoices/made-up', { status: 404, path: '/v1/invoices/:id' }],
  ] as const) {
    const id = `trying ${path}`
    await gateway.admin(path, { headers: { 'x-request-id': id } })
    expect(about(id)).toMatchObject([{ method: 'GET', ...expected }])
    expect(JSON.stringify({ ...about(id)[0], reqId: '' })).not.toMatch(/nothing|zz|made-up/)
  }
})

test('health checks and scrapes leave a line at the level debug only', async () => {
  const { gateway, lines } = await startLogging('debug')
  for (const path of ['/v1/health', '/v1/health/fiscal', '/metrics', '/v1/countries']) await gateway.admin(path)
  const levels = lines()
    .filter(({ msg }) => msg === 'request')
    .map(({ path, level }) => [path, level])
  expect(levels.slice(-4)).toEqual([
    ['/v1/health', DEBUG],
    ['/v1/health/fiscal', DEBUG],
    ['/metrics', DEBUG],
    ['/v1/countries', INFO],
  ])
})

test('a failure carries the id of the request it happened in, also after its body was read', async () => {
  const { gateway, lines } = await startLogging()
  const mend = breakWrites(gateway, 'messages')
  const headers = { 'idempotency-key': 'k', 'x-request-id': 'the sale' }
  expect((await gateway.v1('/invoices', { body: gateway.sale(), headers })).status).toBe(500)
  mend()
  expect(lines().filter(({ level }) => level > INFO)).toMatchObject([
    { reqId: 'the sale', err: { message: expect.stringContaining('disk full') } },
  ])
})

test('what a use case reports carries the id of its request', async () => {
  const { gateway, lines } = await startLogging()
  const { certDer } = await certificateOf(OIBS[0])
  const list = makeList({ by: pki.toJSON().issuing, entries: [entryFor(certDer, new Date())] })
  const body = { mode: 'test', for: 'uploads', certificates: list.toString('base64') }
  const headers = { 'x-request-id': 'the list' }
  expect((await gateway.admin('/admin/trust', { body, headers })).status).toBe(200)
  expect(lines().filter(({ level }) => level > INFO)).toMatchObject([{ reqId: 'the list', revoked: 1, mode: 'test' }])
})

test('what is found on the way carries the id of the request that found it, and in a sweep that of the pass', async () => {
  const { gateway, lines } = await startLogging()
  await gateway.cis.goDown()
  const [first, second] = [await gateway.sell(), await gateway.sell()]
  const expired = (id: string) => lines().filter(({ invoiceId, level }) => invoiceId === id && level > INFO)
  const restore = hold(gateway, second.id)
  gateway.clock.aheadMs = 31 * 86_400_000
  await gateway.v1(`/invoices/${first.id}`, { headers: { 'x-request-id': 'looking' } })
  expect(expired(first.id)).toMatchObject([{ reqId: 'looking', msg: expect.stringContaining('deadline') }])
  restore()
  await gateway.sweep()
  const [line] = expired(second.id)
  expect(line).toMatchObject({ passId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(line).not.toHaveProperty('reqId')
})

/** Keeps an invoice out of sight of what looks for overdue ones, until the returned function is called. */
function hold(gateway: Gateway, invoiceId: string): () => void {
  const run = (status: string) => {
    const database = new Database(join(gateway.dataDir, 'fiskd.db'))
    database.prepare('UPDATE invoices SET status = ? WHERE id = ?').run(status, invoiceId)
    database.close()
  }
  run('pending')
  return () => run('retrying')
}

test('what the operating system said of a line to a printer that broke is in the log', async () => {
  const { gateway, lines } = await startLogging()
  const printer = await startVirtualPrinter()
  const line = `serial:${printer.path}`
  const deviceId = await gateway.addDevice({ label: 'Lobby', isu_number: '1000' })
  await gateway.admin(`/admin/printers/${deviceId}`, { method: 'PATCH', body: { line, profile: 'epson-tm-t20' } })
  await eventually(() => expect(lines()).toContainEqual(expect.objectContaining({ msg: 'a printer', state: 'ready' })))
  printer.unplug()
  const why = expect.stringMatching(/bad file descriptor|The node is another one now/)
  await eventually(() => expect(lines()).toContainEqual(expect.objectContaining({ msg: 'a line broke', line, why })))
})

test('a caller that goes away before the answer is told apart', async () => {
  const { gateway, lines } = await startLogging()
  gateway.cis.misbehave({ delayMs: 300 })
  const headers = {
    authorization: `Bearer ${gateway.key}`,
    'content-type': 'application/json',
    'idempotency-key': 'gone',
    'x-request-id': 'gone',
  }
  const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'))
  const wire = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  const createConnection = () => connectTls({ socket: wire, ca, servername: 'localhost' })
  const sale = request(`${gateway.url}/v1/invoices`, { method: 'POST', headers, createConnection })
  sale.on('error', () => undefined).end(JSON.stringify(gateway.sale()))
  while (gateway.cis.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  // Who only closes its sending side may still wait for the answer.
  wire.resetAndDestroy()
  const seen = () => lines().filter(({ reqId, msg }) => reqId === 'gone' && msg === 'request')
  while (seen().length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(seen()).toMatchObject([{ method: 'POST', path: '/v1/invoices', cut: true }])
  const { body } = await gateway.v1('/invoices')
  expect(body).toMatchObject({ data: [{ number: '1' }] })
})
