import { beforeAll, expect, onTestFinished } from 'vitest'
import type { Answer } from '../support/call.ts'
import { blockWrites, breakInserts } from '../support/database.ts'
import {
  type Gateway,
  startEmptyGateway,
  startGateway,
  startSharedGateway,
  uploadCertificate,
} from '../support/gateway.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { type Ask, clientOf, DAY_MS, importForm, inMs, keyless, TYPES } from './support-endpoints.ts'

const DOCS = 'https://docs.example/fiskd'
const NOBODY = '00000000-0000-4000-8000-000000000000'

let gateway: Gateway
let client: Ask
/** A company without certificate, and its device. */
let bareCompany: string
let bareDevice: string
beforeAll(async () => {
  gateway = await startSharedGateway({ FISKD_DOCS_URL: `${DOCS}/` })
  client = await clientOf(gateway)
  const made = await client('/companies', { body: { name: 'Bez certifikata', oib: OIBS[2] } })
  bareCompany = made.body.id
  bareDevice = await gateway.addDevice({ company_id: bareCompany, isu_number: '900' })
})

/** Checks a refusal to the last member. */
function expectRefusal(answer: Answer<unknown>, status: number, code: string, param: string | null): void {
  expect(answer.body).toEqual({
    error: {
      type: TYPES[status],
      code,
      message: expect.stringMatching(/\S/),
      param,
      upstream: null,
      doc_url: `${DOCS}/errors/${code}`,
    },
  })
  expect(answer.status).toBe(status)
}

/** A sale that is refused; nothing reaches the tax authority. */
async function expectRefusedSale(sale: object, status: number, code: string, param: string): Promise<void> {
  const before = gateway.cis.received.length
  expectRefusal(await gateway.post(sale), status, code, param)
  expect(gateway.cis.received).toHaveLength(before)
}

const line = { rate: '25.00', base: '2.00', amount: '0.50' }
const attended = { sale_type: 'attended', register_mark: '1', operator_oib: '69435151530' }

