import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { Agent } from 'undici'
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/call.ts'
import { type Gateway, type InvoiceBody, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

const ALL = ['invoices:write', 'invoices:read', 'fleet:read', 'fleet:write', 'certificates:write']

let gateway: Gateway
let key: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  key = await gateway.createKey({ scopes: ALL })
})

function send(path: string, options: { method?: string; body?: unknown; headers?: Record<string, string> } = {}) {
  return gateway.v1(path, { ...options, headers: { authorization: `Bearer ${key}`, ...options.headers } })
}

/** Every refusal has the one body of the specification, whoever refused. */
function expectRefusal(answer: Answer<InvoiceBody>, status: number, code: string, param: string | null) {
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(answer.body).toEqual({
    error: {
      type: expect.stringMatching(/^[a-z_]+$/),
      code,
      message: expect.stringMatching(/./),
      param,
      upstream: null,
      doc_url: expect.stringMatching(new RegExp(`/docs/errors/${code}$`)),
    },
  })
  expect(answer.status).toBe(status)
  for (const name of ['x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
    expect(answer.headers[name]).toBeDefined()
  }
}

test.each([
  ['an unknown route', '/nowhere', {}, 404, 'path'],
  ['an unknown route below a known one', '/invoices/x/y', {}, 404, 'path'],
  ['a method that is not there', '/invoices', { method: 'DELETE' }, 404, 'path'],
  ['a PUT of a company', `/companies/${OIBS[0]}`, { method: 'PUT', body: {} }, 404, 'path'],
  ['a retrieval by id that is not there', `/devices/${OIBS[0]}`, {}, 404, 'path'],
  ['an address that cannot be decoded', '/invoices/%E0%A4', {}, 400, 'path'],
  ['an id of NUL', '/invoices/%00', {}, 404, 'id'],
  ['an id of 900 characters', `/invoices/${'x'.repeat(900)}`, {}, 404, 'id'],
  ['an id that climbs', '/invoices/..%2f..%2fadmin', {}, 404, 'id'],
])('%s is refused with the body of the specification', async (_what, path, options, status, param) => {
  expectRefusal(await send(path, options), status, 'invalid_request', param)
})

test.each([
  ['XML', 'application/xml', '<sale/>', 'Content-Type'],
  ['a form', 'application/x-www-form-urlencoded', 'name=x', 'Content-Type'],
  ['text', 'text/plain', '{}', 'Content-Type'],
  ['multipart where JSON belongs', 'multipart/form-data; boundary=b', '--b--\r\n', 'Content-Type'],
  ['broken JSON', 'application/json', '{"name":', 'body'],
  ['JSON in UTF-16', 'application/json', Buffer.from('{"name":"x"}', 'utf16le'), 'body'],
  ['nothing', 'application/json', '', 'body'],
])('a body that is %s is refused', async (_what, type, body, param) => {
  const answer = await send('/companies', { method: 'POST', body, headers: { 'content-type': type } })
  expectRefusal(answer, 400, 'invalid_request', param)
})

test.each([
  ['JSON where an upload belongs', 'application/json', '{}', 'Content-Type'],
  ['no body', 'application/octet-stream', '', 'Content-Type'],
  ['multipart without a boundary', 'multipart/form-data', 'x', 'body'],
  [
    'multipart that ends too early',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; na',
    'body',
  ],
  ['multipart without parts', 'multipart/form-data; boundary=b', '--b--\r\n', 'company_id'],
])('an upload that is %s is refused', async (_what, type, body, param) => {
  for (const path of ['/certificates', '/devices/import']) {
    const answer = await send(path, { method: 'POST', body, headers: { 'content-type': type } })
    expectRefusal(answer, 400, 'invalid_request', param)
  }
})

function form(parts: [string, string | Blob, string?][]): FormData {
  const data = new FormData()
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') data.append(name, value)
    else data.append(name, value, filename ?? 'file')
  }
  return data
}

const csv = new Blob(['label,premises_code\n'])

