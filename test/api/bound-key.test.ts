import { beforeAll, expect, test } from 'vitest'
import type { Call } from '../support/call.ts'
import { addCompany, type Gateway, type InvoiceBody, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

/** All that a key of one device can be given. */
const ALL = ['invoices:write', 'invoices:read', 'fleet:read']

let gateway: Gateway
let bound: string
let own: string
/** Of another company of the same tenant. */
let foreign: { company: string; device: string; sold: InvoiceBody }

beforeAll(async () => {
  gateway = await startSharedGateway()
  const company = await addCompany(gateway, OIBS[1])
  const device = await gateway.addDevice({ company_id: company, premises_code: 'FOREIGN', isu_number: '5' })
  foreign = { company, device, sold: (await gateway.post({ device_id: device }, 'of the other')).body }
  own = await gateway.addDevice({ isu_number: '77' })
  bound = await gateway.createKey({ device_id: own, scopes: ALL })
})

const ask = (path: string, { headers, ...options }: Omit<Call, 'path'> = {}) =>
  gateway.v1(path, { ...options, headers: { authorization: `Bearer ${bound}`, ...headers } })

const sell = (sale: object, key: string) =>
  ask('/invoices', { body: gateway.sale(sale), headers: { 'idempotency-key': key } })

const form = () => {
  const data = new FormData()
  data.set('company_id', foreign.company)
  data.set('file', new Blob(['label,premises_code\nx,P1\n']), 'a.csv')
  return data
}

test.each([
  ['a sale for it', () => sell({ device_id: foreign.device }, 'new'), 403],
  ['its sale again, by the same idempotency key', () => sell({ device_id: foreign.device }, 'of the other'), 403],
  ['its sale', () => ask(`/invoices/${foreign.sold.id}?include_messages=true`), 404],
  ['its sale sent again', () => ask(`/invoices/${foreign.sold.id}/retry`, { method: 'POST' }), 404],
  ['a change of it', () => ask(`/devices/${foreign.device}`, { method: 'PATCH', body: { status: 'suspended' } }), 403],
  [
    'a change of its company',
    () => ask(`/companies/${foreign.company}`, { method: 'PATCH', body: { name: 'x' } }),
    403,
  ],
  [
    'one more device',
    () => ask('/devices', { body: { company_id: foreign.company, premises_code: 'P', label: 'x' } }),
    403,
  ],
  ['one more company', () => ask('/companies', { body: { name: 'x', oib: OIBS[2] } }), 403],
  ['an import for its company', () => ask('/devices/import', { body: form() }), 403],
  ['a certificate for its company', () => ask('/certificates', { body: form() }), 403],
  ['a page of the dashboard', () => ask('/../dashboard/companies'), 303],
  ['a key of its own making', () => ask('/../admin/keys', { body: { mode: 'test' } }), 404],
])('a key bound to another device is refused %s', async (_what, attempt, status) => {
  expect((await attempt()).status).toBe(status)
  expect(await gateway.invoice(foreign.sold.id)).toMatchObject({ status: 'confirmed', attempts: 1 })
})

test.each([
  '/invoices',
  '/invoices?device_id=%device',
  '/invoices?company_id=%company',
  '/invoices?premises_code=FOREIGN',
  '/devices',
  '/devices?company_id=%company',
  '/devices?all_tenants=true',
  '/companies',
  '/certificates',
  '/certificates?company_id=%company',
])('%s tells a bound key of its own device alone', async (path) => {
  const answer = await ask(path.replace('%device', foreign.device).replace('%company', foreign.company))
  expect(answer.status).toBe(200)
  for (const told of [foreign.sold.id, foreign.device, foreign.company, OIBS[1]])
    expect(answer.text).not.toContain(told)
})

test('what the key is for goes on', async () => {
  expect((await sell({ device_id: own }, 'own')).body).toMatchObject({ status: 'confirmed' })
})