row('Errors 1 | error.type', 'it is one of a closed set, the same for every status', async () => {
  const limited = await startEmptyGateway({ RATE_LIMIT_IP_PER_MINUTE: '1' })
  await limited.v1('/health')
  const mend = await breakOutcomes(gateway)
  const broken = await gateway.post()
  await mend()
  const answers = [
    await gateway.post({ total: 1 }),
    await client('/invoices', { headers: { authorization: 'Bearer x' } }),
    await gateway.v1('/companies'),
    await client('/invoices/inv_nothing'),
    await client('/companies', { body: { name: 'Druga', oib: OIBS[0] } }),
    await gateway.post({ special_purpose: 'x'.repeat(300_000) }),
    await limited.v1('/health'),
    broken,
  ]
  expect(answers.map(({ status, body }) => [status, body.error.type])).toEqual([
    [400, 'validation_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found'],
    [409, 'conflict'],
    [413, 'validation_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
  ])
})

row('Errors 1 | error.code', 'the same fault has the same code, whatever it is about', async () => {
  const codes = async (...sales: object[]) => {
    const answers = await Promise.all(sales.map((sale) => gateway.post(sale)))
    return answers.map(({ body }) => body.error.code)
  }
  const ten = { total: '10000.01' }
  expect(await codes(ten, { ...ten, payment_method: 'K' }, { total: '-99999.99' })).toEqual(
    Array(3).fill('hr.amount_out_of_range'),
  )
  expect(await codes({ number: '0' }, { number: '01' }, { number: 'A1' })).toEqual(
    Array(3).fill('hr.invalid_receipt_number'),
  )
})

row('Errors 1 | error.message', 'it is a text for people, and names no inner workings', async () => {
  const mend = await breakOutcomes(gateway)
  const answers = [await gateway.post(), await gateway.post({ total: '2.5' }), await client('/nothing')]
  await mend()
  for (const { body, text } of answers) {
    expect(body.error.message).toMatch(/\w+ \w+/)
    expect(text).not.toMatch(/broken on purpose|sqlite|\.ts\b|node_modules| at .*:\d+/i)
  }
})

row('Errors 1 | error.param', 'it is the field or header that offends, as the caller wrote it', async () => {
  const params = [
    await gateway.post({ device_id: 'x' }),
    await client('/invoices/inv_nothing/retry', { method: 'POST' }),
    await client('/invoices', { body: gateway.sale() }),
    await client('/devices', { body: { company_id: gateway.companyId, premises_code: 'P 1', label: 'x' } }),
    await gateway.post({ vat: [line, { ...line, rate: '7.00' }] }),
    await client('/invoices', { headers: { authorization: 'Bearer x' } }),
    await client('/invoices?limit=0'),
  ].map(({ body }) => body.error.param)
  expect(params).toEqual([
    'device_id',
    'id',
    'Idempotency-Key',
    'premises_code',
    'vat[1].rate',
    'Authorization',
    'limit',
  ])
})

row('Errors 1 | error.param', 'it is null where no field or header is to blame', async () => {
  const limited = await startEmptyGateway({ RATE_LIMIT_IP_PER_MINUTE: '1' })
  await limited.v1('/health')
  const mend = await breakOutcomes(gateway)
  const broken = await gateway.post()
  await mend()
  const params = [broken, await limited.v1('/health')].map(({ body }) => body.error.param)
  expect(params).toEqual([null, null])
})

row('Errors 1 | error.upstream', 'it is there, and null when the tax authority had no part in it', async () => {
  const answers = [
    await gateway.post({ total: '2.5' }),
    await client('/nothing'),
    await client('/invoices', { headers: { authorization: 'Bearer x' } }),
  ]
  for (const { body } of answers) expect(body.error).toHaveProperty('upstream', null)
})

row('Errors 1 | error.doc_url', 'it is the configured address, followed by /errors/ and the code', async () => {
  const { body } = await gateway.post({ total: '10000.01' })
  expect(body.error.doc_url).toBe('https://docs.example/fiskd/errors/hr.amount_out_of_range')
})

row('Errors 1 | error.doc_url', "where nothing is configured it leads to the daemon's own pages", async () => {
  const own = await startEmptyGateway()
  const { body } = await own.v1('/invoices')
  expect(body.error.doc_url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/docs\/errors\/invalid_api_key$/)
  const codes = Object.values(CODES).flat()
  for (const code of codes) {
    const page = await keyless(own, `/docs/errors/${code}`)
    expect(page.status, code).toBe(200)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.text).toContain(code)
  }
})

/** The codes of /v1 by status (docs/spec/interface.md, Errors). */
const CODES: Record<number, string[]> = {
  400: [
    'invalid_request',
    'missing_idempotency_key',
    'hr.device_missing_isu',
    'device_inactive',
    'company_missing_certificate',
    'certificate_expired',
    'hr.certificate_oib_mismatch',
    'hr.sale_older_than_30_days',
    'hr.date_in_future',
    'hr.invalid_vat_rate',
    'hr.invalid_pnp_rate',
    'hr.invalid_payment_method',
    'hr.amount_out_of_range',
    'hr.invalid_oib',
    'hr.invalid_receipt_number',
  ],
  401: ['invalid_api_key', 'api_key_revoked'],
  403: ['mode_mismatch', 'insufficient_scope'],
  409: ['idempotency_key_reused', 'invoice_already_exists', 'hr.sequence_level_conflict'],
  413: ['file_too_large', 'request_too_large'],
  429: ['rate_limited'],
  500: ['internal_error'],
}

row('Errors 2 | 400', 'malformed and missing fields are invalid_request', async () => {
  await expectRefusedSale({ occurred_at: undefined }, 400, 'invalid_request', 'occurred_at')
  await expectRefusedSale({ occurred_at: '2026-01-31T10:00:00' }, 400, 'invalid_request', 'occurred_at')
  await expectRefusedSale({ late_delivery: 'true' }, 400, 'invalid_request', 'late_delivery')
  await expectRefusedSale({ recipient_oib: OIBS[1] }, 400, 'invalid_request', 'recipient_oib')
  await expectRefusedSale({ tip: '1.00' }, 400, 'invalid_request', 'tip')
  const headers = { 'idempotency-key': 'malformed' }
  expectRefusal(await client('/invoices', { body: '{"device_id"', headers }), 400, 'invalid_request', 'body')
})

