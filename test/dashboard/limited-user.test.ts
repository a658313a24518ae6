import { beforeAll, expect, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { listenToRoutes, type Routes } from '../support/routes.ts'

/** Everything that could give the other company away. */
const OIB = '98765432106'
const [NAME, LABEL, PREMISES, ISU] = ['Tajna tvrtka d.o.o.', 'Tajni-uređaj', 'TAJNI7', '998877']
const TAG = 'Tajna skupina'

let office: Office
let limited: Visitor
let routes: Routes
/** Ids of the other company, by the name of the parameter in an address. */
const theirs = { company: companyIdOf(OIB), device: '' }

beforeAll(async () => {
  routes = listenToRoutes()
  office = await startSharedDashboard()
  const company = await office.admin('/v1/companies', { body: { oib: OIB, name: NAME, vat_registered: true } })
  expect(company.status, company.text).toBe(201)
  theirs.company = String(company.body.id)
  const device = { company_id: theirs.company, premises_code: PREMISES, label: LABEL, isu_number: ISU }
  const made = await office.admin('/v1/devices', { body: device })
  expect(made.status, made.text).toBe(201)
  theirs.device = String(made.body.id)
  const page = `/dashboard/devices/${theirs.device}`
  await (await office.as('operator')).submit(page, { tags: TAG }, `${page}/tags`)
  await office.sell()
  limited = await office.as('admin')
  const ours = await office.admin<{ data: { oib: string }[] }>('/v1/companies')
  const mine = ours.body.data.find(({ oib }) => oib !== OIB)?.oib
  const set = await office.admin(`/admin/users/${limited.name}/companies`, { body: { companies: [mine] } })
  expect(set.status, set.text).toBe(200)
  await limited.get('/dashboard')
})

const secrets = () => [NAME, LABEL, PREMISES, ISU, TAG, OIB, theirs.company, theirs.device]
const told = (text: string) => secrets().filter((secret) => text.includes(secret))

test('no page tells somebody who is limited to one company anything of another one', async () => {
  const addresses = routes.outside().filter(({ method, url }) => method === 'GET' && url.startsWith('/dashboard'))
  expect(addresses.length).toBeGreaterThan(40)
  for (const { url } of addresses) {
    if (url.includes('*') || url.startsWith('/dashboard/assets')) continue
    for (const id of [theirs.company, theirs.device]) {
      const path = url.replace(/:[a-z]+/gi, id)
      const answer = await limited.get(path)
      // The address itself, which a link of the page may repeat, was known before.
      expect([path, answer.status < 500, told(answer.text.replaceAll(id, ''))]).toEqual([path, true, []])
    }
  }
})

test('whatever somebody who is limited to one company posts about another one is refused', async () => {
  const before = await office.admin<object>(`/v1/devices?company_id=${theirs.company}`)
  const posts = routes.outside().filter(({ method, url }) => method === 'POST' && url.startsWith('/dashboard/'))
  const hidden = (await limited.get('/dashboard/account')).hidden('/dashboard/account')
  const fields = { label: 'x', company: theirs.company, company_id: theirs.company, isu_number: '1', name: 'x' }
  for (const { url } of posts) {
    if (!url.includes(':') || url.includes('*')) continue
    for (const id of [theirs.company, theirs.device]) {
      const path = url.replace(/:[a-z]+/gi, id)
      const answer = await limited.post(path, { ...hidden, ...fields })
      expect([path, [400, 403, 404, 406, 415, 422].includes(answer.status)]).toEqual([path, true])
      expect(told(answer.text.replaceAll(id, ''))).toEqual([])
    }
  }
  expect((await office.admin<object>(`/v1/devices?company_id=${theirs.company}`)).body).toEqual(before.body)
})

test.each(['/users', '/users/new', '/keys', '/keys/new', '/companies/new'])(
  'what concerns all companies is not for somebody who is limited: %s',
  async (page) => {
    expect((await limited.get(`/dashboard${page}`)).status).toBe(403)
    expect((await limited.get('/dashboard')).text).not.toContain(`href="/dashboard${page}"`)
  },
)

test('a limit needs a company that exists, and can be lifted', async () => {
  const visitor = await office.as('viewer')
  const path = `/admin/users/${visitor.name}/companies`
  expect((await office.admin(path, { body: { companies: ['12345678903'] } })).status).toBe(400)
  expect((await office.admin(path, { body: { companies: [] } })).status).toBe(400)
  expect((await office.admin(path, { body: { companies: [OIB] } })).status).toBe(200)
  expect((await visitor.get('/dashboard/companies')).words).toContain(NAME)
  expect((await visitor.get(`/dashboard/devices/${office.deviceId}`)).status).toBe(404)
  expect((await office.admin(path, { body: { companies: null } })).status).toBe(200)
  expect((await visitor.get(`/dashboard/devices/${office.deviceId}`)).status).toBe(200)
})
