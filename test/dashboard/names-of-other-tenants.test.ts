import { expect, test } from 'vitest'
import { dashboardOf, type Office, type PageAnswer, type Visitor } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { startGateway } from '../support/gateway.ts'
import { startMailServer } from '../support/mail-server.ts'

const USERS = '/dashboard/users'
const PASSWORD = 'duga lozinka 1'
const OTHER = { 'x-tenant': 'drugi' }

/** Two tenants: `ana@prvi.hr` is a user of the first one, the visitor an admin of the other. */
async function twoTenants(env: Record<string, string> = {}) {
  const office = dashboardOf(await startGateway({ RATE_LIMIT_AUTH_PER_15MIN: '1000', ...env }))
  await office.admin('/admin/tenants', { body: { name: 'drugi' } })
  const ana = { name: 'ana@prvi.hr', password: PASSWORD, email: 'ana@mail.hr', language: 'en' }
  await office.admin('/admin/users', { body: ana })
  const boss = { name: 'boss@drugi.hr', password: PASSWORD, role: 'admin' }
  await office.admin('/admin/users', { body: boss, headers: OTHER })
  const visitor = office.browser()
  expect((await signIn(visitor, boss.name)).to).toBe('/dashboard')
  return { office, visitor }
}

const signIn = (browser: Visitor, name: string) => browser.post('/dashboard/sign-in', { name, password: PASSWORD })

/** What an answer says, without what each has of its own. */
const said = ({ status, to, words }: PageAnswer, name: string) =>
  JSON.stringify([status, to, words])
    .replaceAll(name, 'NAME')
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
    .replace(/password\/[\w-]{43}|\d\d:\d\d|\((čeka slanje|šalje se|poslano)[^)]*\)/g, '')

async function add(visitor: Visitor, name: string) {
  const fields = { name, password: PASSWORD, role: 'viewer', language: 'hr', email: '' }
  const answer = await visitor.submit(`${USERS}/new`, fields, USERS)
  const list = await visitor.get(USERS)
  const again = await visitor.submit(`${USERS}/new`, fields, USERS)
  const id = new RegExp(`href="${USERS}/([\\da-f-]{36})"[^>]*>\\s*${name}`).exec(list.text)?.[1]
  const page = await visitor.get(`${USERS}/${id}`)
  const removed = await visitor.submit(`${USERS}/${id}`, {}, `${USERS}/${id}/remove`)
  return [answer, list, again, page, removed].map((one) => said(one, name))
}

async function invite(visitor: Visitor, email: string) {
  const fields = { email, role: 'viewer', language: 'hr' }
  const answer = await visitor.submit(`${USERS}/invite`, fields, `${USERS}/invitations`)
  const shown = await visitor.get(String(answer.to))
  return [answer, shown].map((one) => said(one, email))
}

const usersNamed = (office: Office, name: string) =>
  inDatabase(office, `SELECT tenant_id FROM users WHERE name = '${name}'`)

test('a name that a user of another tenant has is added like a new one, and nobody signs in with it', async () => {
  const { office, visitor } = await twoTenants()
  expect(await add(visitor, 'ana@prvi.hr')).toEqual(await add(visitor, 'ane@prvi.hr'))
  expect(await invite(visitor, 'ana@prvi.hr')).toEqual(await invite(visitor, 'ane@prvi.hr'))

  expect(await usersNamed(office, 'ana@prvi.hr')).toEqual([{ tenant_id: 'default' }])
  const ana = office.browser()
  expect((await signIn(ana, 'ana@prvi.hr')).to).toBe('/dashboard')
  expect((await ana.get(USERS)).status).toBe(403)

  const body = (name: string) => ({ name, password: PASSWORD, role: 'viewer', email: 'x@drugi.hr' })
  const names = ['ana@prvi.hr', 'iva@prvi.hr']
  await office.admin('/admin/users/ana@prvi.hr', { method: 'DELETE', headers: OTHER })
  const [taken, fresh] = await Promise.all(
    names.map((name) => office.admin('/admin/users', { body: body(name), headers: OTHER })),
  )
  expect({ ...taken?.body, id: '', created_at: '' }).toEqual({ ...fresh?.body, name: names[0], id: '', created_at: '' })
  expect([taken?.status, fresh?.status]).toEqual([201, 201])
  expect(await usersNamed(office, 'ana@prvi.hr')).toEqual([{ tenant_id: 'default' }])
  const listed = async (headers: Record<string, string>) =>
    (await office.admin<{ data: { name: string }[] }>('/admin/users', { headers })).body.data.map(({ name }) => name)
  expect(await listed(OTHER)).toEqual(['ana@prvi.hr', 'ane@prvi.hr', 'boss@drugi.hr', 'iva@prvi.hr'])
  expect((await office.admin('/admin/users', { body: body('ana@prvi.hr'), headers: OTHER })).status).toBe(409)

  await office.admin('/admin/users/ana@prvi.hr', { method: 'DELETE', headers: OTHER })
  expect(await listed(OTHER)).not.toContain('ana@prvi.hr')
  expect(await listed({})).toContain('ana@prvi.hr')
})

test('the owner of a name that another tenant adds gets one mail, however often it is added', async () => {
  const { mails, url } = await startMailServer()
  const { office, visitor } = await twoTenants({
    FISKD_SMTP_URL: url,
    FISKD_DASHBOARD_URL: 'https://office.example.hr',
  })
  await add(visitor, 'ana@prvi.hr')
  await add(visitor, 'ana@prvi.hr')
  const [taken, fresh] = [await invite(visitor, 'ana@prvi.hr'), await invite(visitor, 'ane@prvi.hr')]
  expect(taken).toEqual(fresh)
  const about = (to: string) => mails.filter((one) => JSON.stringify(one.to).includes(to))
  await expect.poll(() => [about('ana@mail.hr'), about('ane@prvi.hr')].map(({ length }) => length)).toEqual([1, 1])
  const [mail] = about('ana@mail.hr')
  expect(mail?.subject).toBe('Your user name was added in another organisation')
  expect(mail?.text).toContain('a user with your user name: ana@prvi.hr')
  expect(mail?.text).not.toContain('drugi')
  expect(await usersNamed(office, 'ana@prvi.hr')).toEqual([{ tenant_id: 'default' }])
})