row('Errors 2 | 400', 'money without exactly two decimals is invalid_request', async () => {
  for (const total of ['2.5', '2', '2.500', '2,50', 2.5, 2, '', ' 2.50']) {
    await expectRefusedSale({ total }, 400, 'invalid_request', 'total')
  }
})

row('Errors 2 | 400', 'a name that is missing or too long is invalid_request', async () => {
  const post = (name?: string) => client('/companies', { body: { name, oib: OIBS[1] } })
  expectRefusal(await post(), 400, 'invalid_request', 'name')
  expectRefusal(await post('x'.repeat(201)), 400, 'invalid_request', 'name')
})

row('Errors 2 | 400', 'an upload that cannot be opened or read is invalid_request', async () => {
  const certificate = await certificateOf(OIBS[0])
  const upload = (p12: Buffer, passphrase: string) => uploadCertificate(gateway, gateway.companyId, { p12, passphrase })
  expectRefusal(await upload(certificate.p12, 'pogrešna'), 400, 'invalid_request', 'passphrase')
  expectRefusal(await upload(Buffer.from('no container'), 'x'), 400, 'invalid_request', 'file')
  const form = new FormData()
  form.set('company_id', gateway.companyId)
  form.set('file', new Blob([new Uint8Array(certificate.p12)]), 'certificate.p12')
  expectRefusal(await client('/certificates', { body: form }), 400, 'invalid_request', 'passphrase')
  const csv = importForm(gateway.companyId, 'label\tpremises_code\n')
  expectRefusal(await client('/devices/import', { body: csv }), 400, 'invalid_request', 'file')
})

row('Errors 2 | 400', 'a sale without an idempotency key is missing_idempotency_key', async () => {
  const answer = await client('/invoices', { body: gateway.sale() })
  expectRefusal(answer, 400, 'missing_idempotency_key', 'Idempotency-Key')
})

row('Errors 2 | 400', 'a device without an ISU number is hr.device_missing_isu', async () => {
  const device_id = await gateway.addDevice()
  await expectRefusedSale({ device_id }, 400, 'hr.device_missing_isu', 'device_id')
})

row('Errors 2 | 400', 'a device that is not active, or its company, is device_inactive', async () => {
  const device_id = await gateway.addDevice({ isu_number: '901' })
  for (const status of ['suspended', 'archived']) {
    await client(`/devices/${device_id}`, { method: 'PATCH', body: { status } })
    await expectRefusedSale({ device_id }, 400, 'device_inactive', 'device_id')
  }
  for (const status of ['suspended', 'archived']) {
    await client(`/companies/${gateway.companyId}`, { method: 'PATCH', body: { status } })
    await expectRefusedSale({}, 400, 'device_inactive', 'device_id')
  }
  await client(`/companies/${gateway.companyId}`, { method: 'PATCH', body: { status: 'active' } })
  expect((await gateway.sell()).status).toBe('confirmed')
})

row('Errors 2 | 400', 'a sale or going live without a certificate is company_missing_certificate', async () => {
  await expectRefusedSale({ device_id: bareDevice }, 400, 'company_missing_certificate', 'device_id')
  const live = await client(`/companies/${bareCompany}`, { method: 'PATCH', body: { mode: 'live' } })
  expectRefusal(live, 400, 'company_missing_certificate', 'mode')
  expect((await client('/companies')).body.data.find(({ id }) => id === bareCompany)?.mode).toBe('test')
})

row('Errors 2 | 400', 'a certificate that is over is certificate_expired, on a sale and on an upload', async () => {
  onTestFinished(() => {
    gateway.clock.aheadMs = 0
  })
  gateway.clock.aheadMs = 800 * DAY_MS
  await expectRefusedSale({}, 400, 'certificate_expired', 'device_id')
  const answer = await uploadCertificate(gateway, gateway.companyId, await certificateOf(OIBS[0]))
  expectRefusal(answer, 400, 'certificate_expired', 'file')
})

row('Errors 2 | 400', 'the certificate of somebody else is hr.certificate_oib_mismatch', async () => {
  const answer = await uploadCertificate(gateway, bareCompany, await certificateOf(OIBS[0]))
  expectRefusal(answer, 400, 'hr.certificate_oib_mismatch', 'file')
  const nameless = await pki.issueCompany({ oib: OIBS[2], oibIn: 'none' })
  expectRefusal(await uploadCertificate(gateway, bareCompany, nameless), 400, 'hr.certificate_oib_mismatch', 'file')
})

