import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { createPki } from '../../src/simulator/pki.ts'
import { type Gateway, startGateway, startSharedGateway, uploadCertificate } from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { tempDir } from '../support/temp-dir.ts'

let gateway: Gateway
let companyId: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  const made = await gateway.admin('/v1/companies', { body: { name: 'Čokolada i šećer', oib: OIBS[1] } })
  companyId = String(made.body.id)
})

const refusal = (code: string, param: string) => ({ body: { error: { code, param } } })

test('a new company has every field, its id made from its OIB, and no certificate', async () => {
  const body = {
    name: 'Nova d.o.o.',
    oib: OIBS[2],
    vat_registered: false,
    address: { street: 'Ilica 1', city: 'Zagreb' },
    fiscal_config: { default_vat_rate: '25.00' },
    mode: 'live',
  }
  const answer = await gateway.admin<object>('/v1/companies', { body })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    ...body,
    id: companyIdOf(OIBS[2]),
    country_code: 'HR',
    status: 'active',
    certificate_status: 'missing',
    certificate_expires_at: null,
    logo_hash: null,
    created_at: expect.stringMatching(/Z$/),
  })
})

test.each([
  ['without a name', { name: undefined }, 'name', 'invalid_request'],
  ['with an empty name', { name: '' }, 'name', 'invalid_request'],
  ['with a name of 201 characters', { name: 'x'.repeat(201) }, 'name', 'invalid_request'],
  ['without an OIB', { oib: undefined }, 'oib', 'invalid_request'],
  ['with a wrong check digit', { oib: '12345678901' }, 'oib', 'hr.invalid_oib'],
  ['with an OIB of ten digits', { oib: '1234567890' }, 'oib', 'hr.invalid_oib'],
  ['with vat_registered as text', { vat_registered: 'yes' }, 'vat_registered', 'invalid_request'],
  ['with an unknown mode', { mode: 'demo' }, 'mode', 'invalid_request'],
  ['with an address that is no object', { address: 'Ilica 1' }, 'address', 'invalid_request'],
  ['with an unknown field', { vat: true }, 'vat', 'invalid_request'],
])('a company %s is refused', async (_what, changes, param, code) => {
  const body = { name: 'Nova', oib: '69435151530', ...changes }
  expect(await gateway.admin('/v1/companies', { body })).toMatchObject({ status: 400, ...refusal(code, param) })
})

test('a second company with the same OIB is a conflict', async () => {
  const answer = await gateway.admin('/v1/companies', { body: { name: 'Ista', oib: OIBS[1] } })
  expect(answer).toMatchObject({ status: 409, ...refusal('invalid_request', 'oib') })
})

test('a new device has every field and waits for its ISU number', async () => {
  const body = { company_id: companyId, premises_code: 'POSL9', premises_address: 'Ilica 9', label: 'Kavomat 9' }
  const answer = await gateway.admin<Record<string, unknown>>('/v1/devices', { body })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    ...body,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    isu_number: null,
    isu_status: 'pending',
    device_config: {},
    status: 'active',
    installed_at: expect.any(String),
    last_seen_at: null,
    last_success_at: null,
    created_at: expect.any(String),
  })
  const set = await gateway.admin(`/v1/devices/${answer.body.id}`, { method: 'PATCH', body: { isu_number: '909' } })
  expect(set).toMatchObject({ status: 200, body: { isu_number: '909', isu_status: 'assigned', label: 'Kavomat 9' } })
  const cleared = await gateway.admin(`/v1/devices/${answer.body.id}`, { method: 'PATCH', body: { isu_number: null } })
  expect(cleared).toMatchObject({ status: 200, body: { isu_number: null, isu_status: 'pending' } })
})

