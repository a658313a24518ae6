import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, setUpSecondFactor } from '../support/authenticator.ts'
import {
  type Office,
  type PageAnswer,
  startDashboard,
  startSharedDashboard,
  type Visitor,
} from '../support/dashboard.ts'

let office: Office
beforeAll(async () => {
  office = await startSharedDashboard()
})

describe('signing in', () => {
  test('leads from any page to the sign-in and back to that page', async () => {
    const browser = office.browser()
    const refused = await browser.get('/dashboard/invoices?status=failed')
    expect(refused.to).toBe('/dashboard/sign-in?next=%2Fdashboard%2Finvoices%3Fstatus%3Dfailed')
    const { name, password } = await office.as('viewer')
    const next = '/dashboard/invoices?status=failed'
    expect(await browser.post('/dashboard/sign-in', { name, password, next })).toMatchObject({ status: 303, to: next })
  })

  test('leads nowhere else, whatever the address asks for', async () => {
    const { name, password } = await office.as('viewer')
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/v1/companies',
      'javascript:1',
    ]) {
      const answer = await office.browser().post('/dashboard/sign-in', { name, password, next })
      expect([next, answer.to]).toEqual([next, '/dashboard'])
    }
  })

  test('says in the language of the browser that name or password is wrong, and keeps the name', async () => {
    const fields = { name: 'nobody@example.hr', password: 'wrong' }
    const hr = await office.browser().post('/dashboard/sign-in', fields, { 'accept-language': 'hr-HR,hr;q=0.9' })
    const en = await office.browser().post('/dashboard/sign-in', fields, { 'accept-language': 'en-US' })
    expect([hr.status, en.status]).toEqual([401, 401])
    expect(hr.words).toContain('Korisničko ime ili lozinka nisu točni')
    expect(en.words).toContain('The name or the password is wrong')
    expect(en.text).toContain('value="nobody@example.hr"')
    expect(en.text).not.toContain('value="wrong"')
  })

  test('is limited to 30 attempts in 15 minutes and address, in words', async () => {
    const strict = await startDashboard({ RATE_LIMIT_AUTH_PER_15MIN: '3' })
    const attempt = () => strict.browser().post('/dashboard/sign-in', { name: 'a', password: 'b' })
    for (let i = 0; i < 3; i++) expect((await attempt()).status).toBe(401)
    const refused = await attempt()
    expect(refused).toMatchObject({ status: 429, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(refused.words).toContain('Previše pokušaja')
  })

  test('hands out a cookie that scripts, other sites and plain HTTP do not get', async () => {
    const { name, password } = await office.as('viewer')
    const { headers } = await office.browser().post('/dashboard/sign-in', { name, password })
    expect(headers['set-cookie']?.[0]).toMatch(
      /^__Host-fiskd_session=[^;]{40,}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    )
  })

  test('signing out ends the session itself, not only the cookie', async () => {
    const visitor = await office.as('viewer')
    const kept = new Map(visitor.cookies)
    expect((await visitor.post('/dashboard/sign-out', {})).to).toBe('/dashboard/sign-in?notice=signed_out')
    const thief = office.browser()
    for (const [key, value] of kept) thief.cookies.set(key, value)
    expect((await thief.get('/dashboard')).to).toContain('/dashboard/sign-in')
  })
})

describe('a second factor', () => {
  async function withFactor(): Promise<{ visitor: Visitor; secret: string; code: string }> {
    const visitor = await office.as('operator')
    return { visitor, ...(await setUpSecondFactor(visitor)) }
  }

  /** The first step of a sign-in. @returns the second one */
  async function halfway({ name, password }: Visitor): Promise<(code: string) => Promise<PageAnswer>> {
    const browser = office.browser()
    const asked = await browser.post('/dashboard/sign-in', { name, password })
    const _csrf = /name="_csrf" value="([^"]*)"/.exec(asked.text)?.[1] ?? ''
    return (code) => browser.post('/dashboard/sign-in/code', { _csrf, code })
  }

  test('is asked for after the password, and nothing opens before it', async () => {
    const { visitor, secret } = await withFactor()
    const { name, password } = visitor
    const browser = office.browser()
    const asked = await browser.post('/dashboard/sign-in', { name, password })
    expect(asked).toMatchObject({ status: 200, to: null })
    expect((await browser.get('/dashboard')).to).toContain('/dashboard/sign-in')
    const { _csrf = '' } = Object.fromEntries(
      [...asked.text.matchAll(/name="(_csrf)" value="([^"]*)"/g)].map((m) => [m[1], m[2]]),
    )
    const shown = await browser.post('/dashboard/sign-in/code', { _csrf, code: codeOf(secret, 30_000) })
    expect(shown).toMatchObject({ status: 303, to: '/dashboard' })
    expect((await browser.get('/dashboard/account')).status).toBe(200)
  })

  test('takes each code once, and gives up after five wrong ones', async () => {
    const { visitor, secret, code } = await withFactor()
    const show = await halfway(visitor)
    // The one that set it up.
    expect((await show(code)).status).toBe(401)
    for (let i = 0; i < 4; i++) expect((await show('000000')).status).toBe(401)
    expect((await show(codeOf(secret, 30_000))).to).toBe('/dashboard/sign-in?wrong=code')
  })

  test('takes the same code at one of several sign-ins of the same moment, and at none later', async () => {
    const { visitor, secret } = await withFactor()
    const sessions = await Promise.all([1, 2, 3].map(() => halfway(visitor)))
    const code = codeOf(secret, 30_000)
    const answers = await Promise.all(sessions.map((show) => show(code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401])
    const late = await halfway(visitor)
    expect((await late(code)).status).toBe(401)
  })
})

