import { beforeAll, expect, test } from 'vitest'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'

let office: Office
let admin: Visitor
beforeAll(async () => {
  office = await startSharedDashboard()
  admin = await office.as('admin')
})

const USERS = '/dashboard/users'
const NEW = `${USERS}/new`
const FORM = { name: 'ana', password: 'duga lozinka 1', role: 'viewer', language: 'hr', email: '', wantsMail: 'yes' }

interface Row {
  id: string
  name: string
  role: string
  is_platform_admin: boolean
  company_ids: string[] | null
}
const stored = async () => (await office.admin<{ data: Row[] }>('/admin/users')).body.data
const pageOf = async (visitor: { name: string }) => {
  const user = (await stored()).find(({ name }) => name === visitor.name)
  return `${USERS}/${user?.id}`
}

test('a new user signs in with the role, in the language that was chosen', async () => {
  const form = { ...FORM, role: 'operator', language: 'en', email: 'Ana@Example.hr' }
  expect(await admin.submit(NEW, form, USERS)).toMatchObject({ status: 303, to: `${USERS}?notice=user_added` })
  const ana = office.browser()
  expect((await ana.post('/dashboard/sign-in', { name: 'Ana', password: FORM.password })).to).toBe('/dashboard')
  const account = await ana.get('/dashboard/account')
  expect(account.words).toContain('You are signed in as ana . Role: operator.')
  expect(account.text).toContain('value="ana@example.hr"')
})

test('a double click adds one user, and says nothing of a name that is taken', async () => {
  const form = { ...(await admin.get(NEW)).hidden(USERS), ...FORM, name: 'dvaput' }
  const answers = await Promise.all([admin.post(USERS, form), admin.post(USERS, form)])
  expect(answers.map(({ to }) => to)).toEqual(Array(2).fill(`${USERS}?notice=user_added`))
  expect((await stored()).filter(({ name }) => name === 'dvaput')).toHaveLength(1)
})

test('what is wrong with a new user stands at its field; what was typed stays, but for the password', async () => {
  const refused = await admin.submit(
    NEW,
    { ...FORM, name: 'dva imena', password: 'kratka', role: 'car', email: 'x' },
    USERS,
  )
  expect(refused.status).toBe(422)
  for (const text of ['bez razmaka', 'Lozinka mora imati od 12', 'Odaberite ulogu.']) {
    expect(refused.words).toContain(text)
  }
  expect(refused.text).toContain('value="dva imena"')
  expect(refused.text).not.toContain('kratka')
  const taken = await admin.submit(NEW, { ...FORM, name: admin.name }, USERS)
  expect(taken).toMatchObject({
    status: 422,
    words: expect.stringContaining('Već postoji korisnik s tim korisničkim imenom'),
  })
  const address = await admin.submit(NEW, { ...FORM, name: 'zvonko', email: 'a@b>, c@d' }, USERS)
  expect(address).toMatchObject({ status: 422, words: expect.stringContaining('nije ispravna adresa') })
})

test('who ticks a company sees that company alone, and the list of users names it', async () => {
  const name = 'knjigovodja'
  await admin.submit(`${NEW}?reach=some`, { ...FORM, name, companies: office.companyId }, USERS)
  expect((await stored()).find((user) => user.name === name)).toMatchObject({ company_ids: [office.companyId] })
  expect((await admin.get(USERS)).words).toMatch(/knjigovodja samo pregled (?!Sve)\S+/)
  const page = await pageOf({ name })
  await admin.submit(`${page}?reach=all`, { ...FORM, reach: 'all' }, page)
  expect((await stored()).find((user) => user.name === name)).toMatchObject({ company_ids: null })
  expect((await admin.get(USERS)).words).toMatch(/knjigovodja samo pregled Sve tvrtke, i buduće/)
})

test.each([
  ['all companies and a ticked one', { reach: 'all', companies: '00000000-0000-4000-8000-000000000000' }],
  ['neither all companies nor chosen ones', { reach: '' }],
  ['chosen companies and none', { reach: 'some' }],
])('a form that says %s is refused, and nothing is stored', async (_what, said) => {
  const visitor = await office.as('viewer')
  const page = await pageOf(visitor)
  const before = await stored()
  expect((await admin.submit(NEW, { ...FORM, name: 'nitko', ...said }, USERS)).status).toBe(422)
  expect((await admin.submit(page, { ...FORM, ...said }, page)).status).toBe(422)
  expect((await visitor.submit('/dashboard/account', { language: 'hr', email: '', ...said })).status).toBe(422)
  expect(await stored()).toEqual(before)
})

test('nobody becomes a platform administrator by a form', async () => {
  await admin.submit(NEW, { ...FORM, name: 'uljez', is_platform_admin: 'true', isPlatformAdmin: 'true' }, USERS)
  expect((await stored()).find(({ name }) => name === 'uljez')).toMatchObject({ is_platform_admin: false })
  const chief = await office.as('admin', { platformAdmin: true })
  expect((await admin.get(USERS)).words).toContain('vidi sve organizacije')
  expect((await admin.get(await pageOf(chief))).words).toContain('Ta se ovlast može dodijeliti samo naredbom fisk')
})

test('another role holds from the next click on', async () => {
  const visitor = await office.as('viewer')
  expect((await visitor.get(USERS)).status).toBe(403)
  const page = await pageOf(visitor)
  const changed = await admin.submit(page, { role: 'admin', language: 'hr', email: '' }, page)
  expect(changed.to).toBe(`${page}?notice=saved`)
  expect((await visitor.get(USERS)).status).toBe(200)
})

