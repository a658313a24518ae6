import { beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/call.ts'
import { inDatabase } from '../support/database.ts'
import { addCompany, type Gateway, type InvoiceBody, startGateway, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'

const PASSWORD = 'tajna lozinka šđž'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
  for (const role of ['viewer', 'operator', 'admin']) await addUser(gateway, { name: `${role}@example.hr`, role })
  await addUser(gateway, { name: 'platform@example.hr', role: 'viewer', is_platform_admin: true })
  await gateway.admin('/admin/tenants', { body: { name: 'drugi' } })
  const body = { name: 'Druga d.o.o.', oib: OIBS[1] }
  const company = await gateway.admin('/v1/companies', { body, headers: inTenant })
  const device = { company_id: company.body.id, premises_code: 'P1', label: 'a' }
  await gateway.admin('/v1/devices', { body: device, headers: inTenant })
})

const inTenant = { 'x-tenant': 'drugi' }

function addUser(house: Gateway, user: object) {
  return house.admin('/admin/users', { body: { password: PASSWORD, ...user } })
}

interface Signed {
  cookie: string
  csrf: string
  headers: Record<string, string>
}

function postSignIn(house: Gateway, name: string, password = PASSWORD) {
  const headers = { authorization: undefined }
  return house.v1('/../dashboard/session', { body: { name, password }, headers }) as Promise<Answer<never>>
}

async function signIn(name: string, house = gateway): Promise<Signed> {
  const answer = (await postSignIn(house, name)) as Answer<{ csrf_token: string }>
  if (answer.status !== 201) throw new Error(answer.text)
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
  return { cookie, csrf: answer.body.csrf_token, headers: { cookie, 'x-csrf-token': answer.body.csrf_token } }
}

/** Over TLS without an API key. */
function ask(
  path: string,
  headers: Record<string, string>,
  rest: { method?: string; body?: unknown } = {},
  house = gateway,
) {
  const answer = house.v1(path, { ...rest, headers: { ...headers, authorization: undefined } })
  return answer as Promise<Answer<InvoiceBody & { data: { oib: string }[] }>>
}

test('whoever signs in gets a cookie that scripts, other sites and plain HTTP never see', async () => {
  const answer = await postSignIn(gateway, 'Viewer@example.hr')
  expect(answer).toMatchObject({
    status: 201,
    body: {
      user: { name: 'viewer@example.hr', role: 'viewer', is_platform_admin: false },
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
    },
  })
  const cookie = String(answer.headers['set-cookie'])
  expect(cookie).toMatch(/^__Host-fiskd_session=[\w-]{43};/)
  for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(attribute)
  expect(answer.text).not.toContain('scrypt')
})

test('a wrong password and an unknown name are refused in the same words', async () => {
  const wrong = await postSignIn(gateway, 'viewer@example.hr', 'pogrešna')
  const unknown = await postSignIn(gateway, 'nobody@example.hr')
  expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'invalid_credentials', param: 'password' } } })
  expect(unknown.text).toBe(wrong.text)
  expect(wrong.headers['set-cookie']).toBeUndefined()
})

test('a session reads with its cookie alone, and changes something only with its CSRF token too', async () => {
  const { cookie, headers } = await signIn('operator@example.hr')
  expect((await ask('/companies', { cookie })).body.data.map(({ oib }) => oib)).toEqual([OIBS[0]])
  const patch = { method: 'PATCH', body: { name: 'Samoposluga d.o.o.' } }
  const path = `/companies/${gateway.companyId}`
  for (const token of [undefined, '', 'x'.repeat(43)]) {
    const answer = await ask(path, { cookie, ...(token !== undefined && { 'x-csrf-token': token }) }, patch)
    expect(answer).toMatchObject({
      status: 403,
      body: { error: { code: 'csrf_token_invalid', param: 'X-CSRF-Token' } },
    })
  }
  expect((await ask(path, headers, patch)).status).toBe(200)
})

test('the CSRF token of one session is none of another', async () => {
  const [one, other] = [await signIn('operator@example.hr'), await signIn('operator@example.hr')]
  const headers = { cookie: one.cookie, 'x-csrf-token': other.csrf }
  const answer = await ask(`/companies/${gateway.companyId}`, headers, { method: 'PATCH', body: {} })
  expect(answer.body.error.code).toBe('csrf_token_invalid')
})

test('a role decides what a session may do', async () => {
  const body = { company_id: gateway.companyId, premises_code: 'P9', label: 'by role' }
  const viewer = await signIn('viewer@example.hr')
  expect(await ask('/devices', viewer.headers, { body })).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope' } },
  })
  const operator = await signIn('operator@example.hr')
  expect((await ask('/devices', operator.headers, { body })).status).toBe(201)
  const upload = new FormData()
  expect((await ask('/certificates', operator.headers, { body: upload })).status).not.toBe(201)
})

test('a session sees the invoices of both modes', async () => {
  const sold = await gateway.sell()
  const { cookie } = await signIn('viewer@example.hr')
  expect((await ask(`/invoices/${sold.id}`, { cookie })).status).toBe(200)
})

