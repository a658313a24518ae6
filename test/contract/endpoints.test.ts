import { beforeAll, expect, onTestFinished } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { type Ask, clientOf, INSTANT, importForm, keyless, refused, UUID } from './support-endpoints.ts'

let gateway: Gateway
let client: Ask
beforeAll(async () => {
  gateway = await startSharedGateway()
  client = await clientOf(gateway)
})

const envelope = { object: 'list', data: expect.any(Array), has_more: false, next_cursor: null }
const NOBODY = '00000000-0000-4000-8000-000000000000'

row('Endpoints | POST | /v1/invoices', 'a sale gets its JIR in the same response, and needs a key', async () => {
  const before = gateway.cis.received.length
  const body = gateway.sale()
  const missing = await client('/invoices', { body })
  expect(missing).toMatchObject(refused(400, 'missing_idempotency_key', 'Idempotency-Key'))
  expect(gateway.cis.received).toHaveLength(before)

  const sold = await client('/invoices', { body, headers: { 'idempotency-key': 'endpoint' } })
  expect(sold.status).toBe(200)
  expect(sold.body).toMatchObject({ status: 'confirmed', jir: gateway.cis.received.at(-1)?.jir })
  expect(gateway.cis.received).toHaveLength(before + 1)
})

row(
  'Endpoints | GET | /v1/invoices/{id}',
  'the stored invoice comes back with what the sweep changed since',
  async () => {
    gateway.cis.misbehave('s006', 's006')
    const sold = await gateway.sell()
    expect(sold.status).toBe('retrying')
    expect((await client(`/invoices/${sold.id}`)).body).toMatchObject({ id: sold.id, status: 'retrying', jir: null })
    await gateway.sweep()
    const { status, body } = await client(`/invoices/${sold.id}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: sold.id, zki: sold.zki, status: 'confirmed', jir: expect.stringMatching(UUID) })
    expect(await client('/invoices/inv_nothing')).toMatchObject(refused(404, 'invalid_request', 'id'))
  },
)

row('Endpoints | GET | /v1/invoices', 'the list envelope holds what the single invoice holds', async () => {
  const sold = await gateway.sell()
  const { status, body } = await client('/invoices')
  expect(status).toBe(200)
  expect(body).toEqual(envelope)
  const { body: single } = await client(`/invoices/${sold.id}`)
  expect(body.data.find(({ id }) => id === sold.id)).toEqual(single)
})

row('Endpoints | POST | /v1/invoices/{id}/retry', 'sends again what has no JIR, and nothing else', async () => {
  gateway.cis.misbehave({ error: 's001' })
  const sold = await gateway.sell()
  expect(sold.status).toBe('failed')
  const before = gateway.cis.received.length
  const retried = await client(`/invoices/${sold.id}/retry`, { method: 'POST' })
  const { fiscal_error: _, ...unchanged } = sold
  expect(retried.status).toBe(200)
  expect(retried.body).toEqual({
    ...unchanged,
    status: 'confirmed',
    jir: expect.stringMatching(UUID),
    qr_payload: expect.stringContaining('?jir='),
  })
  expect(gateway.cis.received.slice(before)).toMatchObject([{ lateDelivery: true, zki: sold.zki }])

  const again = await client(`/invoices/${sold.id}/retry`, { method: 'POST' })
  expect(again).toMatchObject(refused(409, 'invalid_request', 'id'))
  expect(gateway.cis.received).toHaveLength(before + 1)
  const unknown = await client('/invoices/inv_nothing/retry', { method: 'POST' })
  expect(unknown).toMatchObject(refused(404, 'invalid_request', 'id'))
})

row(
  'Endpoints | GET, POST, PATCH | /v1/companies (PATCH on /v1/companies/{id})',
  'companies are made, changed and listed, but neither fetched alone nor deleted',
  async () => {
    const made = await client('/companies', { body: { name: 'Nova', oib: OIBS[2] } })
    expect(made).toMatchObject({ status: 201, body: { id: companyIdOf(OIBS[2]), certificate_status: 'missing' } })
    const path = `/companies/${made.body.id}`
    const changed = await client(path, { method: 'PATCH', body: { name: 'Nova d.o.o.' } })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...made.body, name: 'Nova d.o.o.' })
    const { status, body } = await client('/companies')
    expect(status).toBe(200)
    expect(body).toEqual(envelope)
    expect(body.data.find(({ id }) => id === made.body.id)).toEqual(changed.body)
    for (const method of ['GET', 'DELETE', 'PUT']) expect((await client(path, { method })).status).toBe(404)
    const unknown = await client(`/companies/${NOBODY}`, { method: 'PATCH', body: { name: 'X' } })
    expect(unknown).toMatchObject(refused(404, 'invalid_request', 'id'))
  },
)

row(
  'Endpoints | GET, POST, PATCH | /v1/devices (PATCH on /v1/devices/{id})',
  'devices are made, changed and listed, but neither fetched alone nor deleted',
  async () => {
    const device = { company_id: gateway.companyId, premises_code: 'POSL2', label: 'Kavomat 2' }
    const made = await client('/devices', { body: device })
    expect(made).toMatchObject({ status: 201, body: { ...device, isu_number: null, isu_status: 'pending' } })
    const path = `/devices/${made.body.id}`
    const changed = await client(path, { method: 'PATCH', body: { isu_number: '102' } })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...made.body, isu_number: '102', isu_status: 'assigned' })
    const { status, body } = await client('/devices')
    expect(status).toBe(200)
    expect(body).toEqual(envelope)
    expect(body.data.find(({ id }) => id === made.body.id)).toEqual(changed.body)
    for (const method of ['GET', 'DELETE', 'PUT']) expect((await client(path, { method })).status).toBe(404)
    const unknown = await client(`/devices/${NOBODY}`, { method: 'PATCH', body: { label: 'X' } })
    expect(unknown).toMatchObject(refused(404, 'invalid_request', 'id'))
  },
)

row('Endpoints | POST | /v1/devices/import', 'a CSV file makes devices', async () => {
  const body = importForm(gateway.companyId, 'label,premises_code,isu_number\nUvezeni,POSL3,103\n')
  const imported = await client('/devices/import', { body })
  expect(imported.status).toBe(200)
  expect(imported.body).toEqual({
    object: 'device_import',
    dry_run: false,
    processed: 1,
    created: 1,
    updated: 0,
    failed: 0,
    errors: [],
  })
  const { body: listed } = await client('/devices?premises_code=POSL3')
  expect(listed.data).toMatchObject([{ label: 'Uvezeni', isu_number: '103', company_id: gateway.companyId }])
})

row('Endpoints | POST | /v1/certificates', 'a certificate goes in, and its key never comes out', async () => {
  const company_id = await addCompany(gateway, OIBS[1])
  const { p12, passphrase } = await certificateOf(OIBS[1])
  const body = new FormData()
  for (const [name, value] of Object.entries({ company_id, passphrase, label: 'druga' })) body.set(name, value)
  body.set('file', new Blob([new Uint8Array(p12)]), 'certificate.p12')
  const uploaded = await client('/certificates', { body })
  expect(uploaded.status).toBe(201)
  const members =
    'id company_id label subject_oib subject_cn issuer serial not_before not_after days_until_expiry status uploaded_at'
  expect(Object.keys(uploaded.body).sort()).toEqual(members.split(' ').sort())
  expect(uploaded.body).toMatchObject({ company_id, label: 'druga', subject_oib: OIBS[1], status: 'valid' })
  for (const path of [`/certificates/${uploaded.body.id}`, `/certificates/${uploaded.body.id}/key`]) {
    expect((await client(path)).status).toBe(404)
  }
})

row('Endpoints | GET | /v1/certificates', 'metadata comes in the list envelope', async () => {
  const { status, body, text } = await client(`/certificates?company_id=${gateway.companyId}`)
  expect(status).toBe(200)
  expect(body).toEqual(envelope)
  expect(body.data).toMatchObject([
    {
      company_id: gateway.companyId,
      subject_oib: OIBS[0],
      status: 'valid',
      uploaded_at: expect.stringMatching(INSTANT),
    },
  ])
  expect(text).not.toMatch(/key|passphrase|PRIVATE/i)
})

row('Endpoints | GET | /v1/countries', 'Croatia is a plain array of one, for who has a key', async () => {
  const { status, body } = await client('/countries')
  expect(status).toBe(200)
  expect(body).toEqual([
    { code: 'HR', capabilities: ['unattended_sale', 'ordinary_receipt', 'echo'], fiscalization_deadline_days: 30 },
  ])
  expect(await keyless(gateway, '/v1/countries')).toMatchObject(refused(401, 'invalid_api_key', 'Authorization'))
})

row(
  'Endpoints | GET | /v1/countries/{code}/schemas',
  'the JSON Schemas of requests are there for everybody',
  async () => {
    const { status, body } = await keyless(gateway, '/v1/countries/HR/schemas')
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['code', 'schemas'])
    expect(body).toMatchObject({
      code: 'HR',
      schemas: { invoice: { type: 'object', required: ['device_id', 'occurred_at', 'total'] } },
    })
    expect(await keyless(gateway, '/v1/countries/XX/schemas')).toMatchObject(refused(404, 'invalid_request', 'code'))
  },
)

row('Endpoints | GET | /v1/health', 'the service says that it lives, whatever the tax authority does', async () => {
  await gateway.cis.goDown()
  onTestFinished(() => gateway.cis.comeBack())
  const { status, body } = await keyless(gateway, '/v1/health')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    status: 'ok',
    version: '1.0.0',
    checks: { database: { status: 'ok' } },
    checked_at: expect.stringMatching(INSTANT),
  })
  for (const count of [body.uptime_s, (body.checks as { database: { latency_ms: number } }).database.latency_ms]) {
    expect(Number.isInteger(count) && Number(count) >= 0).toBe(true)
  }
})

row('Endpoints | GET | /v1/health/fiscal', 'whether the tax authority answers is always a 200', async () => {
  const { status, body } = await keyless(gateway, '/v1/health/fiscal')
  expect(status).toBe(200)
  expect(body).toEqual({
    reachable: true,
    latency_ms: expect.any(Number),
    endpoint: gateway.cis.url,
    mode: 'test',
    checked_at: expect.stringMatching(INSTANT),
    detail: null,
  })
  expect(Number.isInteger(body.latency_ms)).toBe(true)

  await gateway.cis.goDown()
  onTestFinished(async () => {
    gateway.clock.aheadMs = 0
    await gateway.cis.comeBack()
  })
  gateway.clock.aheadMs = 16_000
  const down = await keyless(gateway, '/v1/health/fiscal?mode=live')
  expect(down).toMatchObject({ status: 200, body: { reachable: false, mode: 'test', detail: expect.any(String) } })
})

row('Endpoints | POST | /v1/invoices', 'there are no webhooks and no batches', async () => {
  for (const path of ['/webhooks', '/events', '/invoices/batch', '/batches']) {
    const answer = await client(path, { body: [], headers: { 'idempotency-key': 'batch' } })
    expect(answer).toMatchObject({ status: 404, body: { error: { type: 'not_found' } } })
  }
})
