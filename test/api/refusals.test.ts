import { beforeAll, expect, test } from 'vitest'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

const line = { rate: '25.00', base: '2.00', amount: '0.50' }
const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const attended = { sale_type: 'attended', register_mark: '1', operator_oib: '69435151530' }

test.each([
  ['device_id is missing', { device_id: undefined }, 'device_id', 'invalid_request'],
  ['device_id is no UUID', { device_id: '1234' }, 'device_id', 'invalid_request'],
  ['device_id is null', { device_id: null }, 'device_id', 'invalid_request'],
  ['occurred_at is missing', { occurred_at: undefined }, 'occurred_at', 'invalid_request'],
  ['a time without offset', { occurred_at: '2026-11-21T10:00:00' }, 'occurred_at', 'invalid_request'],
  ['a time without seconds', { occurred_at: '2026-11-21T10:00+01:00' }, 'occurred_at', 'invalid_request'],
  ['a date that no calendar has', { occurred_at: '2026-02-30T10:00:00Z' }, 'occurred_at', 'invalid_request'],
  ['total is missing', { total: undefined }, 'total', 'invalid_request'],
  ['total as a number', { total: 2.5 }, 'total', 'invalid_request'],
  ['total with one decimal', { total: '2.5' }, 'total', 'invalid_request'],
  ['a negative zero', { total: '-0.00' }, 'total', 'invalid_request'],
  ['a plus sign', { total: '+2.50' }, 'total', 'invalid_request'],
  ['payment_method is missing', { payment_method: undefined }, 'payment_method', 'invalid_request'],
  ['payment_method is null', { payment_method: null }, 'payment_method', 'invalid_request'],
  ['payment_method as a number', { payment_method: 1 }, 'payment_method', 'invalid_request'],
  ['an unknown field', { totl: '2.50' }, 'totl', 'invalid_request'],
  ['an unknown field in a tax line', { vat: [{ ...line, name: 'PDV' }] }, 'vat[0].name', 'invalid_request'],
  ['a tax line without a base', { vat: [line, { ...line, base: undefined }] }, 'vat[1].base', 'invalid_request'],
  ['a rate with one decimal', { vat: [{ ...line, rate: '25.0' }] }, 'vat[0].rate', 'invalid_request'],
  ['vat as an object', { vat: line }, 'vat', 'invalid_request'],
  ['another currency', { currency: 'USD' }, 'currency', 'invalid_request'],
  ['an unknown sale type', { sale_type: 'manned' }, 'sale_type', 'invalid_request'],
  ['late_delivery as text', { late_delivery: 'true' }, 'late_delivery', 'invalid_request'],
  ['a fee without a name', { fees: [{ amount: '0.10' }] }, 'fees[0].name', 'invalid_request'],
  ['a fee with an empty name', { fees: [{ name: '', amount: '0.10' }] }, 'fees[0].name', 'invalid_request'],
  [
    'a fee name of 101 characters',
    { fees: [{ name: 'x'.repeat(101), amount: '0.10' }] },
    'fees[0].name',
    'invalid_request',
  ],
  ['a special purpose of 1001 characters', { special_purpose: 'x'.repeat(1001) }, 'special_purpose', 'invalid_request'],
  ['NUL in a text', { special_purpose: 'a\u0000b' }, 'special_purpose', 'invalid_request'],
  ['half a surrogate pair in a text', { special_purpose: 'a\ud800b' }, 'special_purpose', 'invalid_request'],
  ['sequence_mark on an unattended sale', { sequence_mark: 'P' }, 'sequence_mark', 'invalid_request'],
  ['register_mark on an unattended sale', { register_mark: '1' }, 'register_mark', 'invalid_request'],
  ['operator_oib on an unattended sale', { operator_oib: '69435151530' }, 'operator_oib', 'invalid_request'],
  ['recipient_oib on an unattended sale', { recipient_oib: '69435151530' }, 'recipient_oib', 'invalid_request'],
  ['paragon_number on an unattended sale', { paragon_number: '7' }, 'paragon_number', 'invalid_request'],
  [
    'an attended sale without register_mark',
    { ...attended, register_mark: undefined },
    'register_mark',
    'invalid_request',
  ],
  [
    'an attended sale without operator_oib',
    { ...attended, operator_oib: undefined },
    'operator_oib',
    'invalid_request',
  ],
  ['a register_mark with a leading zero', { ...attended, register_mark: '01' }, 'register_mark', 'invalid_request'],
  [
    'another tax above 999.99 %',
    { other_taxes: [{ ...line, name: 'X', rate: '1000.00' }] },
    'other_taxes[0].rate',
    'invalid_request',
  ],
  ['a sale older than 30 days', { occurred_at: at(-30.01) }, 'occurred_at', 'hr.sale_older_than_30_days'],
  ['a sale in the future', { occurred_at: at(0.01) }, 'occurred_at', 'hr.date_in_future'],
  [
    'a VAT rate that the law does not know',
    { vat: [{ ...line, rate: '24.00' }] },
    'vat[0].rate',
    'hr.invalid_vat_rate',
  ],
  ['a negative VAT rate', { vat: [{ ...line, rate: '-25.00' }] }, 'vat[0].rate', 'hr.invalid_vat_rate'],
  [
    'a consumption tax above 3 %',
    { consumption_tax: [{ ...line, rate: '3.01' }] },
    'consumption_tax[0].rate',
    'hr.invalid_pnp_rate',
  ],
  [
    'a negative consumption tax',
    { consumption_tax: [{ ...line, rate: '-0.01' }] },
    'consumption_tax[0].rate',
    'hr.invalid_pnp_rate',
  ],
  ['the abolished payment method C', { payment_method: 'C' }, 'payment_method', 'hr.invalid_payment_method'],
  ['T on an unattended sale', { payment_method: 'T' }, 'payment_method', 'hr.invalid_payment_method'],
  [
    'T with a recipient',
    { ...attended, payment_method: 'T', recipient_oib: '69435151530' },
    'payment_method',
    'hr.invalid_payment_method',
  ],
  ['cash above 10,000.00', { total: '10000.01' }, 'total', 'hr.amount_out_of_range'],
  ['a card refund below -10,000.00', { total: '-10000.01', payment_method: 'K' }, 'total', 'hr.amount_out_of_range'],
  [
    'an operator OIB with a wrong check digit',
    { ...attended, operator_oib: '69435151531' },
    'operator_oib',
    'hr.invalid_oib',
  ],
  ['a recipient OIB with a wrong check digit', { ...attended, recipient_oib: '1' }, 'recipient_oib', 'hr.invalid_oib'],
  ['the number 0', { number: '0' }, 'number', 'hr.invalid_receipt_number'],
  ['a number with leading zeros', { number: '007' }, 'number', 'hr.invalid_receipt_number'],
  ['a number of 21 digits', { number: '1'.repeat(21) }, 'number', 'hr.invalid_receipt_number'],
  ['a number that is a number', { number: 7 }, 'number', 'invalid_request'],
])('%s is refused, and nothing is numbered', async (_what, changes, param, code) => {
  const { status, body } = await gateway.post(changes)
  expect(body.error).toEqual({
    type: 'validation_error',
    code,
    message: expect.any(String),
    param,
    upstream: null,
    doc_url: expect.stringMatching(new RegExp(`/errors/${code.replace('.', '\\.')}$`)),
  })
  expect(status).toBe(400)
  expect(gateway.cis.received).toEqual([])
})

