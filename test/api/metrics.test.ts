import { networkInterfaces } from 'node:os'
import type { FastifyRequest } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { isLocal } from '../../src/api/metrics/metrics-route.ts'
import { legalDeadlineOf } from '../../src/domain/working-days.ts'
import { call } from '../support/call.ts'
import { blockWrites } from '../support/database.ts'
import { type Gateway, startGateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

const HOUR_MS = 3_600_000

/** An address of this machine that others can reach, if it has one. */
const lanAddress = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

/** What a monitoring system reads: the value of every series. */
async function scrape(gateway: Gateway): Promise<Map<string, number>> {
  const { status, headers, text } = await gateway.admin('/metrics')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(series.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

const named = (series: Map<string, number>, name: string) =>
  Object.fromEntries([...series].filter(([key]) => key.startsWith(name)).map(([key, value]) => [key, value]))

const keyless = { headers: { authorization: undefined } }

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

test('it needs no key, on the admin socket and from this very machine', async () => {
  const overTls = await gateway.v1('/../metrics', keyless)
  expect(overTls.status).toBe(200)
  expect(overTls.text).toContain('\nfiskd_up 1\n')
  expect((await scrape(gateway)).get('fiskd_up')).toBe(1)
})

test('it tells which program this is, what the process uses and how much room the disk has', async () => {
  const series = await scrape(gateway)
  const { version } = (await gateway.v1('/health', keyless)).body as unknown as { version: string }
  expect(series.get(`fiskd_info{version="${version}",role="gateway"}`)).toBe(1)
  expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(series.get('process_start_time_seconds')).toBeGreaterThan(1e9)
  expect(series.get('fiskd_disk_free_bytes')).toBeGreaterThan(1_000_000)
})

test('what the authority will find in sales is counted by its code, once the sale has its JIR', async () => {
  const own = await startGateway()
  const count = async () => (await scrape(own)).get('fiskd_findings_total{code="v166"}')
  expect(await count()).toBe(0)
  await own.cis.goDown()
  const waiting = await own.sell({ total: '2.60', vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }] })
  expect(await count()).toBe(0)
  await own.cis.comeBack()
  await own.v1(`/invoices/${waiting.id}/retry`, { method: 'POST' })
  expect(await count()).toBe(1)
  await own.sell({ vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }] })
  expect(await count()).toBe(1)
})

