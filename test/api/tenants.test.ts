import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/call.ts'
import { type Gateway, startSharedGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'

const ALL = ['invoices:write', 'invoices:read', 'fleet:read', 'fleet:write', 'certificates:write']
const inTenant = { 'x-tenant': 'drugi' }

let gateway: Gateway
let soldId: string
/** A key of the other tenant, with every scope. */
let stranger: Record<string, string>

beforeAll(async () => {
  gateway = await startSharedGateway()
  soldId = (await gateway.sell()).id
  await gateway.admin('/admin/tenants', { body: { name: 'drugi' } })
  const made = await gateway.admin('/admin/keys', { body: { mode: 'test', scopes: ALL }, headers: inTenant })
  stranger = { authorization: `Bearer ${made.body.key}` }
})

/** The words of a refusal, without the id of the request. */
const said = ({ status, body }: Answer<{ error?: unknown }>) => ({ status, error: body.error })

test.each([
  ['GET an invoice', 'GET', (ids: Ids) => `/invoices/${ids.invoice}`, undefined],
  ['retry an invoice', 'POST', (ids: Ids) => `/invoices/${ids.invoice}/retry`, undefined],
  ['change a company', 'PATCH', (ids: Ids) => `/companies/${ids.company}`, () => ({ name: 'x' })],
  ['take a company live', 'PATCH', (ids: Ids) => `/companies/${ids.company}`, () => ({ mode: 'live' })],
  ['change a device', 'PATCH', (ids: Ids) => `/devices/${ids.device}`, () => ({ label: 'x' })],
  [
    'register a device',
    'POST',
    () => '/devices',
    (ids: Ids) => ({ company_id: ids.company, premises_code: 'P', label: 'x' }),
  ],
  [
    'sell',
    'POST',
    () => '/invoices',
    (ids: Ids) => ({
      device_id: ids.device,
      occurred_at: new Date().toISOString(),
      total: '1.00',
      payment_method: 'G',
    }),
  ],
])('to %s of another tenant is answered as with an id that nobody has', async (_what, method, path, body) => {
  const attempt = async (ids: Ids) => {
    const headers = { ...stranger, ...(path(ids) === '/invoices' && { 'idempotency-key': randomUUID() }) }
    return said(await gateway.v1(path(ids), { method, headers, body: body?.(ids) }))
  }
  const theirs = await attempt({ invoice: soldId, company: gateway.companyId, device: gateway.deviceId })
  expect(theirs.status).toBe(404)
  expect(theirs).toEqual(
    await attempt({ invoice: `inv_${'0'.repeat(32)}`, company: randomUUID(), device: randomUUID() }),
  )
})

interface Ids {
  invoice: string
  company: string
  device: string
}

test('a certificate cannot be uploaded for a company of another tenant, nor devices imported', async () => {
  const { p12, passphrase } = await certificateOf(OIBS[0])
  const form = () => {
    const data = new FormData()
    data.set('company_id', gateway.companyId)
    data.set('passphrase', passphrase)
    data.set('file', new Blob([new Uint8Array(p12)]), 'a.p12')
    return data
  }
  expect((await gateway.v1('/certificates', { body: form(), headers: stranger })).status).toBe(404)
  const csv = new FormData()
  csv.set('company_id', gateway.companyId)
  csv.set('file', new Blob(['label,premises_code\nx,P1\n']), 'a.csv')
  expect((await gateway.v1('/devices/import', { body: csv, headers: stranger })).status).toBe(404)
  expect((await uploadCertificate(gateway, gateway.companyId, { p12, passphrase })).status).toBe(201)
})

test.each(['/invoices', '/companies', '/devices', '/certificates'])(
  'GET %s shows nothing of another tenant',
  async (path) => {
    const answer = await gateway.v1(path, { headers: stranger })
    expect(answer.body).toMatchObject({ object: 'list', data: [], has_more: false, next_cursor: null })
  },
)

test.each([
  '/invoices?device_id=%device',
  '/invoices?company_id=%company',
  '/invoices?premises_code=POSL1',
  '/devices?company_id=%company',
  '/devices?premises_code=POSL1',
  '/certificates?company_id=%company',
])('%s filters within the tenant only', async (path) => {
  const filled = path.replace('%device', gateway.deviceId).replace('%company', gateway.companyId)
  expect((await gateway.v1(filled, { headers: stranger })).body).toMatchObject({ data: [] })
})

test('keys, users and certificates of another tenant are out of reach of its operator', async () => {
  const keys = await gateway.admin<{ data: { id: string }[] }>('/admin/keys')
  const revoke = (id: string | undefined) =>
    gateway.admin(`/admin/keys/${id}/revoke`, { method: 'POST', headers: inTenant })
  expect((await revoke(keys.body.data[0]?.id)).status).toBe(404)
  const certificates = await gateway.admin<{ data: { id: string }[] }>('/v1/certificates')
  const path = `/admin/certificates/${certificates.body.data[0]?.id}/revoke`
  expect((await gateway.admin(path, { method: 'POST', headers: inTenant })).status).toBe(404)
  await gateway.admin('/admin/users', { body: { name: 'ana', password: 'dugačka lozinka' } })
  expect((await gateway.admin('/admin/users/ana', { method: 'DELETE', headers: inTenant })).status).toBe(404)
  expect((await gateway.admin<{ data: unknown[] }>('/admin/users', { headers: inTenant })).body.data).toEqual([])
})

test('an OIB is one company for all tenants', async () => {
  const answer = await gateway.v1('/companies', { body: { name: 'X', oib: OIBS[0] }, headers: stranger })
  expect(answer).toMatchObject({ status: 409, body: { error: { param: 'oib' } } })
})

test('a tenant that does not exist is not worked for', async () => {
  const answer = await gateway.admin('/v1/companies', { headers: { 'x-tenant': 'nitko' } })
  expect(answer).toMatchObject({ status: 404, body: { error: { param: 'X-Tenant' } } })
})