test.each([
  ['without a label', { label: undefined }, 'label'],
  ['with a premises code with a space', { premises_code: 'POS 1' }, 'premises_code'],
  ['with a premises code of 21 characters', { premises_code: 'P'.repeat(21) }, 'premises_code'],
  ['with an ISU number with a leading zero', { isu_number: '0101' }, 'isu_number'],
  ['with an ISU number that is a number', { isu_number: 101 }, 'isu_number'],
  ['with a company that is no UUID', { company_id: '1' }, 'company_id'],
])('a device %s is refused', async (_what, changes, param) => {
  const body = { company_id: companyId, premises_code: 'P1', label: 'x', ...changes }
  expect(await gateway.admin('/v1/devices', { body })).toMatchObject({
    status: 400,
    ...refusal('invalid_request', param),
  })
})

test('a taken label, a taken ISU number and an unknown company are told apart', async () => {
  const post = (body: object) =>
    gateway.admin('/v1/devices', { body: { company_id: companyId, premises_code: 'P1', ...body } })
  expect((await post({ label: 'first', isu_number: '55' })).status).toBe(201)
  expect(await post({ label: 'first' })).toMatchObject({ status: 409, ...refusal('invalid_request', 'label') })
  expect(await post({ label: 'second', isu_number: '55' })).toMatchObject({
    status: 409,
    ...refusal('invalid_request', 'isu_number'),
  })
  const nowhere = await post({ label: 'third', company_id: '00000000-0000-4000-8000-000000000000' })
  expect(nowhere).toMatchObject({ status: 404, ...refusal('invalid_request', 'company_id') })
})

test('premises and company of a device never change', async () => {
  const id = await gateway.addDevice()
  for (const field of ['premises_code', 'company_id']) {
    const answer = await gateway.admin(`/v1/devices/${id}`, { method: 'PATCH', body: { [field]: 'P2' } })
    expect(answer).toMatchObject({ status: 400, ...refusal('invalid_request', field) })
  }
})

test('a PATCH changes what is present and nothing else', async () => {
  const id = await gateway.addDevice({ label: 'before', device_config: { vat: null, keep: 1 }, premises_address: 'A' })
  const body = { label: 'after', device_config: { special_purpose: 'x' }, premises_address: null }
  const answer = await gateway.admin(`/v1/devices/${id}`, { method: 'PATCH', body })
  expect(answer).toMatchObject({ status: 200, body: { ...body, premises_code: 'POSL1', status: 'active' } })
  const unchanged = await gateway.admin(`/v1/devices/${id}`, { method: 'PATCH', body: {} })
  expect(unchanged.body).toEqual(answer.body)
})

test('a certificate comes back as metadata without key material', async () => {
  const certificate = await certificateOf(OIBS[1])
  const answer = await uploadCertificate(gateway, companyId, certificate, { label: 'prvi' })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    id: expect.any(String),
    company_id: companyId,
    label: 'prvi',
    subject_oib: OIBS[1],
    subject_cn: expect.any(String),
    issuer: expect.stringContaining('CN='),
    serial: expect.stringMatching(/^[0-9A-F]+$/),
    not_before: expect.any(String),
    not_after: expect.any(String),
    days_until_expiry: expect.any(Number),
    status: 'valid',
    uploaded_at: expect.any(String),
  })
  expect(answer.text).not.toContain('PRIVATE')
})

test('a new certificate takes over from the old one at once', async () => {
  const renewed = await pki.issueCompany({ oib: OIBS[0] })
  expect((await uploadCertificate(gateway, gateway.companyId, renewed)).status).toBe(201)
  await gateway.sell()
  expect(gateway.cis.received.at(-1)?.requestXml).toContain(renewed.certDer.toString('base64'))
  expect(gateway.cis.received.at(-1)?.zkiMatches).toBe(true)
})