describe('a form', () => {
  const change = { email: '', language: 'en', reach: 'all' }

  test('without the token of its session changes nothing', async () => {
    const visitor = await office.as('viewer')
    const refused = await visitor.post('/dashboard/account', { ...change, _csrf: 'guessed', _form: randomUUID() })
    expect(refused.status).toBe(403)
    expect(refused.words).toContain('Ništa nije promijenjeno')
  })

  test('that another site sends changes nothing', async () => {
    const visitor = await office.as('viewer')
    const fields = { ...(await visitor.get('/dashboard/account')).hidden('/dashboard/account'), ...change }
    expect((await visitor.post('/dashboard/account', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })

  test('that is sent when the session has ended is kept, and sent after the sign-in if that is wanted', async () => {
    const visitor = await office.as('viewer')
    const fields = { ...(await visitor.get('/dashboard/account')).hidden('/dashboard/account'), ...change }
    const { name, password } = visitor
    await visitor.post('/dashboard/sign-out', {})

    const ended = await visitor.post('/dashboard/account', fields)
    expect(ended.status).toBe(401)
    expect(ended.words).toContain('nije izgubljeno')
    const typed = /name="typed" value="([^"]*)"/.exec(ended.text)?.[1]?.replaceAll('&quot;', '"') ?? ''
    expect(JSON.parse(typed)).toEqual({ _company: '', ...change })
    const back = await visitor.post('/dashboard/sign-in', { name, password, next: '/dashboard/account', typed })
    expect(back.words).toContain('Još nije poslano')
    const again = await visitor.post('/dashboard/account', { ...back.hidden(), ...change })
    expect(again.to).toBe('/dashboard/account?notice=saved')
    expect((await visitor.get('/dashboard/account')).text).toContain('<html lang="en"')
  })

  test('is done once however often it is sent', async () => {
    const visitor = await office.as('viewer')
    const fields = { ...(await visitor.get('/dashboard/account')).hidden('/dashboard/account'), ...change }
    const both = await Promise.all([1, 2].map(() => visitor.post('/dashboard/account', fields)))
    expect(both.map(({ to }) => to)).toEqual(Array(2).fill('/dashboard/account?notice=saved'))
  })

  test('of somebody who was removed meanwhile is refused', async () => {
    const visitor = await office.as('operator')
    const fields = { ...(await visitor.get('/dashboard/account')).hidden('/dashboard/account'), ...change }
    await office.admin(`/admin/users/${visitor.name}`, { method: 'DELETE' })
    expect((await visitor.post('/dashboard/account', fields)).status).toBe(401)
  })
})

describe('every page', () => {
  test('forbids scripts, styles and frames from elsewhere, and is kept by nobody', async () => {
    const { headers } = await office.browser().get('/dashboard/sign-in')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';form-action 'self';frame-ancestors 'none';base-uri 'none';report-uri /dashboard/csp-report",
    )
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['x-request-id']).toBeTruthy()
  })

  test('that is not there says so in words', async () => {
    const visitor = await office.as('viewer', { language: 'en' })
    const missing = await visitor.get('/dashboard/nowhere')
    expect(missing.status).toBe(404)
    expect(missing.words).toContain('This page does not exist')
  })

  test('comes in the language and the theme that were chosen', async () => {
    const browser = office.browser()
    expect((await browser.get('/dashboard/sign-in')).text).toContain('<html lang="hr">')
    expect((await browser.post('/dashboard/look', { language: 'en', back: '/dashboard/sign-in' })).to).toBe(
      '/dashboard/sign-in',
    )
    const offered = async () => {
      const { text } = await browser.get('/dashboard/sign-in')
      return [...text.matchAll(/name="theme" value="(\w+)"/g)].map(([, theme]) => theme)
    }
    expect(await offered()).toEqual(['light', 'dark'])
    await browser.post('/dashboard/look', { theme: 'dark' })
    expect((await browser.get('/dashboard/sign-in')).text).toContain('<html lang="en" data-theme="dark">')
    expect(await offered()).toEqual(['light', 'auto'])
    await browser.post('/dashboard/look', { theme: 'auto' })
    expect((await browser.get('/dashboard/sign-in')).text).toContain('<html lang="en">')
  })
})

test('nobody who is not signed in can have a large form read', async () => {
  const fields = { large: 'x'.repeat(100_000) }
  const stranger = office.browser()
  const answer = await stranger.post('/dashboard/devices/import', fields)
  expect(answer.status).toBe(401)
  expect(answer.text.length).toBeLessThan(20_000)
  const large = { name: 'a', password: 'b', typed: 'x'.repeat(300_000) }
  expect((await stranger.post('/dashboard/sign-in', large)).status).toBe(413)
})

test('a text of an upload that is too long is refused, not cut', async () => {
  const visitor = await office.as('admin')
  const { _csrf = '' } = (await visitor.get('/dashboard/account')).hidden('/dashboard/account')
  const fields = { _csrf, label: 'x'.repeat(1_100_000), file: new File(['a'], 'a.p12') }
  const answer = await visitor.post('/dashboard/devices/import', fields)
  expect(answer.status).toBe(400)
  expect(answer.words).toContain('Ništa nije promijenjeno')
})
