import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createPki } from '../../src/simulator/pki.ts'
import {
  type Gateway,
  type InvoiceBody,
  startGateway,
  startSharedGateway,
  uploadCertificate,
} from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { tempDir } from '../support/temp-dir.ts'

let shared: Gateway
beforeAll(async () => {
  shared = await startSharedGateway()
})

type Company = Record<string, unknown> & { error: InvoiceBody['error'] }

function patch(gateway: Gateway, body: unknown, id = gateway.companyId) {
  return gateway.admin<Company>(`/v1/companies/${id}`, { method: 'PATCH', body })
}

/** A gateway where the certificates of the tests are trusted in live mode too. */
const startLiveGateway = async () => {
  const path = join(await tempDir(), 'live.pem')
  await writeFile(path, pki.bundlePem)
  return startGateway({ FISKD_TRUST_LIVE: path })
}

const missingCertificate = { status: 400, body: { error: { code: 'company_missing_certificate', param: 'mode' } } }

test('a PATCH changes what is present, replaces objects as a whole, and answers with the whole company', async () => {
  const gateway = await startGateway()
  await patch(gateway, { address: { street: 'Ilica 1', city: 'Zagreb' }, fiscal_config: { default_vat_rate: '25.00' } })
  const changed = await patch(gateway, { name: 'Žuta čizma', vat_registered: false, address: { city: 'Split' } })
  expect(changed).toMatchObject({
    status: 200,
    body: {
      id: gateway.companyId,
      oib: OIBS[0],
      name: 'Žuta čizma',
      vat_registered: false,
      fiscal_config: { default_vat_rate: '25.00' },
      certificate_status: 'valid',
    },
  })
  expect(changed.body.address).toEqual({ city: 'Split' })
  expect((await patch(gateway, {})).body).toEqual(changed.body)
  expect((await patch(gateway, { fiscal_config: {} })).body.fiscal_config).toEqual({})
  const [listed] = (await gateway.admin<{ data: Company[] }>('/v1/companies')).body.data
  expect(listed).toMatchObject({ name: 'Žuta čizma', address: { city: 'Split' }, fiscal_config: {} })
})

test.each([
  [{ oib: OIBS[1] }, 'oib'],
  [{ country_code: 'HR' }, 'country_code'],
  [{ id: '1' }, 'id'],
  [{ name: '' }, 'name'],
  [{ name: null }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ address: 'Ilica 1' }, 'address'],
  [{ fiscal_config: [] }, 'fiscal_config'],
  [{ mode: 'LIVE' }, 'mode'],
  [{ status: 'deleted' }, 'status'],
  [{ certificate_status: 'valid' }, 'certificate_status'],
])('a PATCH with %j is refused by name, and nothing changes', async (body, param) => {
  const answer = await patch(shared, { vat_registered: false, ...body })
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param } } })
  expect((await patch(shared, {})).body.vat_registered).toBe(true)
})

test('a company without a certificate does not go live', async () => {
  const gateway = await startLiveGateway()
  const { body } = await gateway.admin('/v1/companies', { body: { name: 'X', oib: OIBS[1] } })
  expect(await patch(gateway, { mode: 'live' }, String(body.id))).toMatchObject(missingCertificate)
})

test('a company whose certificate is not trusted in live mode, or has expired, does not go live', async () => {
  const demo = await startGateway()
  const refused = await patch(demo, { mode: 'live' })
  expect(refused).toMatchObject(missingCertificate)
  expect(refused.body.error.message).toContain('not trusted in live mode')
  expect((await patch(demo, {})).body.mode).toBe('test')

  const gateway = await startLiveGateway()
  gateway.clock.aheadMs = 20 * 365 * 86_400_000
  expect(await patch(gateway, { mode: 'live' })).toMatchObject(missingCertificate)
})

test('a company in test mode brings the live certificate it goes live with, also where the issuers differ', async () => {
  const livePki = await createPki()
  const path = join(await tempDir(), 'live.pem')
  await writeFile(path, livePki.bundlePem)
  const gateway = await startGateway({ FISKD_TRUST_LIVE: path })
  expect(await patch(gateway, { mode: 'live' })).toMatchObject(missingCertificate)
  const certificate = await livePki.issueCompany({ oib: OIBS[0] })
  expect((await uploadCertificate(gateway, gateway.companyId, certificate)).status).toBe(201)
  expect(await patch(gateway, { mode: 'live' })).toMatchObject({ status: 200, body: { mode: 'live' } })
  const demo = await uploadCertificate(gateway, gateway.companyId, await certificateOf(OIBS[0]))
  expect(demo).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: 'file' } } })
})

test('a revoked certificate does not take a company live', async () => {
  const gateway = await startLiveGateway()
  const { data } = (await gateway.admin<{ data: { id: string }[] }>('/v1/certificates')).body
  await gateway.admin(`/admin/certificates/${data[0]?.id}/revoke`, { method: 'POST' })
  expect(await patch(gateway, { mode: 'live' })).toMatchObject(missingCertificate)
})

test('a test key takes its company live, and reaches it no more from then on', async () => {
  const gateway = await startLiveGateway()
  const key = await gateway.createKey({ scopes: ['fleet:write', 'fleet:read'] })
  const headers = { authorization: `Bearer ${key}` }
  const path = `/companies/${gateway.companyId}`
  const live = await gateway.v1(path, { method: 'PATCH', body: { mode: 'live' }, headers })
  expect(live).toMatchObject({ status: 200, body: { mode: 'live' } })
  expect((await gateway.v1(path, { method: 'PATCH', body: {}, headers })).body.error.code).toBe('mode_mismatch')
  expect((await gateway.v1('/companies', { headers })).body).toMatchObject({ data: [] })
  expect((await gateway.post()).body.error.code).toBe('mode_mismatch')
  // What the test made is not carried over: the live sequence begins at 1.
  const liveKey = await gateway.createKey({ mode: 'live' })
  const sold = await gateway.v1('/invoices', {
    body: gateway.sale(),
    headers: { authorization: `Bearer ${liveKey}`, 'idempotency-key': 'first' },
  })
  expect(sold).toMatchObject({ status: 200, body: { number: '1' } })
})

test('a suspended company does not sell, and sells again when it is active', async () => {
  const gateway = await startGateway()
  await patch(gateway, { status: 'suspended' })
  expect((await gateway.post()).body.error).toMatchObject({ code: 'device_inactive', param: 'device_id' })
  await patch(gateway, { status: 'active' })
  expect((await gateway.post()).status).toBe(200)
  const { body } = await gateway.admin<{ data: { action: string; detail: object }[] }>('/admin/audit')
  expect(body.data[0]).toMatchObject({
    action: 'company.changed',
    detail: { changed: { status: { from: 'suspended', to: 'active' } } },
  })
})

test('the status of the certificate is read from the clock each time', async () => {
  const gateway = await startGateway()
  const certificate = await pki.issueCompany({ oib: OIBS[0], notAfter: new Date(Date.now() + 90 * 86_400_000) })
  expect((await uploadCertificate(gateway, gateway.companyId, certificate)).status).toBe(201)
  const shown = async () => (await gateway.admin<{ data: Company[] }>('/v1/companies')).body.data[0]?.certificate_status
  expect(await shown()).toBe('valid')
  gateway.clock.aheadMs = 31 * 86_400_000
  expect(await shown()).toBe('expiring')
  gateway.clock.aheadMs = 91 * 86_400_000
  expect(await shown()).toBe('expired')
  await uploadCertificate(gateway, gateway.companyId, await certificateOf(OIBS[0]))
  expect(await shown()).toBe('valid')
})