test('every series has a help text and a type, and the names are unique', async () => {
  const { text } = await gateway.admin('/metrics')
  const names = [...text.matchAll(/^# HELP (\S+) \S.*$/gm)].map((match) => match[1])
  expect(names).toEqual([...text.matchAll(/^# TYPE (\S+) (?:counter|gauge|histogram)$/gm)].map((match) => match[1]))
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => name?.startsWith('fiskd_')).length).toBeGreaterThan(12)
})

test('certificates are told by the id of their company, never by OIB or name', async () => {
  const { text } = await gateway.admin('/metrics')
  const seconds = (await scrape(gateway)).get(`fiskd_certificate_seconds{company="${gateway.companyId}"}`)
  const { body } = await gateway.admin<{ data: { days_until_expiry: number }[] }>('/v1/certificates')
  expect(Math.floor(Number(seconds) / 86_400)).toBe(body.data[0]?.days_until_expiry)
  for (const secret of [...OIBS, 'Samoposluga', '"machine"', gateway.key]) expect(text).not.toContain(secret)
})

test('it is no part of the documents of /v1', async () => {
  const document = await gateway.v1('/../docs/openapi.json', keyless)
  expect(document.status).toBe(200)
  expect(document.text).not.toContain('metrics')
})

test('what waits shows by status, with the age of the oldest and the hours that are left', async () => {
  const own = await startGateway()
  const empty = await scrape(own)
  expect(named(empty, 'fiskd_invoices')).toEqual({
    'fiskd_invoices{status="pending"}': 0,
    'fiskd_invoices{status="retrying"}': 0,
    'fiskd_invoices{status="failed"}': 0,
    'fiskd_invoices{status="expired"}': 0,
  })
  expect(empty.get('fiskd_oldest_invoice_age_seconds')).toBe(0)
  expect(named(empty, 'fiskd_deadline_seconds')).toEqual({})

  own.cis.misbehave({ error: 's001' })
  expect((await own.sell()).status).toBe('failed')
  await own.cis.goDown()
  const occurredAt = Date.now() - 100 * HOUR_MS
  await own.sell({ occurred_at: new Date(occurredAt).toISOString() })
  await own.sell()

  const waiting = await scrape(own)
  expect(waiting.get('fiskd_invoices{status="retrying"}')).toBe(2)
  expect(waiting.get('fiskd_invoices{status="failed"}')).toBe(1)
  expect(Math.abs((waiting.get('fiskd_oldest_invoice_age_seconds') ?? 0) - 360_000)).toBeLessThan(60)
  expect(waiting.get('fiskd_deadline_seconds{clock="technical"}')).toBeCloseTo((720 - 100) * 3600, -2)
  const legal = (legalDeadlineOf(occurredAt) - Date.now()) / 1000
  expect(waiting.get('fiskd_deadline_seconds{clock="legal"}')).toBeCloseTo(legal, -2)

  own.clock.aheadMs = 621 * HOUR_MS
  await own.cis.comeBack()
  await own.sweep()
  const swept = await scrape(own)
  expect(swept.get('fiskd_invoices{status="expired"}')).toBe(1)
  expect(swept.get('fiskd_invoices{status="retrying"}')).toBe(0)
  // Only the failed one still waits: what has expired has no deadline any more.
  expect(swept.get('fiskd_deadline_seconds{clock="technical"}')).toBeCloseTo((720 - 621) * 3600, -3)
  expect(swept.get('fiskd_deadline_seconds{clock="legal"}')).toBeLessThan(0)
})

test('devices are counted by whether they can sell, and the database says how long it took', async () => {
  const own = await startGateway()
  const devices = async () => named(await scrape(own), 'fiskd_devices')
  expect(await devices()).toEqual({ 'fiskd_devices{can_sell="yes"}': 1, 'fiskd_devices{can_sell="no"}': 0 })
  await own.addDevice({ label: 'without an ISU number' })
  expect(await devices()).toEqual({ 'fiskd_devices{can_sell="yes"}': 1, 'fiskd_devices{can_sell="no"}': 1 })
  const took = (await scrape(own)).get('fiskd_database_duration_seconds')
  expect(took).toBeGreaterThan(0)
  expect(took).toBeLessThan(10)
})

test('messages are counted by what came of them, and each one is timed', async () => {
  const own = await startGateway()
  const results = async () => named(await scrape(own), 'fiskd_messages_total{mode="test"')
  expect(Object.values(await results())).toEqual([0, 0, 0, 0])
  await own.sell()
  for (const code of ['s001', 's002']) {
    own.cis.misbehave({ error: code })
    await own.sell()
  }
  await own.cis.goDown()
  await own.sell()
  expect(await results()).toEqual({
    'fiskd_messages_total{mode="test",result="confirmed"}': 1,
    'fiskd_messages_total{mode="test",result="transient"}': 2,
    'fiskd_messages_total{mode="test",result="validation"}': 1,
    'fiskd_messages_total{mode="test",result="certificate"}': 1,
  })
  const series = await scrape(own)
  expect(series.get('fiskd_exchange_duration_seconds_count{mode="test"}')).toBe(5)
  expect(series.get('fiskd_exchange_duration_seconds_bucket{le="+Inf",mode="test"}')).toBe(5)
  expect(series.get('fiskd_exchange_duration_seconds_count{mode="live"}')).toBe(0)
})

test('a clock that is wrong shows, with how far it is off', async () => {
  const own = await startGateway()
  const clock = async () => {
    const series = await scrape(own)
    return ['ok', 'synchronised', 'offset_seconds'].map((name) => series.get(`fiskd_clock_${name}`))
  }
  expect(await clock()).toEqual([1, 1, expect.closeTo(0, 1)])
  own.clock.synchronised = null
  own.clock.setMs = -HOUR_MS
  await own.checkClock()
  const [ok, synchronised, offset] = await clock()
  expect([ok, synchronised]).toEqual([0, undefined])
  expect(offset).toBeCloseTo(-3600, 0)
})

test('passes of the sweep are counted, and it shows when the last one ended', async () => {
  const own = await startGateway()
  await own.sweep()
  const before = (await scrape(own)).get('fiskd_sweep_passes_total') ?? 0
  await own.sweep()
  const series = await scrape(own)
  expect(series.get('fiskd_sweep_passes_total')).toBe(before + 1)
  expect(Math.abs((series.get('fiskd_sweep_last_end_timestamp_seconds') ?? 0) - Date.now() / 1000)).toBeLessThan(60)
})

test('two daemons in one process count apart', async () => {
  const [one, other] = [await startGateway(), await startGateway()]
  await one.sell()
  const confirmed = 'fiskd_messages_total{mode="test",result="confirmed"}'
  expect((await scrape(one)).get(confirmed)).toBe(1)
  expect((await scrape(other)).get(confirmed)).toBe(0)
})

test('while the database takes no writes a scrape says so, and tells what else it knows', async () => {
  const own = await startGateway()
  expect((await scrape(own)).get('fiskd_invoices{status="retrying"}')).toBe(0)
  const mend = await blockWrites(own)
  expect((await own.post()).status).toBe(500)
  const broken = await scrape(own)
  expect(broken.get('fiskd_up')).toBe(0)
  expect(named(broken, 'fiskd_invoices')).toEqual({})
  expect(broken.has('fiskd_oldest_invoice_age_seconds')).toBe(false)
  expect(named(broken, 'fiskd_certificate_seconds')).toEqual({})
  expect(broken.get('fiskd_disk_free_bytes')).toBeGreaterThan(0)
  await mend()
  await expect.poll(async () => (await scrape(own)).get('fiskd_up')).toBe(1)
  const mended = await scrape(own)
  expect(mended.get('fiskd_invoices{status="retrying"}')).toBe(0)
})

test('scrapes at the same time all see everything', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => scrape(gateway)))
  for (const series of answers) {
    expect(series.get('fiskd_up')).toBe(1)
    expect(series.has(`fiskd_certificate_seconds{company="${gateway.companyId}"}`)).toBe(true)
  }
})

test.skipIf(!lanAddress)('to other machines it does not exist, whatever their headers say', async () => {
  const own = await startGateway({ FISKD_LISTEN: `${lanAddress}:0` })
  for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', host: 'localhost' }]) {
    const ask = async (path: string) => {
      const { status, body } = await own.v1(`/..${path}`, { headers: { authorization: undefined, ...headers } })
      return { status, error: { ...body.error, message: body.error.message.replaceAll(path, '') } }
    }
    const refused = await ask('/metrics')
    expect(refused).toMatchObject({ status: 404, error: { code: 'invalid_request', param: 'path' } })
    expect(refused).toEqual(await ask('/nothing'))
  }
  const socket = await call({ socketPath: own.socketPath }, { path: '/metrics' })
  expect(socket.status).toBe(200)
})

test.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['192.168.1.20', false],
  ['::ffff:192.168.1.20', false],
  ['10.0.0.1', false],
  ['::', false],
  ['fe80::1', false],
  ['2001:db8::7f00:1', false],
  [undefined, false],
])('a connection from %s is of this machine: %s', (remoteAddress, local) => {
  expect(isLocal({ socket: { remoteAddress } } as FastifyRequest)).toBe(local)
})