test.each<[string, [string, string | Blob, string?][], string]>([
  ['without company_id', [['file', csv]], 'company_id'],
  ['without file', [['company_id', OIBS[0]]], 'file'],
  [
    'with a company that is no UUID',
    [
      ['company_id', '1'],
      ['file', csv],
    ],
    'company_id',
  ],
  [
    'with a file that is a text',
    [
      ['company_id', OIBS[0]],
      ['file', 'label,premises_code'],
    ],
    'file',
  ],
  [
    'with two files',
    [
      ['file', csv],
      ['file', csv],
    ],
    'file',
  ],
  ['with a file of another name', [['data', csv]], 'data'],
  [
    'with a part nobody knows',
    [
      ['company_id', OIBS[0]],
      ['file', csv],
      ['dryrun', 'true'],
    ],
    'dryrun',
  ],
  [
    'with dry_run=yes',
    [
      ['company_id', '00000000-0000-4000-8000-000000000000'],
      ['file', csv],
      ['dry_run', 'yes'],
    ],
    'dry_run',
  ],
  [
    'with company_id twice',
    [
      ['company_id', OIBS[0]],
      ['company_id', OIBS[0]],
      ['file', csv],
    ],
    'company_id',
  ],
  [
    'with a part called __proto__',
    [
      ['__proto__', 'x'],
      ['file', csv],
    ],
    'body',
  ],
  ['with 20 parts', Array.from({ length: 20 }, (_, i) => [`p${i}`, 'x'] as [string, string]), 'body'],
  [
    'with a part of 20,000 characters',
    [
      ['company_id', 'x'.repeat(20_000)],
      ['file', csv],
    ],
    'company_id',
  ],
])('an import %s is refused by name', async (_what, parts, param) => {
  expectRefusal(await send('/devices/import', { body: form(parts) }), 400, 'invalid_request', param)
})

test('a refused upload does not keep the next sale on its connection waiting', async () => {
  const agent = new Agent({
    connections: 1,
    connect: { ca: readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'), 'utf8') },
  })
  const ask = (path: string, headers: Record<string, string>, body: Buffer | string) =>
    agent.request({ origin: gateway.url, path, method: 'POST', headers, body, headersTimeout: 5000 })
  try {
    const authorization = `Bearer ${key}`
    const part = '--b\r\nContent-Disposition: form-data; name="certificate"; filename="a.p12"\r\n\r\n'
    const upload = Buffer.concat([Buffer.from(part), Buffer.alloc(200_000), Buffer.from('\r\n--b--\r\n')])
    const type = 'multipart/form-data; boundary=b'
    const refused = await ask('/v1/certificates', { authorization, 'content-type': type }, upload)
    expect([refused.statusCode, await refused.body.json()]).toMatchObject([400, { error: { param: 'certificate' } }])
    const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'behind an upload' }
    const sold = await ask('/v1/invoices', headers, JSON.stringify(gateway.sale()))
    expect([sold.statusCode, await sold.body.json()]).toMatchObject([200, { status: 'confirmed' }])
  } finally {
    await agent.destroy()
  }
})

test('an upload that is broken off stores nothing and hurts nobody', async () => {
  const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'))
  await new Promise<void>((resolve) => {
    const outgoing = request(`${gateway.url}/v1/devices/import`, {
      method: 'POST',
      ca,
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': '100000',
      },
    })
    outgoing.on('error', () => resolve())
    outgoing.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nlabel,', () =>
      setTimeout(() => outgoing.destroy(new Error('gone')), 50),
    )
  })
  expect((await gateway.sell()).status).toBe('confirmed')
})

test('__proto__ in a body is a field like any other: unknown where fields are known, kept where they are free', async () => {
  const body = '{"name":"x","oib":"1","__proto__":{"admin":true}}'
  expectRefusal(await send('/companies', { method: 'POST', body }), 400, 'invalid_request', '__proto__')
  const config = '{"__proto__":{"vat":null},"constructor":1,"toString":"x"}'
  const id = await gateway.addDevice({ label: 'proto', isu_number: '700' })
  const patched = await send(`/devices/${id}`, { method: 'PATCH', body: `{"device_config":${config}}` })
  expect(patched.text).toContain(`"device_config":${config}`)
  expect((await gateway.sell({ device_id: id })).status).toBe('confirmed')
})

test('10,000 tax lines are too large for a request, 101 are too many, and 100 are not', async () => {
  const line = { rate: '25.00', base: '2.00', amount: '0.50' }
  const post = (count: number) =>
    send('/invoices', {
      body: gateway.sale({ vat: Array.from({ length: count }, () => line) }),
      headers: { 'idempotency-key': `lines-${count}` },
    })
  expectRefusal(await post(10_000), 413, 'request_too_large', null)
  expectRefusal(await post(101), 400, 'invalid_request', 'vat')
  expect((await post(100)).status).toBe(200)
})

test('an idempotency key has 1 to 255 characters, on every POST', async () => {
  const post = (path: string, length: number) =>
    send(path, { body: { name: 'x', oib: '1' }, headers: { 'idempotency-key': 'k'.repeat(length) } })
  expectRefusal(await post('/companies', 300), 400, 'invalid_request', 'Idempotency-Key')
  expectRefusal(await post('/companies', 0), 400, 'invalid_request', 'Idempotency-Key')
  expectRefusal(await post('/companies', 255), 400, 'hr.invalid_oib', 'oib')
})

