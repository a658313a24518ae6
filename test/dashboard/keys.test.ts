import { beforeAll, expect, test } from 'vitest'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'

let office: Office
let admin: Visitor
beforeAll(async () => {
  office = await startSharedDashboard()
  admin = await office.as('admin')
})

const NEW = '/dashboard/keys/new'
const KEYS = '/dashboard/keys'
const FORM = { name: 'Kavomat', mode: 'test', scopes: 'invoices:write,invoices:read', device: '' }
const KEY = /fisk_(?:test|live)_[A-Za-z0-9_-]{43}/

const stored = async () => (await office.admin<{ data: Record<string, unknown>[] }>('/admin/keys')).body.data

test('a key that is made is shown to who made it, and sells', async () => {
  const made = await admin.submit(NEW, { ...FORM, name: 'Kavomat Ilica' }, KEYS)
  expect(made).toMatchObject({ status: 303, to: expect.stringMatching(/^\/dashboard\/keys\/[0-9a-f-]{36}\/made$/) })
  const page = await admin.get(made.to ?? '')
  const key = KEY.exec(page.words)?.[0] ?? ''
  expect(page.words).toContain('Kasnije se više ne može prikazati')
  expect((await office.v1('/invoices', { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
  expect((await admin.get(KEYS)).words).toContain('Kavomat Ilica')
  expect((await admin.get(KEYS)).text).not.toMatch(KEY)

  const other = await office.as('admin', { language: 'en' })
  const seen = await other.get(made.to ?? '')
  expect(seen.words).toContain('The key cannot be shown any more')
  expect(seen.text).not.toMatch(KEY)
})

test('a double click makes one key and shows it', async () => {
  const before = (await stored()).length
  const form = { ...(await admin.get(NEW)).hidden(KEYS), ...FORM, name: 'Dvaput' }
  const [first, second] = await Promise.all([admin.post(KEYS, form), admin.post(KEYS, form)])
  expect(first.to).toBe(second.to)
  expect((await stored()).length).toBe(before + 1)
  const key = KEY.exec((await admin.get(first.to ?? '')).words)?.[0]
  expect(key).toBeDefined()
  expect(KEY.exec((await admin.get(first.to ?? '')).words)?.[0]).toBe(key)
})

test('a form that is not filled in is shown again, with what was typed and what is missing', async () => {
  const before = (await stored()).length
  const answer = await admin.submit(NEW, { name: '<b>', mode: 'prod', scopes: 'sve', device: 'Nema ga' }, KEYS)
  expect(answer.status).toBe(422)
  expect(answer.words).toContain('Odaberite način rada.')
  expect(answer.words).toContain('Odaberite barem jednu ovlast.')
  expect(answer.words).toContain('Nema uređaja s tim nazivom')
  expect(answer.text).toContain('value="&lt;b&gt;"')
  expect(answer.text).not.toContain('<b>')
  expect((await stored()).length).toBe(before)
})

test('a key for one device is bound to it, and cannot have what reaches all', async () => {
  const { to } = await admin.submit(NEW, { ...FORM, name: 'Jedan', device: 'machine' }, KEYS)
  expect(to).toMatch(/made$/)
  expect((await stored()).at(-1)).toMatchObject({ name: 'Jedan', device_id: office.deviceId })
  expect((await admin.get(KEYS)).words).toContain('machine')
  const refused = await admin.submit(NEW, { ...FORM, scopes: 'fleet:write', device: 'machine' }, KEYS)
  expect(refused).toMatchObject({ status: 422, words: expect.stringContaining('Ključ za jedan uređaj smije samo') })
  const otherMode = await admin.submit(NEW, { ...FORM, mode: 'live', device: 'machine' }, KEYS)
  expect(otherMode).toMatchObject({ status: 422, words: expect.stringContaining('u odabranom načinu rada') })
})

test('revoking ends a key at once and leaves the others; a second click changes nothing', async () => {
  const key = await office.createKey({ name: 'Za opoziv' })
  const id = String((await stored()).at(-1)?.id)
  const action = `${KEYS}/${id}/revoke`
  const form = (await admin.get(KEYS)).hidden(action)
  expect(await admin.post(action, form)).toMatchObject({ status: 303, to: `${KEYS}?notice=key_revoked` })
  expect((await admin.post(action, form)).status).toBe(303)
  const refused = await office.v1('/invoices', { headers: { authorization: `Bearer ${key}` } })
  expect(refused).toMatchObject({ status: 401, body: { error: { code: 'api_key_revoked' } } })
  expect((await admin.get(`${KEYS}?notice=key_revoked`)).words).toMatch(/Ključ je opozvan\..* opozvani 1/)
  expect((await office.v1('/invoices')).status).toBe(200)
})

test('two rows of one list are two forms', async () => {
  await office.createKey({ name: 'Prvi' })
  await office.createKey({ name: 'Drugi' })
  const [first, second] = (await stored()).slice(-2).map(({ id }) => `${KEYS}/${id}/revoke`)
  const page = await admin.get(KEYS)
  for (const action of [first, second]) {
    expect((await admin.post(action ?? '', page.hidden(action))).status).toBe(303)
  }
  expect((await stored()).slice(-2).every(({ revoked_at }) => revoked_at !== null)).toBe(true)
})

test('keys are for administrators, and those of other tenants are not there', async () => {
  for (const role of ['viewer', 'operator'] as const) {
    const visitor = await office.as(role)
    expect((await visitor.get(KEYS)).status).toBe(403)
    expect((await visitor.get(NEW)).status).toBe(403)
  }
  await office.admin('/admin/tenants', { body: { name: 'drugi' } })
  const foreign = await office.admin('/admin/keys', {
    body: { mode: 'test', name: 'Tuđi' },
    headers: { 'x-tenant': 'drugi' },
  })
  expect((await admin.get(KEYS)).words).not.toContain('Tuđi')
  const hidden = (await admin.get(NEW)).hidden(KEYS)
  expect((await admin.post(`${KEYS}/${foreign.body.id}/revoke`, hidden)).status).toBe(404)
})
