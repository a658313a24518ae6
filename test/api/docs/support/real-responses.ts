import type { Answer, Call } from '../../../support/call.ts'
import { atTheEndOfFile } from '../../../support/file-end.ts'
import type { Gateway } from '../../../support/gateway.ts'
import { ringLogo } from '../../../support/logos.ts'
import { certificateOf, OIBS } from '../../../support/pki.ts'
import { makeTempDir } from '../../../support/temp-dir.ts'
import type { Ask } from './client.ts'

/** What the service really answered, and which operation of the document it belongs to. */
export interface RealResponse {
  operationId: string
  what: string
  answer: Answer
}

interface Doing extends Omit<Call, 'path'> {
  /** The key sent; none when empty, the one with all scopes unless given. */
  key?: string
}

const ITEM = { name: 'Kava', quantity: '1', unit_price: '2.50', amount: '2.50' }
const HOUR_MS = 3_600_000
const MONTH_MS = 31 * 24 * HOUR_MS

/** Every operation, in as many shapes of its answer as can be had from outside. */
export async function collectResponses(gateway: Gateway, ask: Ask): Promise<RealResponse[]> {
  const collected: RealResponse[] = []
  const everything = ['invoices:write', 'invoices:read', 'fleet:read', 'fleet:write', 'certificates:write']
  const master = await gateway.createKey({ scopes: everything })
  let sales = 0

  async function note(operationId: string, what: string, path: string, { key = master, ...doing }: Doing = {}) {
    const headers = { ...(key && { authorization: `Bearer ${key}` }), ...doing.headers }
    const answer = await ask<Record<string, string>>({ ...doing, path: `/v1${path}`, headers })
    collected.push({ operationId, what, answer })
    return answer
  }
  const sell = (what: string, changes: object, query = '', doing: Doing = {}) => {
    const headers = { 'idempotency-key': `real-${++sales}` }
    return note('fiscalizeSale', what, `/invoices${query}`, { body: gateway.sale(changes), headers, ...doing })
  }
  const upload = (operationId: string, what: string, path: string, parts: object, doing: Doing = {}) =>
    note(operationId, what, path, { body: formOf(parts), ...doing })

  const paper = `file:${await makeTempDir(atTheEndOfFile)}/paper.bin`
  await gateway.admin(`/admin/printers/${gateway.deviceId}`, { method: 'PATCH', body: { line: paper } })

  // Companies and what they sign with.
  const address = { street: 'Ilica 1', city: 'Zagreb', postal_code: '10000', country: 'HR' }
  const company = { name: 'Druga', oib: OIBS[1], vat_registered: false, address, fiscal_config: { sequence_mode: 'P' } }
  const { body: made } = await note('createCompany', 'with all fields', '/companies', { body: company })
  const company_id = String(made.id)
  await note('createCompany', 'taken', '/companies', { body: company })
  await note('createCompany', 'wrong OIB', '/companies', { body: { ...company, oib: '12345678901' } })
  const { p12, passphrase } = await certificateOf(OIBS[1])
  const certificate = { company_id, passphrase, file: p12 }
  await upload('uploadCertificate', 'labelled', '/certificates', { ...certificate, label: 'prvi' })
  await upload('uploadCertificate', 'the next one', '/certificates', certificate)
  await upload('uploadCertificate', 'wrong passphrase', '/certificates', { ...certificate, passphrase: 'x' })
  await upload('uploadCertificate', 'too large', '/certificates', { ...certificate, file: Buffer.alloc(300_000) })
  const logo = `/companies/${company_id}/logo`
  await note('getLogo', 'none', logo)
  await note('setLogo', 'a ring', logo, { method: 'PUT', body: formOf({ file: ringLogo() }) })
  await note('setLogo', 'no picture', logo, { method: 'PUT', body: formOf({ file: Buffer.from('x') }) })
  await note('getLogo', 'as it is printed', logo)
  await note('removeLogo', 'the one', logo, { method: 'DELETE' })
  await note('updateCompany', 'changed', `/companies/${company_id}`, { method: 'PATCH', body: { name: 'Treća' } })
  await note('updateCompany', 'live', `/companies/${company_id}`, { method: 'PATCH', body: { mode: 'live' } })
  await note('updateCompany', 'unknown', '/companies/nobody', { method: 'PATCH', body: {} })
  await note('listCompanies', 'all', '/companies')
  await note('listCompanies', 'a page', '/companies?limit=1')
  await note('listCertificates', 'all', '/certificates')

  // Devices.
  const device = { company_id, premises_code: 'POSL7', premises_address: 'Ilica 7', label: 'a' }
  const { body: installed } = await note('createDevice', 'without a number', '/devices', { body: device })
  await note('createDevice', 'taken', '/devices', { body: device })
  const numbered = { ...device, label: 'b', isu_number: '701', device_config: { payment_method: 'K' } }
  await note('createDevice', 'with a number', '/devices', { body: numbered })
  await note('updateDevice', 'changed', `/devices/${installed.id}`, { method: 'PATCH', body: { isu_number: '702' } })
  const csv = 'label,premises_code,isu_number,remark\na,POSL7,702,\nc,POSL7,,new\nd,not a code,703,\n'
  await upload('importDevices', 'rows of all kinds', '/devices/import', { company_id, file: Buffer.from(csv) })
  await upload('importDevices', 'a rehearsal', '/devices/import', {
    company_id,
    file: Buffer.from(csv),
    dry_run: 'true',
  })
  await upload('importDevices', 'no CSV', '/devices/import', { company_id, file: Buffer.from('label') })

  // Sales.
  const config = { method: 'PATCH', body: { fiscal_config: { receipt_link: 'on' } } }
  await note('updateCompany', 'with links to receipts', `/companies/${gateway.companyId}`, config)
  const { body: confirmed } = await sell('confirmed', { items: [ITEM] }, '?include_messages=true')
  await sell('attended', { sale_type: 'attended', register_mark: '7', operator_oib: OIBS[2], payment_method: 'T' })
  gateway.cis.misbehave({ error: 's001' })
  const { body: failed } = await sell('failed', { total: '-4.50' })
  await gateway.cis.goDown()
  const { body: retrying } = await sell('retrying', {}, '?include_messages=true')
  const { body: left } = await sell('left alone', { occurred_at: new Date(Date.now() - HOUR_MS).toISOString() })
  await note('retryInvoice', 'still unreachable', `/invoices/${retrying.id}/retry`, { method: 'POST' })
  await note('getFiscalHealth', 'unreachable', '/health/fiscal', { key: '' })
  await gateway.cis.comeBack()
  for (const { id } of [confirmed, failed, retrying]) await note('getInvoice', 'as it is', `/invoices/${id}`)
  await note('getInvoice', 'with its trail', `/invoices/${retrying.id}?include_messages=true`)
  await note('getInvoice', 'unknown', '/invoices/inv_nothing')
  for (const accept of ['text/plain', 'image/png', 'application/pdf', 'application/vnd.escpos', 'text/html']) {
    await note('getReceipt', accept, `/invoices/${confirmed.id}/receipt`, { headers: { accept } })
  }
  for (const accept of ['text/plain', 'image/png', 'image/svg+xml', 'text/html']) {
    await note('getReceiptLink', accept, `/invoices/${confirmed.id}/receipt-link`, { headers: { accept } })
  }
  await note('listInvoices', 'all', '/invoices')
  await note('listInvoices', 'a page', '/invoices?limit=1')
  await note('listInvoices', 'wrong limit', '/invoices?limit=0')
  const again = { method: 'POST' }
  await note('retryInvoice', 'confirmed', `/invoices/${retrying.id}/retry?include_messages=true`, again)
  await note('retryInvoice', 'not again', `/invoices/${confirmed.id}/retry`, again)
  await note('listDevices', 'that have sold', '/devices')
  gateway.clock.aheadMs = MONTH_MS
  await note('getInvoice', 'expired', `/invoices/${left.id}`)
  gateway.clock.aheadMs = 0

  // What a sale is refused for.
  await sell('no body', {}, '', { body: undefined, method: 'POST' })
  await sell('no idempotency key', {}, '', { headers: {} })
  await sell('no money', { total: '2.5' })
  await sell('the future', { occurred_at: new Date(Date.now() + HOUR_MS).toISOString() })
  await sell('of long ago', { occurred_at: new Date(Date.now() - MONTH_MS).toISOString() })
  await sell('no such VAT rate', { vat: [{ rate: '7.00', base: '2.00', amount: '0.50' }] })
  await sell('no such consumption tax', { consumption_tax: [{ rate: '4.00', base: '2.00', amount: '0.50' }] })
  await sell('a transfer at a machine', { payment_method: 'T' })
  await sell('too much cash', { total: '10000.01' })
  await sell('no buyer', { sale_type: 'attended', register_mark: '7', operator_oib: OIBS[2], recipient_oib: '1' })
  await sell('no number', { number: '007' })
  await sell('no ISU number', { device_id: await gateway.addDevice() })
  const suspended = await gateway.addDevice({ isu_number: '704' })
  await note('updateDevice', 'suspended', `/devices/${suspended}`, { method: 'PATCH', body: { status: 'suspended' } })
  await sell('of a suspended machine', { device_id: suspended })
  await sell('no such device', { device_id: company_id })
  await sell('reused key', { total: '9.99' }, '', { headers: { 'idempotency-key': 'real-1' } })
  await sell('taken number', { number: confirmed.number })
  await sell('too large', { special_purpose: 'x'.repeat(300_000) })
  await sell('no key', {}, '', { key: '' })
  await sell('a live key', {}, '', { key: await gateway.createKey({ mode: 'live' }) })
  await sell('a reading key', {}, '', { key: await gateway.createKey({ scopes: ['fleet:read'] }) })
  await sell('a revoked key', {}, '', { key: await revokedKey(gateway) })

  // The service itself.
  await note('listCountries', 'all', '/countries')
  await note('getCountrySchemas', 'of Croatia', '/countries/HR/schemas', { key: '' })
  await note('getCountrySchemas', 'of another country', '/countries/SI/schemas', { key: '' })
  await note('getHealth', 'well', '/health', { key: '' })
  collected.push({ operationId: 'getCa', what: 'local', answer: await ask({ path: '/ca.pem' }) })
  gateway.clock.aheadMs = HOUR_MS
  await note('getFiscalHealth', 'reachable', '/health/fiscal', { key: '' })
  gateway.clock.aheadMs = 0

  // More uploads than a minute has room for.
  const hasty = await gateway.createKey({ scopes: everything })
  for (let i = 0; i < 61; i++) await upload('uploadCertificate', 'one of many', '/certificates', {}, { key: hasty })
  return collected
}

function formOf(parts: object): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) {
    if (Buffer.isBuffer(value)) form.set(name, new Blob([new Uint8Array(value)]), 'file')
    else form.set(name, String(value))
  }
  return form
}

async function revokedKey(gateway: Gateway): Promise<string> {
  const { body } = await gateway.admin('/admin/keys', { body: { mode: 'test' } })
  await gateway.admin(`/admin/keys/${body.id}/revoke`, { method: 'POST' })
  return String(body.key)
}