row('Errors 2 | 400', 'a moment out of bounds is hr.sale_older_than_30_days or hr.date_in_future', async () => {
  const old = { occurred_at: inMs(-30 * DAY_MS - 1000) }
  await expectRefusedSale(old, 400, 'hr.sale_older_than_30_days', 'occurred_at')
  await expectRefusedSale({ occurred_at: inMs(60_000) }, 400, 'hr.date_in_future', 'occurred_at')
})

row('Errors 2 | 400', 'a rate out of bounds is hr.invalid_vat_rate or hr.invalid_pnp_rate', async () => {
  await expectRefusedSale({ vat: [{ ...line, rate: '10.00' }] }, 400, 'hr.invalid_vat_rate', 'vat[0].rate')
  const consumption_tax = [{ ...line, rate: '3.01' }]
  await expectRefusedSale({ consumption_tax }, 400, 'hr.invalid_pnp_rate', 'consumption_tax[0].rate')
})

row('Errors 2 | 400', 'a payment method that is not allowed is hr.invalid_payment_method', async () => {
  const onlyAttended = { ...attended, payment_method: 'T', recipient_oib: OIBS[1] }
  for (const sale of [{ payment_method: 'T' }, { payment_method: 'X' }, { payment_method: 'g' }, onlyAttended]) {
    await expectRefusedSale(sale, 400, 'hr.invalid_payment_method', 'payment_method')
  }
})

row('Errors 2 | 400', 'too much cash is hr.amount_out_of_range', async () => {
  await expectRefusedSale({ total: '10000.01' }, 400, 'hr.amount_out_of_range', 'total')
})

row('Errors 2 | 400', 'a wrong check digit is hr.invalid_oib, of a company, an operator or a buyer', async () => {
  const company = await client('/companies', { body: { name: 'Kriva', oib: '02994650198' } })
  expectRefusal(company, 400, 'hr.invalid_oib', 'oib')
  await expectRefusedSale({ ...attended, operator_oib: '69435151531' }, 400, 'hr.invalid_oib', 'operator_oib')
  await expectRefusedSale({ ...attended, recipient_oib: '12345678901' }, 400, 'hr.invalid_oib', 'recipient_oib')
})

row('Errors 2 | 400', 'a number that is none is hr.invalid_receipt_number', async () => {
  for (const number of ['0', '01', '1a', '-1', '']) {
    await expectRefusedSale({ number }, 400, 'hr.invalid_receipt_number', 'number')
  }
})

row('Errors 2 | 401', 'no key, an unknown or a malformed one is invalid_api_key', async () => {
  expectRefusal(await keyless(gateway, '/v1/invoices'), 401, 'invalid_api_key', 'Authorization')
  const unknown = `Bearer fisk_test_${'A'.repeat(43)}`
  for (const authorization of [unknown, 'Bearer nonsense', 'Bearer', `Basic ${gateway.key}`, '']) {
    const answer = await client('/invoices', { headers: { authorization } })
    expectRefusal(answer, 401, 'invalid_api_key', 'Authorization')
  }
})

row('Errors 2 | 401', 'a revoked key is api_key_revoked at once', async () => {
  const { body } = await gateway.admin('/admin/keys', { body: { mode: 'test' } })
  const headers = { authorization: `Bearer ${body.key}` }
  expect((await client('/invoices', { headers })).status).toBe(200)
  await gateway.admin(`/admin/keys/${body.id}/revoke`, { method: 'POST' })
  expectRefusal(await client('/invoices', { headers }), 401, 'api_key_revoked', 'Authorization')
})

row('Errors 2 | 403', 'a key of one mode and a company of the other are mode_mismatch', async () => {
  const live = await clientOf(gateway, { mode: 'live' })
  const headers = { 'idempotency-key': 'live' }
  expectRefusal(await live('/invoices', { body: gateway.sale(), headers }), 403, 'mode_mismatch', 'device_id')
  const device = { company_id: gateway.companyId, premises_code: 'P1', label: 'x' }
  expectRefusal(await live('/devices', { body: device }), 403, 'mode_mismatch', 'company_id')
  const company = { name: 'Uživo', oib: OIBS[1], mode: 'live' }
  expectRefusal(await client('/companies', { body: company }), 403, 'mode_mismatch', 'mode')
})

