import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../support/call.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { fill, listenToRoutes, nameOf, type Route } from '../support/routes.ts'

const routes = listenToRoutes()
let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const refused = (param: string, message: unknown = expect.any(String)) => ({
  status: 400,
  body: { error: { code: 'invalid_request', param, message } },
})
const csv = () => {
  const form = new FormData()
  form.set('file', new Blob(['label,premises_code\nfrom a file,FILE\n']), 'devices.csv')
  form.set('company_id', gateway.companyId)
  return form
}
const sales = async () => (await gateway.admin<{ data: unknown[] }>('/v1/invoices?limit=200')).body.data.length

test('a dry run that is asked for in the address is refused, and imports nothing', async () => {
  const before = await gateway.admin('/v1/devices')
  const asked = await gateway.admin('/v1/devices/import?dry_run=true', { body: csv() })
  expect(asked).toMatchObject(refused('dry_run', 'there is no parameter dry_run'))
  expect((await gateway.admin('/v1/devices')).text).toBe(before.text)
})

test('no route takes a parameter that it does not know, but the health routes, to which probes add their own', async () => {
  const isApi = ({ method, url }: Route) => /^\/(v1|admin)\//.test(url) && !['HEAD', 'OPTIONS'].includes(method)
  const wrong: string[] = []
  for (const route of [...routes.outside(), ...routes.admin()].filter(isApi)) {
    const path = `${fill(route, { id: gateway.deviceId, code: 'HR' })}?surprise=1`
    // A route that needs a body is refused for want of it, or of a right one, before.
    const { status, text } = await gateway.admin(path, { method: route.method })
    const isOpen = route.url.startsWith('/v1/health')
    const isRefused = route.method === 'GET' ? status === 400 : status >= 400
    if (isOpen ? status !== 200 : !isRefused) wrong.push(`${nameOf(route)}: ${status} ${text.slice(0, 100)}`)
  }
  expect(wrong).toEqual([])
  const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'), 'utf8')
  expect(await call({ base: gateway.url, ca }, { path: '/ca.pem?surprise=1' })).toMatchObject(refused('surprise'))
})

test('a sale with an unknown parameter is no sale; with the wrong device it is refused for that first', async () => {
  const before = await sales()
  const sale = { body: gateway.sale(), headers: { 'idempotency-key': 'a parameter' } }
  expect(await gateway.v1('/invoices?include_message=true', sale)).toMatchObject(refused('include_message'))
  expect(await sales()).toBe(before)
  expect(await gateway.v1('/invoices?include_messages=true', sale)).toMatchObject({ status: 200 })
})

test.each([
  ['a CSV file as the body of an import', '/v1/devices/import', 'text/csv', 'send multipart/form-data, with the file'],
  [
    'JSON as the body of an import',
    '/v1/devices/import',
    'application/json',
    'send multipart/form-data, with the file',
  ],
  ['a certificate as a body', '/v1/certificates', 'application/x-pkcs12', 'send multipart/form-data, with the file'],
  ['a form as a sale', '/v1/invoices', 'application/x-www-form-urlencoded', 'send application/json'],
  ['text as a device', '/v1/devices', 'text/plain', 'send application/json'],
  ['an upload as a device', '/v1/devices', 'multipart/form-data; boundary=x', 'send application/json'],
  ['text for a retry', '/v1/invoices/inv_x/retry', 'text/plain', 'send no body and no Content-Type'],
])('%s gets one advice, which is right', async (_what, path, type, advice) => {
  const sent = { body: '{"a": tru', headers: { 'content-type': type, 'idempotency-key': path } }
  expect(await gateway.admin(path, sent)).toMatchObject(refused('Content-Type', expect.stringContaining(advice)))
})

