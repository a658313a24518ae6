import { beforeAll, expect, test } from 'vitest'
import { inDatabase } from '../support/database.ts'
import { addCompany, type Gateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})

test.each([
  ['no header', ''],
  ['another scheme', 'Basic Zm9vOmJhcg=='],
  ['a key that does not exist', `Bearer fisk_test_${'A'.repeat(43)}`],
  ['a key without prefix', 'Bearer secret'],
  ['a very long key', `Bearer fisk_test_${'A'.repeat(5000)}`],
])('%s is no authentication', async (_what, authorization) => {
  const answer = await gateway.v1('/invoices/inv_1', { headers: { authorization } })
  expect(answer).toMatchObject({
    status: 401,
    body: { error: { type: 'authentication_error', code: 'invalid_api_key' } },
  })
})

test('a live key does not reach a company in test mode, whatever else is wrong with the sale', async () => {
  const live = await gateway.createKey({ mode: 'live' })
  expect(live).toMatch(/^fisk_live_/)
  const body = gateway.sale({ total: 'wrong' })
  const headers = { authorization: `Bearer ${live}`, 'idempotency-key': 'live' }
  const answer = await gateway.v1('/invoices', { body, headers })
  expect(answer).toMatchObject({ status: 403, body: { error: { type: 'permission_error', code: 'mode_mismatch' } } })
})

test('a live key does not see an invoice of the test mode', async () => {
  const sold = await gateway.sell()
  const live = await gateway.createKey({ mode: 'live' })
  const answer = await gateway.v1(`/invoices/${sold.id}`, { headers: { authorization: `Bearer ${live}` } })
  expect(answer).toMatchObject({ status: 404, body: { error: { code: 'invalid_request', param: 'id' } } })
})

test('a key without the scope of an endpoint is refused', async () => {
  const reader = await gateway.createKey({ scopes: ['invoices:read'] })
  const headers = { authorization: `Bearer ${reader}`, 'idempotency-key': 'reader' }
  const refused = { status: 403, body: { error: { type: 'permission_error', code: 'insufficient_scope' } } }
  expect(await gateway.v1('/invoices', { body: gateway.sale(), headers })).toMatchObject(refused)
  expect(await gateway.v1('/companies', { body: { name: 'X', oib: OIBS[1] }, headers })).toMatchObject(refused)
  expect(await gateway.v1('/invoices/inv_1/retry', { method: 'POST', headers })).toMatchObject(refused)
})

test('a key with fleet scopes makes companies and devices over TLS', async () => {
  const key = await gateway.createKey({ scopes: ['fleet:write'] })
  const headers = { authorization: `Bearer ${key}` }
  const company = await gateway.v1('/companies', { body: { name: 'Druga', oib: OIBS[2] }, headers })
  expect(company.status).toBe(201)
  const body = { company_id: company.body.id, premises_code: 'P1', label: 'a' }
  expect((await gateway.v1('/devices', { body, headers })).status).toBe(201)
  const live = await gateway.v1('/companies', { body: { name: 'X', oib: OIBS[1], mode: 'live' }, headers })
  expect(live).toMatchObject({ status: 403, body: { error: { code: 'mode_mismatch', param: 'mode' } } })
})

test('a key bound to a device sells for it alone and sees its sales alone', async () => {
  const sold = await gateway.sell()
  const other = await gateway.addDevice({ isu_number: '77' })
  const bound = await gateway.createKey({ device_id: other })
  const headers = { authorization: `Bearer ${bound}`, 'idempotency-key': 'bound' }
  expect(await gateway.v1('/invoices', { body: gateway.sale(), headers })).toMatchObject({ status: 403 })
  expect(await gateway.v1(`/invoices/${sold.id}`, { headers })).toMatchObject({ status: 404 })
  const own = await gateway.v1('/invoices', { body: gateway.sale({ device_id: other }), headers })
  expect(own.status).toBe(200)
})

