import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, call } from '../../support/call.ts'
import { type DaemonProcess, runDaemon } from '../../support/daemon-process.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, type InvoiceBody, startSharedGateway } from '../../support/gateway.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

const PASSWORD = 'tajna lozinka šđž'

let house: Gateway
let url: string
/** Two processes behind a balancer: a data directory each, one vault key, one CA and one database. */
let servers: DaemonProcess[]
/** Their admin sockets. */
const sockets: string[] = []

async function startServer(): Promise<DaemonProcess> {
  const dataDir = await makeTempDir(atTheEndOfFile)
  sockets.push(join(dataDir, 'fiskd.sock'))
  const database = { FISKD_ROLE: 'server', FISKD_DATABASE_URL: url, FISKD_SWEEP_INTERVAL_S: '1' }
  const env = { ...database, FISKD_DATA_DIR: dataDir, FISKD_SHARED_DIR: house.dataDir }
  return runDaemon(house, atTheEndOfFile, { env })
}

function post(server: DaemonProcess, key: string, sale: object): Promise<Answer<InvoiceBody>> {
  const headers = { authorization: `Bearer ${house.key}`, 'idempotency-key': key }
  return call({ base: server.url, ca: server.ca }, { path: '/v1/invoices', body: sale, headers })
}

function ask(server: DaemonProcess, path: string, headers: Record<string, string> = {}) {
  const authorization = `Bearer ${house.key}`
  return call<InvoiceBody>({ base: server.url, ca: server.ca }, { path, headers: { authorization, ...headers } })
}

/** On a busy machine an attempt may end before its answer comes: the next one asks again. Only one is ever answered. */
const answered = (id: string | undefined) =>
  query(url, `SELECT id FROM messages WHERE invoice_id = '${id}' AND http_status = 200`)

const one = () => servers[0] as DaemonProcess
const other = () => servers[1] as DaemonProcess

describe.skipIf(skipWithoutPostgres)('two processes on one database', () => {
  beforeAll(async () => {
    url = await postgresDatabase({ empty: true, atTheEnd: atTheEndOfFile })
    house = await startSharedGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: url })
    await house.admin('/admin/users', { body: { name: 'a@example.hr', role: 'viewer', password: PASSWORD } })
    servers = [await startServer(), await startServer()]
  })

  test('give 200 sales of one premises the numbers from 1 to 200', async () => {
    const device = await query<{ id: string }>(url, 'SELECT id FROM devices')
    const sales = Array.from({ length: 200 }, (_, i) => i)
    const answers = await Promise.all(
      sales.map((i) => {
        const server = servers[Math.random() < 0.5 ? 0 : 1] as DaemonProcess
        return post(server, `sale-${i}`, house.sale({ device_id: device[0]?.id }))
      }),
    )
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
    const numbers = answers.map(({ body }) => Number(body.number)).sort((a, b) => a - b)
    expect(numbers).toEqual(sales.map((i) => i + 1))
    const sealed = await query<{ position: number }>(
      url,
      'SELECT journal_position AS position FROM invoices ORDER BY journal_position',
    )
    expect(sealed.map(({ position }) => Number(position))).toEqual(numbers)
  })

  test('make one invoice of a key that is posted at both at once, and answer the same bytes', async () => {
    for (let i = 0; i < 10; i++) {
      const sale = house.sale()
      const answers = await Promise.all(
        [one(), other(), one(), other()].map((server) => post(server, `both-${i}`, sale)),
      )
      expect(new Set(answers.map(({ text }) => text)).size, answers.map(({ text }) => text).join('\n')).toBe(1)
      await expect.poll(async () => (await answered(answers[0]?.body.id)).length).toBe(1)
    }
  })

  test('send what waits once, both at the same time', async () => {
    await house.cis.goDown()
    const sold = await Promise.all(
      Array.from({ length: 12 }, (_, i) => post(servers[i % 2] as DaemonProcess, `down-${i}`, house.sale())),
    )
    expect(new Set(sold.map(({ body }) => body.status))).toEqual(new Set(['retrying']))
    await house.cis.comeBack()
    const waiting = () => query(url, `SELECT id FROM invoices WHERE status <> 'confirmed'`)
    await expect.poll(async () => (await waiting()).length).toBe(0)
    for (const { body } of sold) expect(await answered(body.id)).toHaveLength(1)
  })

  test('know who signed in at the other, and that a key was revoked there at once', async () => {
    const session = { path: '/dashboard/session', body: { name: 'a@example.hr', password: PASSWORD } }
    const signed = await call<never>({ base: one().url, ca: one().ca }, session)
    expect(signed.status).toBe(201)
    const cookie = String(signed.headers['set-cookie']).split(';')[0] ?? ''
    const list = { base: other().url, ca: other().ca }
    expect(await call(list, { path: '/v1/invoices?limit=1', headers: { cookie } })).toMatchObject({ status: 200 })

    const admin = <T>(path: string, options = {}) => call<T>({ socketPath: sockets[0] ?? '' }, { path, ...options })
    const made = await admin<{ id: string; key: string }>('/admin/keys', { body: { mode: 'test' } })
    const authorization = `Bearer ${made.body.key}`
    const listed = () => ask(other(), '/v1/invoices?limit=1', { authorization })
    expect((await listed()).status).toBe(200)
    await admin(`/admin/keys/${made.body.id}/revoke`, { method: 'POST' })
    expect((await listed()).status).toBe(401)
  })

  test('the one takes up what the other was sending when it was killed', async () => {
    house.cis.misbehave('timeout')
    const sale = house.sale()
    const cut = post(one(), 'killed', sale).catch(() => undefined)
    const pending = () => query<{ number: string; zki: string }>(url, `SELECT * FROM invoices WHERE status = 'pending'`)
    await expect.poll(async () => (await pending()).length).toBe(1)
    const [begun] = await pending()
    // While its process lives nobody else touches it.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await pending()).toHaveLength(1)
    one().signal('SIGKILL')
    await cut
    const taken = () => post(other(), 'killed', sale)
    await expect.poll(async () => (await taken()).body.status).not.toBe('pending')
    const id = (await taken()).body.id
    const confirmed = async () => (await ask(other(), `/v1/invoices/${id}`)).body
    // Nobody takes over from a process that may only be slow.
    await expect.poll(async () => (await confirmed()).status).toBe('confirmed')
    expect(await confirmed()).toMatchObject({ zki: begun?.zki, number: begun?.number, late_delivery: true })
    expect(await query(url, `SELECT id FROM invoices WHERE number = $1`, [begun?.number])).toHaveLength(1)
  })

  test('a process all of whose connections break goes on, and keeps what it holds', async () => {
    servers[0] = await startServer()
    house.cis.misbehave('slow')
    const sent = house.cis.received.length
    const sale = house.sale()
    const selling = post(one(), 'cut', sale)
    const pending = () => query(url, `SELECT id FROM invoices WHERE status = 'pending'`)
    await expect.poll(async () => (await pending()).length).toBe(1)
    const processes = () => query<{ id: number }>(url, 'SELECT id FROM processes ORDER BY id')
    const before = await processes()
    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'fiskd'`,
    )
    expect((await selling).body.status).toBe('confirmed')
    expect(house.cis.received).toHaveLength(sent + 1)
    for (const server of servers) expect((await post(server, `after-${server.url}`, house.sale())).status).toBe(200)
    expect(await processes()).toEqual(before)
  })
})
