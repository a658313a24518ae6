import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, setUpSecondFactor } from '../support/authenticator.ts'
import { type Office, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { everyRow } from '../support/database.ts'

let office: Office
beforeAll(async () => {
  office = await startSharedDashboard()
})

const HERE = '/dashboard/account'
const SIGN_IN = /^\/dashboard\/sign-in/
const FACTOR = `${HERE}/second-factor`
const CODES = `${HERE}/recovery-codes`

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

test('an address that was stored with capitals is not another one', async () => {
  const user = { name: 'capitals', password: 'a long test password', role: 'viewer', email: 'Cap@Example.hr' }
  await office.admin('/admin/users', { body: user })
  const visitor = await signedIn(user.name, user.password)
  const form = { language: 'en', email: 'cap@example.hr' }
  expect((await visitor.submit(HERE, form, HERE)).to).toBe(`${HERE}?notice=saved`)
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
  expect(finished.to).toBe(`${CODES}?notice=factor_on`)
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

describe('recovery codes', () => {
  const CODE = /[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g
  const codesOn = async (visitor: Visitor) => [...(await visitor.get(CODES)).words.matchAll(CODE)].map(([code]) => code)

  /** Signs in with the password, and shows a code. */
  async function show({ name, password }: Visitor, code: string) {
    const visitor = office.browser()
    const half = await visitor.post('/dashboard/sign-in', { name, password })
    const _csrf = String(/name="_csrf" value="([^"]+)"/.exec(half.text)?.[1])
    return { visitor, answer: await visitor.post('/dashboard/sign-in/code', { code, _csrf }) }
  }

  test('are shown once, each replaces the phone at one sign-in, and the page says how many are left', async () => {
    const visitor = await office.as('viewer')
    await setUpSecondFactor(visitor)
    const codes = await codesOn(visitor)
    expect(new Set(codes).size).toBe(10)
    expect(JSON.stringify(await everyRow(office))).not.toContain(codes[0]?.replaceAll('-', ''))
    expect((await visitor.get(HERE)).words).toContain('Preostalo rezervnih kodova: 10.')

    const [first = '', second = ''] = codes
    const typed = ` ${first.toLowerCase().replaceAll('-', ' ')}`
    const signedIn = await show(visitor, typed)
    expect(signedIn.answer.to).toBe(`${HERE}?notice=recovery_code_used`)
    expect((await signedIn.visitor.get(HERE)).words).toContain('Preostalo rezervnih kodova: 9.')
    // Whoever has another session of this user does not read the others.
    expect(await codesOn(visitor)).toEqual(codes)
    expect(await codesOn(signedIn.visitor)).toEqual([])
    expect((await show(visitor, first)).answer).toMatchObject({
      status: 401,
      words: expect.stringContaining('iskorišten'),
    })
    expect((await show(visitor, 'AAAA-AAAA-AAAA-AAAA')).answer.status).toBe(401)
    const both = await Promise.all([show(visitor, second), show(visitor, second)])
    expect(both.map(({ answer }) => answer.status).sort()).toEqual([303, 401])
    expect((await (await office.as('admin')).get('/dashboard/audit')).words).toMatch(
      new RegExp(`Prijava rezervnim kodom s adrese [^ ]+: ${visitor.name}. Preostalo kodova: 8.`),
    )
  })

  test('of one user are of no use to another', async () => {
    const [ana, ivo] = [await office.as('viewer'), await office.as('viewer')]
    await setUpSecondFactor(ana)
    await setUpSecondFactor(ivo)
    const [code = ''] = await codesOn(ana)
    expect((await show(ivo, code)).answer.status).toBe(401)
    expect((await show(ana, code)).answer.status).toBe(303)
  })

  test('are made anew with the password and a code of the phone, and the earlier ones end', async () => {
    const visitor = await office.as('viewer')
    const { secret } = await setUpSecondFactor(visitor)
    const [old = ''] = await codesOn(visitor)
    const renew = (codes_password: string, code: string) => visitor.submit(HERE, { codes_password, code }, CODES)
    const code = codeOf(secret, 30_000)
    expect((await renew('pogrešna', code)).words).toContain('Sadašnja lozinka nije točna.')
    expect((await renew(visitor.password, '000000')).words).toContain('Kod nije točan')
    // Neither a code that was used nor a recovery code makes new ones.
    expect((await renew(visitor.password, codeOf(secret))).status).toBe(422)
    expect((await renew(visitor.password, old)).status).toBe(422)
    expect((await renew(visitor.password, code)).to).toBe(CODES)
    expect(await codesOn(visitor)).not.toContain(old)
    expect((await show(visitor, old)).answer.status).toBe(401)
    expect((await show(visitor, String((await codesOn(visitor))[0]))).answer.status).toBe(303)
  })

  test('end with the second step of sign-in, whoever removes it', async () => {
    for (const isAdmin of [false, true]) {
      const visitor = await office.as('viewer')
      await setUpSecondFactor(visitor)
      const [old = ''] = await codesOn(visitor)
      if (isAdmin) {
        const body = { second_factor: true }
        expect((await office.admin(`/admin/users/${visitor.name}/reset`, { body })).status).toBe(200)
      } else {
        const form = { factor_password: visitor.password }
        expect((await visitor.submit(HERE, form, `${FACTOR}/remove`)).status).toBe(303)
      }
      const again = await signedIn(visitor.name, visitor.password)
      expect((await again.post(CODES, {})).status).toBe(403)
      await setUpSecondFactor(again)
      expect((await show(visitor, old)).answer.status).toBe(401)
    }
  })

  test('are shown to nobody later', async () => {
    const visitor = await office.as('viewer')
    expect((await visitor.get(CODES)).words).toContain('prikazuju se samo neposredno nakon izrade')
    expect(await codesOn(visitor)).toEqual([])
  })
})