row('Errors 2 | 403', 'a key that may not do something is insufficient_scope', async () => {
  const reader = await clientOf(gateway, { scopes: ['invoices:read'] })
  const headers = { 'idempotency-key': 'reader' }
  const csv = importForm(gateway.companyId, 'label,premises_code\n')
  const upload = importForm(gateway.companyId, 'no container', { passphrase: 'x' })
  const answers = [
    await reader('/invoices', { body: gateway.sale(), headers }),
    await reader('/invoices/inv_1/retry', { method: 'POST' }),
    await reader('/companies'),
    await reader('/companies', { body: { name: 'X', oib: OIBS[1] } }),
    await reader(`/companies/${gateway.companyId}`, { method: 'PATCH', body: { name: 'X' } }),
    await reader('/devices'),
    await reader('/devices', { body: { company_id: gateway.companyId, premises_code: 'P1', label: 'x' } }),
    await reader(`/devices/${gateway.deviceId}`, { method: 'PATCH', body: { label: 'x' } }),
    await reader('/devices/import', { body: csv }),
    await reader('/certificates'),
    await reader('/certificates', { body: upload }),
  ]
  for (const answer of answers) expectRefusal(answer, 403, 'insufficient_scope', 'Authorization')
  expect((await reader('/invoices')).status).toBe(200)
})

row('Errors 2 | 404', 'a device, company or invoice that is not there is invalid_request', async () => {
  await expectRefusedSale({ device_id: NOBODY }, 404, 'invalid_request', 'device_id')
  const device = { company_id: NOBODY, premises_code: 'P1', label: 'x' }
  expectRefusal(await client('/devices', { body: device }), 404, 'invalid_request', 'company_id')
  const patch = { method: 'PATCH', body: {} }
  expectRefusal(await client(`/devices/${NOBODY}`, patch), 404, 'invalid_request', 'id')
  expectRefusal(await client(`/companies/${NOBODY}`, patch), 404, 'invalid_request', 'id')
  const csv = importForm(NOBODY, 'label,premises_code\n')
  expectRefusal(await client('/devices/import', { body: csv }), 404, 'invalid_request', 'company_id')
  const upload = await uploadCertificate(gateway, NOBODY, await certificateOf(OIBS[0]))
  expectRefusal(upload, 404, 'invalid_request', 'company_id')
  expectRefusal(await client('/invoices/inv_nothing'), 404, 'invalid_request', 'id')
})

row('Errors 2 | 409', 'a key with a different body is idempotency_key_reused', async () => {
  expect((await gateway.post({}, 'reused')).status).toBe(200)
  const answer = await gateway.post({ total: '9.99' }, 'reused')
  expectRefusal(answer, 409, 'idempotency_key_reused', 'Idempotency-Key')
})

row('Errors 2 | 409', 'a supplied number that is used is invoice_already_exists', async () => {
  expect((await gateway.sell({ number: '4711' })).number).toBe('4711')
  await expectRefusedSale({ number: '4711' }, 409, 'invoice_already_exists', 'number')
})

row('Errors 2 | 409', 'the second level of numbering is hr.sequence_level_conflict', async () => {
  await gateway.sell()
  await expectRefusedSale({ ...attended, sequence_mark: 'N' }, 409, 'hr.sequence_level_conflict', 'sequence_mark')
})

row('Errors 2 | 409', 'a retry of a confirmed or expired invoice is invalid_request', async () => {
  const confirmed = await gateway.sell()
  const retry = (id: string) => client(`/invoices/${id}/retry`, { method: 'POST' })
  expectRefusal(await retry(confirmed.id), 409, 'invalid_request', 'id')
  gateway.cis.misbehave('s006', 's006')
  const retrying = await gateway.sell()
  expect(retrying.status).toBe('retrying')
  onTestFinished(() => {
    gateway.clock.aheadMs = 0
  })
  gateway.clock.aheadMs = 31 * DAY_MS
  expectRefusal(await retry(retrying.id), 409, 'invalid_request', 'id')
  expect((await gateway.invoice(retrying.id)).status).toBe('expired')
})