test.each([
  [
    'a wrong passphrase',
    async () => ({ ...(await certificateOf(OIBS[0])), passphrase: 'pogrešna' }),
    'passphrase',
    'invalid_request',
  ],
  [
    'a file that is no PKCS#12',
    async () => ({ p12: Buffer.from('nothing'), passphrase: 'x' }),
    'file',
    'invalid_request',
  ],
  ['an empty file', async () => ({ p12: Buffer.alloc(0), passphrase: 'x' }), 'file', 'invalid_request'],
  ['two private keys', async () => pki.issueCompany({ oib: OIBS[0], keys: 2 }), 'file', 'invalid_request'],
  ['no private key', async () => pki.issueCompany({ oib: OIBS[0], keys: 0 }), 'file', 'invalid_request'],
  ['the certificate of another company', async () => certificateOf(OIBS[1]), 'file', 'hr.certificate_oib_mismatch'],
  [
    'a certificate without an OIB',
    async () => pki.issueCompany({ oib: OIBS[0], oibIn: 'none' }),
    'file',
    'hr.certificate_oib_mismatch',
  ],
  [
    'an expired certificate',
    async () => pki.issueCompany({ oib: OIBS[0], notBefore: new Date(2020, 1), notAfter: new Date(2021, 1) }),
    'file',
    'certificate_expired',
  ],
  [
    'a certificate of an unknown issuer',
    async () => pki.issueCompany({ oib: OIBS[0], selfSigned: true }),
    'file',
    'invalid_request',
  ],
])('%s is refused, and the certificate in use stays', async (_what, make, param, code) => {
  const { certDer } = await certificateOf(OIBS[0])
  await uploadCertificate(gateway, gateway.companyId, await certificateOf(OIBS[0]))
  const answer = await uploadCertificate(gateway, gateway.companyId, await make())
  expect(answer).toMatchObject({ status: 400, ...refusal(code, param) })
  await gateway.sell()
  expect(gateway.cis.received.at(-1)?.requestXml).toContain(certDer.toString('base64'))
})

test('an OIB in a form that CIS does not read is named with its form, and with the form that CIS reads', async () => {
  const personal = await pki.issueCompany({ oib: OIBS[0], organizationIdentifier: `TINHR-${OIBS[0]}` })
  const { body } = await uploadCertificate(gateway, gateway.companyId, personal)
  expect(body.error.message).toMatch(
    new RegExp(
      `no single OIB where .*VATHR-${OIBS[0]}.*HR${OIBS[0]}\\), but organizationIdentifier=TINHR-${OIBS[0]}: ask its issuer`,
    ),
  )
})

test('a demonstration certificate is refused by a company in live mode', async () => {
  const live = await startGateway({ FISKD_TRUST_LIVE: await otherBundle() })
  const { body } = await live.admin('/v1/companies', { body: { name: 'Uživo', oib: OIBS[1], mode: 'live' } })
  const answer = await uploadCertificate(live, String(body.id), await certificateOf(OIBS[1]))
  expect(answer).toMatchObject({ status: 400, ...refusal('invalid_request', 'file') })
  expect(answer.body.error.message).toContain('not trusted in live mode')
})

async function otherBundle(): Promise<string> {
  const path = join(await tempDir(), 'live.pem')
  await writeFile(path, (await createPki()).bundlePem)
  return path
}

test('a certificate over 256 KB is too large', async () => {
  const answer = await uploadCertificate(gateway, companyId, { p12: Buffer.alloc(256 * 1024 + 1), passphrase: 'x' })
  expect(answer).toMatchObject({ status: 413, ...refusal('file_too_large', 'file') })
})

test.each(['company_id', 'passphrase', 'file'])('an upload without %s is refused by name', async (missing) => {
  const { p12, passphrase } = await certificateOf(OIBS[1])
  const form = new FormData()
  const parts = { company_id: companyId, passphrase, file: new Blob([new Uint8Array(p12)]) }
  for (const [name, value] of Object.entries(parts)) if (name !== missing) form.set(name, value)
  const answer = await gateway.admin('/v1/certificates', { body: form })
  expect(answer).toMatchObject({ status: 400, ...refusal('invalid_request', missing) })
})

test('an upload that is no multipart body is refused', async () => {
  const answer = await gateway.admin('/v1/certificates', { body: { company_id: companyId } })
  expect(answer).toMatchObject({ status: 400, ...refusal('invalid_request', 'Content-Type') })
})