test('a removed user is out at once, in the middle of a form', async () => {
  const visitor = await office.as('operator')
  const form = (await visitor.get('/dashboard/account')).hidden('/dashboard/account')
  const page = await pageOf(visitor)
  expect((await admin.submit(page, {}, `${page}/remove`)).to).toBe(`${USERS}?notice=user_removed`)
  const answer = await visitor.post('/dashboard/account', { ...form, email: 'x@example.hr', language: 'hr' })
  expect(answer.status).toBe(401)
  expect((await admin.get(page)).status).toBe(404)
})

test('nobody removes themselves, changes their own role or resets their own password here', async () => {
  const page = await pageOf(admin)
  const shown = await admin.get(page)
  expect(shown.words).toContain('Sebe ne možete ukloniti')
  const hidden = shown.hidden(page)
  expect((await admin.post(`${page}/remove`, hidden)).status).toBe(422)
  expect((await admin.post(page, { ...hidden, role: 'viewer', language: 'hr', email: '' })).words).toContain(
    'Vlastita uloga ne može se promijeniti.',
  )
  expect((await admin.post(`${page}/password`, { ...hidden, password: 'ukradena sjednica' })).status).toBe(422)
  expect((await stored()).find(({ name }) => name === admin.name)).toMatchObject({ role: 'admin' })
})

test('two administrators who remove each other at once: one stays', async () => {
  const others = (await stored()).filter(({ name }) => name !== admin.name)
  for (const { id } of others) await office.admin(`/admin/users/${id}`, { method: 'DELETE' })
  const other = await office.as('admin')
  const [mine, theirs] = await Promise.all([pageOf(admin), pageOf(other)])
  const forms = await Promise.all([admin.get(theirs), other.get(mine)])
  await Promise.all([
    admin.post(`${theirs}/remove`, forms[0].hidden(`${theirs}/remove`)),
    other.post(`${mine}/remove`, forms[1].hidden(`${mine}/remove`)),
  ])
  expect((await stored()).filter(({ role }) => role === 'admin')).toHaveLength(1)
  admin = await office.as('admin')
})

test('a new password set by an administrator signs the user out and is the one that counts', async () => {
  const visitor = await office.as('viewer')
  const page = await pageOf(visitor)
  const password = 'nova duga lozinka'
  expect((await admin.submit(page, { password: 'kratka' }, `${page}/password`)).status).toBe(422)
  expect((await admin.submit(page, { password }, `${page}/password`)).to).toBe(`${page}?notice=user_password`)
  expect((await visitor.get('/dashboard/account')).to).toMatch(/sign-in/)
  const again = office.browser()
  const { name } = visitor
  expect((await again.post('/dashboard/sign-in', { name, password: visitor.password })).status).toBe(401)
  expect((await again.post('/dashboard/sign-in', { name, password })).to).toBe('/dashboard')
})

test("an administrator's reset stands, also when the user changes the password meanwhile", async () => {
  const visitor = await office.as('viewer')
  const page = await pageOf(visitor)
  const here = '/dashboard/account'
  const [mine, theirs] = await Promise.all([visitor.get(here), admin.get(page)])
  const change = { ...mine.hidden(`${here}/password`), old_password: visitor.password, password: 'od korisnika 12' }
  const reset = { ...theirs.hidden(`${page}/password`), password: 'od administratora 12' }
  await Promise.all([visitor.post(`${here}/password`, change), admin.post(`${page}/password`, reset)])
  const { name } = visitor
  const signedIn = await office.browser().post('/dashboard/sign-in', { name, password: reset.password })
  expect(signedIn.to).toBe('/dashboard')
})

test('an administrator of a tenant neither resets nor demotes, re-addresses or removes a platform administrator', async () => {
  const chief = await office.as('admin', { platformAdmin: true })
  const page = await pageOf(chief)
  expect((await admin.get(page)).words).toContain('samo naredba fisk na poslužitelju')
  const before = (await stored()).find(({ name }) => name === chief.name)
  const hidden = (await admin.get(NEW)).hidden(USERS)
  const form = { role: 'viewer', language: 'hr', email: 'mine@example.hr', password: 'moja nova lozinka' }
  for (const what of ['', '/password', '/second-factor', '/link', '/remove']) {
    const answer = await admin.post(`${page}${what}`, { ...hidden, ...form })
    expect(answer, what).toMatchObject({ status: 422, words: expect.stringContaining('naredb') })
  }
  expect((await stored()).find(({ name }) => name === chief.name)).toEqual(before)
  expect((await chief.get('/dashboard/account')).status).toBe(200)
  const own = await chief.submit(page, { language: 'en' }, page)
  expect(own.to).toBe(`${page}?notice=saved`)
})

test('users are for administrators of their own tenant', async () => {
  const operator = await office.as('operator')
  expect((await operator.get(USERS)).status).toBe(403)
  await office.admin('/admin/tenants', { body: { name: 'drugi' } })
  const body = { name: 'tudji', password: 'duga lozinka 1' }
  const foreign = await office.admin('/admin/users', { body, headers: { 'x-tenant': 'drugi' } })
  expect((await admin.get(USERS)).words).not.toContain('tudji')
  expect((await admin.get(`${USERS}/${foreign.body.id}`)).status).toBe(404)
  const hidden = (await admin.get(NEW)).hidden(USERS)
  for (const what of ['', '/password', '/second-factor', '/remove']) {
    const answer = await admin.post(`${USERS}/${foreign.body.id}${what}`, { ...hidden, ...FORM })
    expect(answer.status, what).toBe(404)
  }
})