row('Errors 2 | 409', 'an OIB, a label or an ISU number that is taken is invalid_request', async () => {
  const company = { name: 'Ista', oib: OIBS[0] }
  expectRefusal(await client('/companies', { body: company }), 409, 'invalid_request', 'oib')
  const device = { company_id: gateway.companyId, premises_code: 'P1' }
  const taken = await client('/devices', { body: { ...device, label: 'machine' } })
  expectRefusal(taken, 409, 'invalid_request', 'label')
  const isu = await client('/devices', { body: { ...device, label: 'druga', isu_number: '101' } })
  expectRefusal(isu, 409, 'invalid_request', 'isu_number')
  const id = await gateway.addDevice()
  const change = (body: object) => client(`/devices/${id}`, { method: 'PATCH', body })
  expectRefusal(await change({ label: 'machine' }), 409, 'invalid_request', 'label')
  expectRefusal(await change({ isu_number: '101' }), 409, 'invalid_request', 'isu_number')
})

row('Errors 2 | 413', 'a certificate over 256 KB and an import over 1 MB are file_too_large', async () => {
  const certificate = { p12: Buffer.alloc(256 * 1024 + 1), passphrase: 'x' }
  expectRefusal(await uploadCertificate(gateway, gateway.companyId, certificate), 413, 'file_too_large', 'file')
  const body = importForm(gateway.companyId, Buffer.alloc(1024 * 1024 + 1, 'a'))
  expectRefusal(await client('/devices/import', { body }), 413, 'file_too_large', 'file')
})

row('Errors 2 | 413', 'JSON over 256 KB is request_too_large', async () => {
  const post = (bytes: number) => {
    const body = JSON.stringify(gateway.sale()).padEnd(bytes)
    return client('/invoices', { body, headers: { 'idempotency-key': `of ${bytes}` } })
  }
  expect((await post(256 * 1024)).status).toBe(200)
  expectRefusal(await post(256 * 1024 + 1), 413, 'request_too_large', null)
})

row('Errors 2 | 429', 'it is rate_limited, and the idempotency key is free afterwards', async () => {
  const own = await startGateway({ RATE_LIMIT_PER_MINUTE: '1', FISKD_DOCS_URL: DOCS })
  const sale = own.sale()
  expect((await own.v1('/invoices')).status).toBe(200)
  const answer = await own.post(sale, 'limited')
  expectRefusal(answer, 429, 'rate_limited', null)
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d?$/)
  expect(own.cis.received).toEqual([])
  // Counting is in-process: a restart stands for the end of the window.
  await own.restart()
  const sold = await own.post(sale, 'limited')
  expect(sold).toMatchObject({ status: 200, body: { number: '1', status: 'confirmed' } })
  expect(sold.headers).not.toHaveProperty('idempotent-replayed')
})

row('Errors 2 | 500', 'it is internal_error, and the same idempotency key then gets the one sale', async () => {
  const own = await startGateway({ FISKD_DOCS_URL: DOCS })
  const sale = own.sale()
  const mend = await breakOutcomes(own)
  const answer = await own.post(sale, 'again')
  await mend()
  expectRefusal(answer, 500, 'internal_error', null)
  const again = await own.post(sale, 'again')
  expect(again).toMatchObject({ status: 200, body: { number: '1' } })
  await own.sweep()
  expect(await own.invoice(again.body.id)).toMatchObject({ number: '1', status: 'confirmed' })
  expect((await own.sell()).number).toBe('2')
})

row('Errors 2 | 503', 'it comes from GET /v1/health alone, while no sale can be stored', async () => {
  const own = await startGateway()
  const mend = await blockWrites(own)
  expect((await own.post()).status).toBe(500)
  const down = await keyless(own, '/v1/health')
  expect(down.status).toBe(503)
  expect(down.body).toMatchObject({ status: 'down', version: '1.0.0', checks: { database: { status: 'down' } } })
  expect((await keyless(own, '/v1/health/fiscal')).status).toBe(200)
  await mend()
  await expect.poll(() => keyless(own, '/v1/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
})

/** Makes storing an outcome fail, as a full disk does, until the returned function is called. */
const breakOutcomes = (gateway: Gateway) => breakInserts(gateway, 'messages')
