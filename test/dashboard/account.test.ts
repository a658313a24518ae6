import { beforeAll, expect, test } from 'vitest'
import { codeOf, setUpSecondFactor } from '../support/authenticator.ts'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'

let office: Office
beforeAll(async () => {
  office = await startSharedDashboard()
})

const HERE = '/dashboard/account'
const SIGN_IN = /^\/dashboard\/sign-in/
const FACTOR = `${HERE}/second-factor`

async function signedIn(name: string, password: string): Promise<Visitor> {
  const visitor = office.browser()
  expect((await visitor.post('/dashboard/sign-in', { name, password })).to).toBe('/dashboard')
  return visitor
}

test('language and address are kept, and the next page speaks the language', async () => {
  const visitor = await office.as('viewer')
  const form = { language: 'en', email: ' Ivo@Example.hr ', wantsMail: 'yes', email_password: visitor.password }
  expect((await visitor.submit(HERE, form, HERE)).to).toBe(`${HERE}?notice=saved`)
  const page = await visitor.get(HERE)
  expect(page.text).toContain('<html lang="en"')
  expect(page.text).toContain('value="ivo@example.hr"')
  expect(page.text).toMatch(/name="wantsMail" value="yes" checked/)
  await visitor.submit(HERE, { language: 'en', email: '' }, HERE)
  expect((await visitor.get(HERE)).text).not.toMatch(/name="wantsMail" value="yes" checked/)
})

test('an address that is none is refused at its field, and what was typed stays', async () => {
  const visitor = await office.as('viewer')
  const refused = await visitor.submit(HERE, { language: 'hr', email: 'a@b\r\nBcc: c@d' }, HERE)
  expect(refused).toMatchObject({ status: 422, words: expect.stringContaining('Ovo nije ispravna adresa e-pošte.') })
  expect((await visitor.submit(HERE, { language: 'xx', email: '' }, HERE)).status).toBe(422)
})

test('a new password needs the old one, and signs out everywhere else', async () => {
  const visitor = await office.as('viewer')
  const elsewhere = await signedIn(visitor.name, visitor.password)
  const change = (old_password: string, password: string) =>
    visitor.submit(HERE, { old_password, password }, `${HERE}/password`)
  expect((await change('pogrešna', 'nova duga lozinka')).words).toContain('Sadašnja lozinka nije točna.')
  expect((await change(visitor.password, 'kratka')).words).toContain('Lozinka mora imati od 12')
  expect((await change(visitor.password, 'x'.repeat(1001))).status).toBe(422)
  expect((await elsewhere.get(HERE)).status).toBe(200)
  expect((await change(visitor.password, 'nova duga lozinka')).to).toBe(`${HERE}?notice=password_changed`)
  expect((await visitor.get(HERE)).status).toBe(200)
  expect((await elsewhere.get(HERE)).to).toMatch(SIGN_IN)
  await signedIn(visitor.name, 'nova duga lozinka')
})

test('a password form that is sent twice changes it once and complains of nothing', async () => {
  const visitor = await office.as('viewer')
  const action = `${HERE}/password`
  const form = {
    ...(await visitor.get(HERE)).hidden(action),
    old_password: visitor.password,
    password: 'dvaput poslana',
  }
  const answers = await Promise.all([visitor.post(action, form), visitor.post(action, form)])
  expect(answers.map(({ status }) => status)).toEqual([303, 303])
})

test('signing out elsewhere ends the other sessions and keeps this one', async () => {
  const visitor = await office.as('viewer')
  const elsewhere = await signedIn(visitor.name, visitor.password)
  expect((await visitor.submit(HERE, {}, `${HERE}/sign-out-elsewhere`)).status).toBe(303)
  expect((await elsewhere.get(HERE)).to).toMatch(SIGN_IN)
  expect((await visitor.get(HERE)).status).toBe(200)
})

test('a second step of sign-in is set up by QR code, asked for at the next sign-in and switched off again', async () => {
  const visitor = await office.as('viewer')
  const page = await visitor.get(FACTOR)
  expect(page.text).toMatch(/<svg[^>]*>.*<\/svg>/s)
  const { secret = '' } = page.hidden(FACTOR)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)

  const wrong = await visitor.post(FACTOR, { ...page.hidden(FACTOR), code: '000000' })
  expect(wrong).toMatchObject({ status: 422, words: expect.stringContaining('Kod nije točan') })
  expect(wrong.hidden(FACTOR).secret).toBe(secret)

  const code = codeOf(secret)
  const finished = await visitor.post(FACTOR, { ...wrong.hidden(FACTOR), code })
  expect(finished.to).toBe(`${HERE}?notice=factor_on`)
  expect((await visitor.get(HERE)).words).toContain('Uključen je')
  expect((await visitor.get(FACTOR)).status).toBe(409)

  const { name, password } = visitor
  const asked = await office.browser().post('/dashboard/sign-in', { name, password })
  expect(asked).toMatchObject({ status: 200, words: expect.stringContaining('Kod od 6 znamenaka') })

  const off = `${FACTOR}/remove`
  expect((await visitor.submit(HERE, { factor_password: 'pogrešna' }, off)).status).toBe(422)
  expect((await visitor.submit(HERE, { factor_password: password }, off)).to).toBe(`${HERE}?notice=factor_off`)
  await signedIn(name, password)
})

test('an administrator helps somebody who has lost the phone', async () => {
  const visitor = await office.as('viewer')
  await setUpSecondFactor(visitor)
  const { body } = await office.admin<{ data: { id: string; name: string }[] }>('/admin/users')
  const user = `/dashboard/users/${body.data.find(({ name }) => name === visitor.name)?.id}`
  const admin = await office.as('admin')
  expect((await admin.submit(user, {}, `${user}/second-factor`)).to).toBe(`${user}?notice=user_factor`)
  expect((await visitor.get(HERE)).to).toMatch(SIGN_IN)
  await signedIn(visitor.name, visitor.password)
})
