import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/call.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { processorTime } from '../support/processor-time.ts'
import { enrolGateway, type Speaker } from '../support/sync-gateway.ts'

/** Far less than it takes to unpack or to walk through what these bodies hold. */
const QUICK_MS = 2000

let server: Gateway
let kiosk: Speaker
let command: string
let key: string
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
  kiosk = await enrolGateway(server)
  command = String((await server.admin(`/admin/gateways/${kiosk.id}/commands`, { body: { type: 'doctor' } })).body.id)
  key = await server.createKey({ scopes: ['invoices:write', 'fleet:write'] })
})

type Send = (body: Buffer, headers?: Record<string, string>) => Promise<Answer<unknown>>

const JSON_TYPE = { 'content-type': 'application/json' }
const v1 =
  (path: string, method = 'POST'): Send =>
  (body, headers) => {
    const authorization = `Bearer ${key}`
    return server.v1(path, {
      method,
      body,
      headers: { ...JSON_TYPE, authorization, 'idempotency-key': 'x', ...headers },
    })
  }
const admin =
  (path: string): Send =>
  (body, headers) =>
    server.admin(path, { body, headers: { ...JSON_TYPE, ...headers } })
const sync =
  (path: () => string): Send =>
  (body, headers) =>
    kiosk.ask(path(), body, { headers: { ...JSON_TYPE, 'content-encoding': undefined, ...headers } })

/** Where JSON comes in from elsewhere, with a body around a value that may be anything there. */
type Place = [string, Send, (value: string) => string]

const speakPlain: Place[] = [
  ['a sale', v1('/invoices'), (value) => `{"note":${value}}`],
  ['a company', v1('/companies'), (value) => `{"name":"x","oib":"1","address":${value}}`],
  ['a device', v1(`/devices/${randomUUID()}`, 'PATCH'), (value) => `{"device_config":${value}}`],
  ['a sign-in', v1('/../dashboard/session'), (value) => `{"name":${value}}`],
  ['a key', admin('/admin/keys'), (value) => `{"scopes":${value}}`],
]

const speakGzip: Place[] = [
  ['an enrolment', sync(() => '/enroll'), (value) => `{"premises":${value}}`],
  ['a hello', sync(() => '/hello'), (value) => `{"premises":${value}}`],
  ['a poll', sync(() => '/poll'), (value) => `{"heartbeat":${value}}`],
  [
    'an answer to a command',
    sync(() => `/commands/${command}`),
    (value) => `{"status":"done","result":{"a":${value}}}`,
  ],
  ['a push', sync(() => '/push'), (value) => `{"after":0,"position":1,"records":${value}}`],
]

const places = [...speakPlain, ...speakGzip]

const DEEP = 40_000
const brackets: [string, string][] = [
  ['arrays', '['.repeat(DEEP) + ']'.repeat(DEEP)],
  ['objects', `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`],
]

async function expectRefused(answering: Promise<Answer<unknown>>, statuses: number[]): Promise<void> {
  const spent = processorTime()
  const { status, text } = await answering
  expect(statuses, text).toContain(status)
  expect(spent()).toBeLessThan(QUICK_MS)
}

test.each(places)('%s with brackets in brackets is refused at once', async (_what, send, around) => {
  for (const [, value] of brackets) {
    await expectRefused(send(Buffer.from(value)), [400])
    await expectRefused(send(Buffer.from(around(value))), [400, 413])
  }
  await expectRefused(send(Buffer.from('['.repeat(DEEP))), [400])
})

test('an answer to a command is bounded by levels, and not by where a stack ends', async () => {
  const send = sync(() => `/commands/${command}`)
  const nested = (levels: number) =>
    Buffer.from(`{"status":"done","result":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`)
  await expectRefused(send(nested(33)), [400])
  await expectRefused(send(nested(4000)), [400])
})

const GZIP = { 'content-encoding': 'gzip' }
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))

test.each(places)('%s that would be 64 MB when it is unpacked is refused at once', async (_what, send) => {
  // Where gzip is not spoken, these are bytes that are no JSON.
  await expectRefused(send(BOMB, GZIP), [speakGzip.some(([, one]) => one === send) ? 413 : 400])
})

test('a zipped file is no file of devices and no certificate, whatever it would unpack to', async () => {
  for (const path of ['/v1/devices/import', '/v1/certificates']) {
    const form = new FormData()
    form.set('company_id', server.companyId)
    form.set('passphrase', 'x')
    if (path.endsWith('import')) form.delete('passphrase')
    form.set('file', new Blob([new Uint8Array(BOMB)]), 'a.zip')
    await expectRefused(server.admin(path, { body: form }), [400])
  }
})

test('sales go on afterwards', async () => {
  expect((await server.sell()).status).toBe('confirmed')
})