test.each([
  ['NUL', 'a\\u0000b'],
  ['half a surrogate pair', 'a\\ud800b'],
  ['half a surrogate pair the other way round', '\\udc00'],
  ['a bell', 'a\\u0007b'],
  ['a non-character', 'a\\uffffb'],
])('%s in a name is refused', async (_what, text) => {
  const company = `{"name":"${text}","oib":"${OIBS[1]}"}`
  expectRefusal(await send('/companies', { method: 'POST', body: company }), 400, 'invalid_request', 'name')
  const device = `{"company_id":"${gateway.companyId}","premises_code":"P1","label":"${text}"}`
  expectRefusal(await send('/devices', { method: 'POST', body: device }), 400, 'invalid_request', 'label')
})

test.each([
  ['faces', '☕👩'],
  ['markup', '<b onload="x">&amp;'],
  ['SQL', "Robert'); DROP TABLE companies;--"],
  ['blanks side by side', 'a  b'],
])('%s in a name come back as they were sent', async (_what, text) => {
  const id = await gateway.addDevice({ label: text })
  const listed = await gateway.admin<{ data: { id: string; label: string }[] }>('/v1/devices?limit=200')
  expect(listed.body.data.find((device) => device.id === id)?.label).toBe(text)
})

test.each([
  ['right-to-left marks', 'Kava \u202e\u200f\u061c d.o.o.'],
  ['a zero-width space', 'Š\u200bank'],
  ['a joiner', '👩\u200d👧'],
  ['a line break', 'a\r\nb'],
  ['a tab', 'a\tb'],
  ['C1', 'a\u009b2Jb'],
  ['a separator of lines', 'a\u2028b'],
  ['nothing but blanks', ' \t '],
  ['a filler that looks blank', '\u3164'],
])('%s in a name is refused, because two names would look alike', async (_what, text) => {
  const device = { company_id: gateway.companyId, premises_code: 'P1', label: text }
  expectRefusal(await send('/devices', { body: device }), 400, 'invalid_request', 'label')
  expectRefusal(await send('/companies', { body: { name: text, oib: OIBS[1] } }), 400, 'invalid_request', 'name')
  const changed = await send(`/devices/${gateway.deviceId}`, { method: 'PATCH', body: { label: text } })
  expectRefusal(changed, 400, 'invalid_request', 'label')
  const key = await gateway.admin('/admin/keys', { body: { mode: 'test', name: text } })
  expect(key).toMatchObject({ status: 400, body: { error: { param: 'name' } } })
})

test('a name is stored without what stands around it, and in composed letters, by which it is compared', async () => {
  const id = await gateway.addDevice({ label: ' Z\u030cuto \r\n', premises_code: 'NFC1' })
  const { body } = await gateway.admin<{ data: { id: string; label: string }[] }>(
    `/admin/devices?ref=${encodeURIComponent('Z\u030cuto')}`,
  )
  expect(body.data).toMatchObject([{ id, label: 'Žuto' }])
  const twin = { company_id: gateway.companyId, premises_code: 'NFC2', label: 'Žuto' }
  const refused = await send('/devices', { body: { ...twin, label: 'Z\u030cuto\t' } })
  expectRefusal(refused, 409, 'invalid_request', 'label')
  const other = await gateway.addDevice({ label: 'other', premises_code: 'NFC2' })
  const renamed = await send(`/devices/${other}`, { method: 'PATCH', body: { label: 'Z\u030cuto' } })
  expectRefusal(renamed, 409, 'invalid_request', 'label')
})

test('what a free object holds comes back as it was sent, half surrogates and all', async () => {
  const config = '{"a":"\\ud800","b":"\\u0000","c":[1e400,-0,1.0,12345678901234567890],"":{"x":null}}'
  const id = await gateway.addDevice()
  const answer = await send(`/devices/${id}`, { method: 'PATCH', body: `{"device_config":${config}}` })
  expect(answer.status).toBe(200)
  expect((answer.body as never as { device_config: object }).device_config).toMatchObject({
    a: '\ud800',
    b: '\u0000',
    '': { x: null },
  })
})

test('a body nested a thousand levels deep is refused', async () => {
  const config = `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`
  const body = `{"name":"x","oib":"${OIBS[1]}","address":${config}}`
  expectRefusal(await send('/companies', { method: 'POST', body }), 400, 'invalid_request', 'body')
})