test('a key bound to a device never reaches beyond it', async () => {
  for (const scope of ['fleet:write', 'certificates:write', 'sync']) {
    const body = { mode: 'test', device_id: gateway.deviceId, scopes: ['invoices:write', scope] }
    const answer = await gateway.admin('/admin/keys', { body })
    expect(answer).toMatchObject({ status: 400, body: { error: { param: 'scopes' } } })
  }
  const other = await gateway.addDevice({ isu_number: '78' })
  const bound = await gateway.createKey({ device_id: other })
  const headers = { authorization: `Bearer ${bound}`, 'idempotency-key': 'not its own' }
  const unseen = await gateway.addDevice({ isu_number: '79' })
  const answer = await gateway.v1('/invoices', { body: gateway.sale({ device_id: unseen }), headers })
  expect(answer).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope', param: 'device_id' } } })
  const { body } = await gateway.admin<{ data: { id: string; last_seen_at: string | null }[] }>('/v1/devices')
  expect(body.data.find(({ id }) => id === unseen)?.last_seen_at).toBeNull()
})

test('an unknown scope is refused by name', async () => {
  const answer = await gateway.admin('/admin/keys', { body: { mode: 'test', scopes: ['invoices:writ'] } })
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { param: 'scopes', message: expect.stringContaining('invoices:writ') } },
  })
})

test('admin routes exist on the admin socket only', async () => {
  expect((await gateway.admin('/admin/status')).status).toBe(200)
  const { status } = await gateway.v1('/../admin/status')
  expect([401, 404]).toContain(status)
})

test('the database holds the hash of a key, not the key', async () => {
  const dump = JSON.stringify(await inDatabase(gateway, 'SELECT * FROM api_keys'))
  expect(dump).not.toContain(gateway.key)
  expect(dump).toContain('"mode":"test"')
})

test('X-Request-Id is echoed, or made when there is none worth echoing', async () => {
  const echoed = await gateway.v1('/health', { headers: { 'x-request-id': 'sale-4711' } })
  expect(echoed.headers['x-request-id']).toBe('sale-4711')
  const made = await gateway.v1('/health')
  expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  const hostile = await gateway.v1('/health', { headers: { 'x-request-id': `a b${'x'.repeat(300)}` } })
  expect(hostile.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('health needs no key', async () => {
  const headers = { authorization: '' }
  const health = await gateway.v1('/health', { headers })
  expect(health).toMatchObject({
    status: 200,
    body: { status: 'ok', version: '1.0.0', checks: { database: { status: 'ok' } } },
  })
  const fiscal = await gateway.v1('/health/fiscal', { headers })
  expect(fiscal).toMatchObject({
    status: 200,
    body: { reachable: true, mode: 'test', detail: null, endpoint: gateway.cis.url },
  })
})

test('an unknown route has the error body too', async () => {
  const answer = await gateway.v1('/nothing')
  expect(answer).toMatchObject({ status: 404, body: { error: { type: 'not_found', code: 'invalid_request' } } })
})

test('the fiscal health of an unreachable authority is still an answer, asked once for fifteen seconds', async () => {
  const own = await startSharedGateway()
  await own.cis.goDown()
  const [first, second] = await Promise.all([own.v1('/health/fiscal'), own.v1('/health/fiscal')])
  expect(first).toMatchObject({ status: 200, body: { reachable: false, detail: expect.any(String) } })
  expect(second.body).toEqual(first.body)
  await own.cis.comeBack()
  expect((await own.v1('/health/fiscal')).body).toEqual(first.body)
  own.clock.aheadMs = 16_000
  expect((await own.v1('/health/fiscal')).body).toMatchObject({ reachable: true })
})

test('an invoice of another company of the same tenant is visible to an unbound key', async () => {
  const company_id = await addCompany(gateway, OIBS[1])
  const device_id = await gateway.addDevice({ company_id, isu_number: '5' })
  const sold = await gateway.sell({ device_id })
  expect(await gateway.invoice(sold.id)).toMatchObject({ id: sold.id, company_id })
})