test.each([
  ['broken JSON', '{"device_id": '],
  ['an array', '[]'],
  ['a text', '"sale"'],
  ['null', 'null'],
  ['no body', ''],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
])('%s is refused', async (_what, body) => {
  const headers = { 'idempotency-key': 'malformed' }
  const answer = await gateway.v1('/invoices', { method: 'POST', body, headers })
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', type: 'validation_error' } } })
})

test('a body that tries to reach the prototype is refused as an unknown field', async () => {
  const body = JSON.stringify(gateway.sale()).replace('{', '{"__proto__":{"vat":null},')
  const answer = await gateway.v1('/invoices', { body, headers: { 'idempotency-key': 'proto' } })
  expect(answer).toMatchObject({ status: 400, body: { error: { param: '__proto__' } } })
})

test('a JSON body over 256 KB is too large', async () => {
  const answer = await gateway.post({ special_purpose: 'x'.repeat(300_000) })
  expect(answer).toMatchObject({
    status: 413,
    body: { error: { code: 'request_too_large', type: 'validation_error' } },
  })
})

test('a sale without an idempotency key, or with one of 256 characters, is refused', async () => {
  const missing = await gateway.v1('/invoices', { body: gateway.sale() })
  expect(missing).toMatchObject({
    status: 400,
    body: { error: { code: 'missing_idempotency_key', param: 'Idempotency-Key' } },
  })
  const long = await gateway.post({}, 'k'.repeat(256))
  expect(long).toMatchObject({ status: 400, body: { error: { code: 'invalid_request', param: 'Idempotency-Key' } } })
})

test('an unknown device is not found', async () => {
  const answer = await gateway.post({ device_id: '00000000-0000-4000-8000-000000000000' })
  expect(answer).toMatchObject({
    status: 404,
    body: { error: { type: 'not_found', code: 'invalid_request', param: 'device_id' } },
  })
})

test('a device without an ISU number, or suspended, does not sell', async () => {
  const pending = await gateway.addDevice()
  expect((await gateway.post({ device_id: pending })).body.error).toMatchObject({
    type: 'validation_error',
    code: 'hr.device_missing_isu',
    param: 'device_id',
  })
  const suspended = await gateway.addDevice({ isu_number: '900' })
  await gateway.admin(`/v1/devices/${suspended}`, { method: 'PATCH', body: { status: 'suspended' } })
  expect((await gateway.post({ device_id: suspended })).body.error).toMatchObject({
    code: 'device_inactive',
    param: 'device_id',
  })
})

test('a company without a certificate does not sell', async () => {
  const company = await gateway.admin('/v1/companies', { body: { name: 'Bez certifikata', oib: '00000000001' } })
  const device_id = await gateway.addDevice({ company_id: company.body.id, isu_number: '901' })
  expect((await gateway.post({ device_id })).body.error).toMatchObject({
    type: 'validation_error',
    code: 'company_missing_certificate',
    param: 'device_id',
  })
})

test('what was refused leaves its idempotency key free', async () => {
  const refused = await gateway.post({ total: '2.5' }, 'free-again')
  expect(refused.status).toBe(400)
  const sold = await gateway.post({}, 'free-again')
  expect(sold).toMatchObject({ status: 200, body: { number: '1', status: 'confirmed' } })
})