test('a compressed body is named as such, whether its header says so or not', async () => {
  const before = await sales()
  const body = gzipSync(JSON.stringify(gateway.sale()))
  for (const encoding of ['gzip', 'br', 'identity, gzip'])
    expect(
      await gateway.v1('/invoices', { body, headers: { 'idempotency-key': encoding, 'content-encoding': encoding } }),
    ).toMatchObject(refused('Content-Encoding', expect.stringContaining('compressed')))
  const silent = await gateway.v1('/invoices', { body, headers: { 'idempotency-key': 'silent' } })
  expect(silent).toMatchObject(refused('body', 'the body is compressed: send it as it is'))
  const upload = { body: csv(), headers: { 'content-encoding': 'deflate' } }
  expect(await gateway.admin('/v1/devices/import', upload)).toMatchObject(refused('Content-Encoding'))
  expect(await sales()).toBe(before)
  const plain = { body: gateway.sale(), headers: { 'idempotency-key': 'plain', 'content-encoding': 'identity' } }
  expect(await gateway.v1('/invoices', plain)).toMatchObject({ status: 200 })
})

test.each([
  ['total', (sale: string) => sale.replace('{', '{"total":"1.00",')],
  ['total', (sale: string) => sale.replace('{', '{"tot\\u0061l":"1.00",')],
  [
    'items[0].amount',
    (sale: string) =>
      `${sale.slice(0, -1)},"items":[{"name":"a","quantity":"1","unit_price":"2.50","amount":"1.00","amount":"2.50"}]}`,
  ],
  [
    'fees[0].amount',
    (sale: string) => `${sale.slice(0, -1)},"fees":[{"name":"a","amount":"9.00","\\u0061mount":"0.10"}]}`,
  ],
  ['fees[0].a.b', (sale: string) => `${sale.slice(0, -1)},"fees":[{"a":{"b":[],"c":"}\\"{,:","b":1}}]}`],
  ['__proto__', (sale: string) => `${sale.slice(0, -1)},"__proto__":1,"__proto__":1}`],
])('a sale that says %s twice is refused with the path of the name', async (param, change) => {
  const before = await sales()
  const body = change(JSON.stringify(gateway.sale()))
  const answer = await gateway.v1('/invoices', { body, headers: { 'idempotency-key': randomUUID() } })
  expect(answer).toMatchObject(refused(param, expect.stringContaining('twice')))
  expect(await sales()).toBe(before)
})

test('a name may stand in two objects, and in texts; a configuration that says something twice is refused, in a file, too', async () => {
  const once = '{"label":"once","device_config":{"a":{"x":":","y":"\\"a\\":"},"b":{"x":1},"c":[{"x":1},{"x":1}]}}'
  const path = `/v1/devices/${await gateway.addDevice()}`
  expect((await gateway.admin(path, { method: 'PATCH', body: once })).status).toBe(200)
  const twice = '{"device_config":{"vat":null,"vat":[]}}'
  expect(await gateway.admin(path, { method: 'PATCH', body: twice })).toMatchObject(refused('device_config.vat'))
  const form = csv()
  const cell = '"{""vat"":[],""vat"":null}"'
  form.set('file', new Blob([`label,premises_code,device_config\ntwice,TWICE,${cell}\n`]), 'devices.csv')
  expect((await gateway.admin('/v1/devices/import', { body: form })).body).toMatchObject({
    ...{ created: 0, failed: 1, errors: [{ row: 2, param: 'device_config.vat' }] },
  })
})

test('a page of another origin is told that it may not ask, and no answer lets it', async () => {
  const origin = { origin: 'https://kiosk.example' }
  const preflight = { ...origin, 'access-control-request-method': 'POST' }
  const asked = await gateway.v1('/invoices', { method: 'OPTIONS', headers: preflight })
  expect(asked).toMatchObject({ status: 404, body: { error: { message: expect.stringContaining('CORS is off') } } })
  const sold = await gateway.v1('/invoices', {
    body: gateway.sale(),
    headers: { ...origin, 'idempotency-key': 'cors' },
  })
  for (const { headers } of [asked, sold])
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
})