test('a session that was ended, or is over after twelve hours, or whose user is gone, is none any more', async () => {
  const house = await startGateway()
  await addUser(house, { name: 'ana', role: 'viewer' })
  const read = async (cookie: string) => (await ask('/companies', { cookie }, {}, house)).status
  const out = await signIn('ana', house)
  expect(await read(out.cookie)).toBe(200)
  const ended = await ask('/../dashboard/session', out.headers, { method: 'DELETE' }, house)
  expect(ended.status).toBe(204)
  expect(await read(out.cookie)).toBe(401)
  const again = await ask('/../dashboard/session', out.headers, { method: 'DELETE' }, house)
  expect(again.status).toBe(204)

  const late = await signIn('ana', house)
  house.clock.aheadMs = 12 * 3_600_000 - 60_000
  expect(await read(late.cookie)).toBe(200)
  house.clock.aheadMs = 12 * 3_600_000 + 60_000
  expect(await read(late.cookie)).toBe(401)

  const gone = await signIn('ana', house)
  await house.admin('/admin/users/ana', { method: 'DELETE' })
  const refused = await ask('/companies', { cookie: gone.cookie }, {}, house)
  expect(refused).toMatchObject({ status: 401, body: { error: { code: 'invalid_session' } } })
})

test('a page learns its user and its CSRF token again from the cookie', async () => {
  const { cookie, csrf } = await signIn('viewer@example.hr')
  const answer = await ask('/../dashboard/session', { cookie })
  expect(answer).toMatchObject({ status: 200, body: { user: { name: 'viewer@example.hr' }, csrf_token: csrf } })
  expect((await ask('/../dashboard/session', {})).body.error.code).toBe('invalid_session')
})

test('an API key beside a cookie is what counts', async () => {
  const { cookie } = await signIn('operator@example.hr')
  const answer = await gateway.v1('/companies', { headers: { cookie } })
  expect(answer).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
})

test('the database holds neither passwords nor the tokens of sessions', async () => {
  const { cookie } = await signIn('viewer@example.hr')
  const tables = ['SELECT * FROM users', 'SELECT * FROM sessions'].map((query) => inDatabase(gateway, query))
  const dump = JSON.stringify(await Promise.all(tables))
  expect(dump).not.toContain(PASSWORD)
  expect(dump).not.toContain(cookie.split('=')[1])
})

test('a platform administrator lists the companies and devices of all tenants, and each time leaves a trace', async () => {
  const { cookie } = await signIn('platform@example.hr')
  const traces = async () => {
    const { body } = await gateway.admin<{ data: { action: string; detail: object }[] }>('/admin/audit')
    return body.data.filter(({ action }) => action === 'all_tenants.read').map(({ detail }) => detail)
  }
  expect((await ask('/companies', { cookie })).body.data).toHaveLength(1)
  expect(await traces()).toEqual([])
  const all = await ask('/companies?all_tenants=true', { cookie })
  expect(all.body.data.map(({ oib }) => oib)).toEqual([OIBS[0], OIBS[1]])
  expect(all.text).not.toContain('tenant')
  expect((await ask('/devices?all_tenants=true', { cookie })).body.data.length).toBeGreaterThan(1)
  expect(await traces()).toEqual([{ list: 'devices' }, { list: 'companies' }])
  expect((await ask('/invoices?all_tenants=true', { cookie })).status).toBe(400)
})

test('all_tenants is ignored for everybody else, whatever it says, and the answer has the same shape', async () => {
  const key = await gateway.createKey({ scopes: ['fleet:read'] })
  const asKey = (path: string) => gateway.v1(path, { headers: { authorization: `Bearer ${key}` } })
  const plain = await asKey('/companies')
  for (const value of ['true', '1', '', 'true&all_tenants=true']) {
    const answer = await asKey(`/companies?all_tenants=${value}`)
    expect(answer).toMatchObject({ status: 200, text: plain.text })
  }
  const viewer = await signIn('viewer@example.hr')
  expect((await ask('/companies?all_tenants=true', { cookie: viewer.cookie })).body.data).toHaveLength(1)
  const operator = await gateway.admin<{ data: object[] }>('/v1/companies?all_tenants=true')
  expect(operator.body.data).toHaveLength(1)
})

test('a short password and a name that is taken are refused', async () => {
  const short = await gateway.admin('/admin/users', { body: { name: 'x', password: 'kratka' } })
  expect(short).toMatchObject({ status: 400, body: { error: { param: 'password' } } })
  const taken = await addUser(gateway, { name: 'VIEWER@example.hr' })
  expect(taken).toMatchObject({ status: 409, body: { error: { param: 'name' } } })
})

test('a company in a tenant of its own keeps its certificate and its sales to itself', async () => {
  await addCompany(gateway, OIBS[2])
  const { cookie } = await signIn('viewer@example.hr')
  const oibs = (await ask('/companies', { cookie })).body.data.map(({ oib }) => oib)
  expect(oibs).toEqual([OIBS[0], OIBS[2]])
})
