import type { TSchema } from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { compileWhenUsed } from '../../src/api/validation.ts'
import { AuditEntrySchema, KeyList, TenantList, UserList } from '../../src/contract/admin/access.ts'
import { AlertDetailsSchema, AlertSchema } from '../../src/contract/admin/alerts.ts'
import { DiagnosisSchema } from '../../src/contract/admin/diagnosis.ts'
import { GatewayCommandSchema, OwnerSchema } from '../../src/contract/admin/gateway-commands.ts'
import { GatewayDetailsSchema, GatewayList } from '../../src/contract/admin/gateways.ts'
import { NumberStandingList } from '../../src/contract/admin/numbers.ts'
import { PrinterList, PrintJobSchema, ReceiptTextSchema } from '../../src/contract/admin/printers.ts'
import { SweepSchema } from '../../src/contract/admin/queue.ts'
import { StatusSchema } from '../../src/contract/admin/status.ts'
import { SyncSchema } from '../../src/contract/admin/sync.ts'
import { TrustBundleList } from '../../src/contract/admin/trust.ts'
import { ErrorSchema } from '../../src/contract/error.ts'
import { ListOf } from '../../src/contract/list.ts'
import { CertificateList, CompanyList, DeviceList } from '../../src/contract/v1/fleet.ts'
import { InvoiceList, InvoiceSchema } from '../../src/contract/v1/invoice.ts'
import { HealthSchema } from '../../src/contract/v1/service.ts'
import { enrol, KIOSK } from '../support/commanded.ts'
import { type Gateway, startEmptySharedGateway, startSharedGateway } from '../support/gateway.ts'
import { startVirtualPrinterForFile } from '../support/printer.ts'

let kiosk: Gateway
let server: Gateway
let invoice: string

beforeAll(async () => {
  server = await startEmptySharedGateway({ FISKD_ROLE: 'server' })
  kiosk = await startSharedGateway({ FISKD_ROLE: 'gateway' })
  await enrol(server, kiosk)
  const { path } = await startVirtualPrinterForFile()
  const line = { line: `serial:${path}`, profile: 'epson-tm-t20' }
  await kiosk.admin(`/admin/printers/${kiosk.deviceId}`, { method: 'PATCH', body: line })
  invoice = (await kiosk.sell()).id
  await kiosk.admin(`/admin/invoices/${invoice}/copies`, { method: 'POST' })
  const user = { name: 'ana@example.hr', password: 'a long enough password' }
  expect((await kiosk.admin('/admin/users', { body: user })).status).toBe(201)
  const command = { type: 'doctor' }
  expect((await server.admin(`/admin/gateways/${KIOSK}/commands`, { body: command })).status).toBe(201)
  // An alert tells of a number that is far ahead.
  await kiosk.sell({ number: '9000000000' })
  await kiosk.watch()
})

/** What it says besides would be missing from the type that the command reads. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return inner.type === 'object' && inner.properties ? { additionalProperties: false, ...inner } : inner
}

async function expectAnswer(gateway: Gateway, path: string, schema: TSchema, status = 200): Promise<unknown> {
  const answer = await gateway.admin<unknown>(path)
  const check = compileWhenUsed({ schema: closed(schema) as object, method: 'GET', url: path })
  expect({ status: answer.status, fits: check(answer.body), errors: 'errors' in check && check.errors }).toEqual({
    ...{ status, fits: true, errors: null },
  })
  return answer.body
}

test.each<[string, TSchema]>([
  ['/v1/health', HealthSchema],
  ['/v1/companies?limit=200', CompanyList],
  ['/v1/devices?status=active&limit=100', DeviceList],
  ['/v1/certificates', CertificateList],
  ['/v1/invoices?limit=200', InvoiceList],
  ['/admin/status', StatusSchema],
  ['/admin/doctor', DiagnosisSchema],
  ['/admin/authority', DiagnosisSchema],
  ['/admin/devices?ref=machine', DeviceList],
  ['/admin/keys', KeyList],
  ['/admin/users', UserList],
  ['/admin/tenants', TenantList],
  ['/admin/audit', ListOf(AuditEntrySchema, 'List')],
  ['/admin/alerts', ListOf(AlertSchema, 'List')],
  ['/admin/numbers', NumberStandingList],
  ['/admin/printers?look=true', PrinterList],
  ['/admin/sweep', SweepSchema],
  ['/admin/sync', SyncSchema],
  ['/admin/trust', TrustBundleList],
])('what a gateway says to GET %s is what its schema says', async (path, schema) => {
  const body = await expectAnswer(kiosk, path, schema)
  // A list without rows would prove nothing of them.
  if (typeof body === 'object' && body !== null && 'data' in body) expect(body.data).not.toEqual([])
})

test('what a gateway says of one invoice and its receipt is what the schemas say', async () => {
  await expectAnswer(kiosk, `/v1/invoices/${invoice}`, InvoiceSchema)
  await expectAnswer(kiosk, `/admin/invoices/${invoice}/receipt`, ReceiptTextSchema)
  await expectAnswer(kiosk, `/admin/invoices/${invoice}/copies/1`, PrintJobSchema)
  await expectAnswer(kiosk, '/v1/invoices/inv_none', ErrorSchema, 404)
})

test('what a gateway says of one alert is what its schema says', async () => {
  const { body } = await kiosk.admin<{ data: { id: string }[] }>('/admin/alerts')
  await expectAnswer(kiosk, `/admin/alerts/${body.data[0]?.id}`, AlertDetailsSchema)
})

test('what a server says of its gateways is what the schemas say', async () => {
  await expectAnswer(server, '/admin/status', StatusSchema)
  await expectAnswer(server, '/admin/gateways', GatewayList)
  await expectAnswer(server, `/admin/gateways/${KIOSK}`, GatewayDetailsSchema)
  await expectAnswer(server, `/admin/gateways/${KIOSK}/commands`, ListOf(GatewayCommandSchema, 'List'))
  await expectAnswer(server, `/admin/owner?device_id=${kiosk.deviceId}`, OwnerSchema)
})
