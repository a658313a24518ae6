import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { ParsedMail } from 'mailparser'
import { expect, test } from 'vitest'
import { codeOf, setUpSecondFactor } from '../support/authenticator.ts'
import { call } from '../support/call.ts'
import { dashboardOf, type Office, startDashboard, type Visitor } from '../support/dashboard.ts'
import { everyRow } from '../support/database.ts'
import { startGateway } from '../support/gateway.ts'
import { startMailServer } from '../support/mail-server.ts'

const USERS = '/dashboard/users'
const FORGOTTEN = '/dashboard/forgotten'
const SIGN_IN = '/dashboard/sign-in'
const MINE = 'moja nova lozinka'
const GONE = { status: 404, words: expect.stringContaining('iskorištena, istekla ili zamijenjena') }
const WRONG = { status: 401 }
const HOUR_MS = 3_600_000

async function mailing(env: Record<string, string> = {}, log?: Writable) {
  const { mails, url } = await startMailServer()
  const mail = { FISKD_SMTP_URL: url, FISKD_DASHBOARD_URL: 'https://office.example.hr' }
  const office = dashboardOf(await startGateway({ ...mail, RATE_LIMIT_AUTH_PER_15MIN: '1000', ...env }, log))
  const next = async () => {
    await expect.poll(() => mails.length).toBe(1)
    return mails.pop() as ParsedMail
  }
  return { office, admin: await office.as('admin'), mails, next }
}

/** The path of the link in a mail. */
const linkIn = ({ text = '' }: ParsedMail) =>
  String(/^https:\/\/office\.example\.hr(\/dashboard\/password\/[\w-]{43})$/m.exec(text)?.[1])

async function pageOf(office: Office, name: string) {
  const { body } = await office.admin<{ data: { id: string; name: string }[] }>('/admin/users')
  return `${USERS}/${body.data.find((user) => user.name === name)?.id}`
}

const invite = (admin: Visitor, email: string, more = {}) =>
  admin.submit(`${USERS}/invite`, { email, role: 'operator', language: 'hr', ...more }, `${USERS}/invitations`)

/** Gives a user the address that a link is sent to. */
async function withAddress(visitor: Visitor, email: string) {
  const form = { language: 'hr', email, email_password: visitor.password }
  expect((await visitor.submit('/dashboard/account', form, '/dashboard/account')).status).toBe(303)
}

const signIn = (office: Office, name: string, password: string) => office.browser().post(SIGN_IN, { name, password })
const ask = (office: Office, name: string) => office.browser().post(FORGOTTEN, { name })

test('an invited user sets a password with the link of the mail, once, and is as the admin chose', async () => {
  const { office, admin, next } = await mailing()
  const sent = await invite(admin, 'Iva@Example.hr', { role: 'viewer', reach: 'some', companies: office.companyId })
  const page = await pageOf(office, 'iva@example.hr')
  expect(sent).toMatchObject({ status: 303, to: `${page}?notice=link_sent` })
  expect((await admin.get(USERS)).words).toContain('iva@example.hr pozvan')
  const mail = await next()
  expect(mail).toMatchObject({
    subject: 'Poziv na nadzornu ploču',
    text: expect.stringMatching(
      /^admin\S* \(fiskd\) daje Vam pristup uređajima i računima\. Korisničko ime: iva@example\.hr$/m,
    ),
  })
  expect(mail.html).toContain(`<a href="https://office.example.hr${linkIn(mail)}">`)

  expect(await signIn(office, 'iva@example.hr', '')).toMatchObject(WRONG)
  const browser = office.browser()
  // A program that looks through mails has opened the link before.
  for (let i = 0; i < 2; i++) expect((await browser.get(linkIn(mail))).text).toContain('value="iva@example.hr"')
  expect(await browser.post(linkIn(mail), { password: 'kratka' })).toMatchObject({ status: 422 })
  expect(await browser.post(linkIn(mail), { password: 'x'.repeat(1001) })).toMatchObject({ status: 422 })
  expect((await browser.post(linkIn(mail), { password: MINE })).to).toBe(`${SIGN_IN}?notice=password_set`)
  expect(await browser.post(linkIn(mail), { password: 'još jedna lozinka' })).toMatchObject(GONE)
  expect(await browser.get(linkIn(mail))).toMatchObject(GONE)

  expect((await browser.post(SIGN_IN, { name: 'iva@example.hr', password: MINE })).to).toBe('/dashboard')
  expect((await browser.get('/dashboard/account')).words).toContain('Uloga: samo pregled')
  expect((await browser.get(USERS)).status).toBe(403)
  expect((await admin.get(USERS)).words).not.toContain('pozvan')
  const audit = (await admin.get('/dashboard/audit')).words
  expect(audit).toContain('Pozvan je korisnik „iva@example.hr”')
  expect(audit).toContain('Korisnik „iva@example.hr” postavio je lozinku pomoću poveznice.')
})

test('an invitation is sent again, which ends the earlier one, and is withdrawn', async () => {
  const { office, admin, next } = await mailing()
  await invite(admin, 'ivo@example.hr', { language: 'en' })
  const page = await pageOf(office, 'ivo@example.hr')
  const first = await next()
  expect(first.subject).toBe('Your invitation to the dashboard')
  expect((await admin.submit(page, {}, `${page}/link`)).to).toBe(`${page}?notice=link_sent`)
  const second = await next()
  const browser = office.browser()
  expect(await browser.get(linkIn(first))).toMatchObject(GONE)
  expect((await browser.get(linkIn(second))).status).toBe(200)
  expect((await admin.get(page)).words).toMatch(/Poslano e-poštom: ivo@example\.hr.*ivo@example\.hr/)

  // Nobody else can have the invitation replaced.
  await ask(office, 'ivo@example.hr')
  office.clock.aheadMs += 7 * 24 * HOUR_MS + 1
  const again = await office.as('admin')
  expect((await again.get(page)).words).toContain('Poveznica je vrijedila do')
  expect(await browser.get(linkIn(second))).toMatchObject(GONE)
  expect((await again.submit(page, {}, `${page}/link`)).to).toBe(`${page}?notice=link_sent`)
  const third = await next()
  expect((await browser.get(linkIn(third))).status).toBe(200)
  expect((await again.get(page)).words).toContain('Povuci poziv')
  expect((await again.submit(page, {}, `${page}/remove`)).to).toBe(`${USERS}?notice=user_removed`)
  expect(await browser.post(linkIn(third), { password: MINE })).toMatchObject(GONE)
})

test('a forgotten password is set by a link, all sessions end, and the second step of sign-in stays', async () => {
  const { office, next } = await mailing()
  const visitor = await office.as('operator')
  await withAddress(visitor, 'ana@example.hr')
  const { secret } = await setUpSecondFactor(visitor)
  expect((await office.browser().get(SIGN_IN)).text).toContain(`href="${FORGOTTEN}"`)
  expect((await ask(office, visitor.name.toUpperCase())).words).toContain('poveznica je poslana')
  const mail = await next()
  expect(mail).toMatchObject({ to: { text: 'ana@example.hr' }, subject: 'Nova lozinka za fiskd' })
  const browser = office.browser()
  expect((await browser.post(linkIn(mail), { password: MINE })).status).toBe(303)
  expect((await visitor.get('/dashboard/account')).to).toMatch(/sign-in/)
  expect(await signIn(office, visitor.name, visitor.password)).toMatchObject(WRONG)
  const half = await browser.post(SIGN_IN, { name: visitor.name, password: MINE })
  expect(half).toMatchObject({ status: 200, words: expect.stringContaining('Kod od 6 znamenaka') })
  const csrf = String(/name="_csrf" value="([^"]+)"/.exec(half.text)?.[1])
  const code = codeOf(secret, 30_000)
  expect((await browser.post(`${SIGN_IN}/code`, { code, _csrf: csrf })).to).toBe('/dashboard')
})

test('the answer is the same for every name, and a mailbox is not filled by asking again and again', async () => {
  const { office, admin, mails, next } = await mailing()
  const visitor = await office.as('viewer')
  await withAddress(visitor, 'ana@example.hr')
  const chief = await office.as('admin', { platformAdmin: true })
  await withAddress(chief, 'chief@example.hr')
  const known = await ask(office, visitor.name)
  const mail = await next()
  // Unknown, without an address, of all tenants, and asked for a moment ago.
  for (const name of ['nobody', '', admin.name, chief.name, visitor.name]) {
    const answer = await ask(office, name)
    expect([name, answer.status, answer.words]).toEqual([name, 200, known.words])
  }
  expect(mails).toEqual([])
  office.clock.aheadMs += 10 * 60_000
  await ask(office, visitor.name)
  const second = await next()
  expect(await office.browser().get(linkIn(mail))).toMatchObject(GONE)
  office.clock.aheadMs += HOUR_MS + 1
  expect(await office.browser().get(linkIn(second))).toMatchObject(GONE)
  const audit = await office.admin<{ data: { action: string; actor: string; detail: object }[] }>('/admin/audit')
  const asked = audit.body.data.filter(({ action }) => action === 'user.link_sent')
  expect(asked).toHaveLength(2)
  expect(asked[0]).toMatchObject({ actor: 'nobody', detail: { name: visitor.name, address: expect.any(String) } })
})

test('another password or mail address ends a link, and another address needs the password', async () => {
  const { office, admin, next } = await mailing()
  const visitor = await office.as('viewer')
  const here = '/dashboard/account'
  const wrong = await visitor.submit(here, { language: 'hr', email: 'tat@example.hr' }, here)
  expect(wrong).toMatchObject({ status: 422, words: expect.stringContaining('Sadašnja lozinka nije točna.') })
  await withAddress(visitor, 'ana@example.hr')
  const page = await pageOf(office, visitor.name)
  const changes: (() => Promise<{ status: number }>)[] = [
    () => admin.submit(page, { role: 'viewer', language: 'hr', email: 'ana@drugdje.hr' }, page),
    () => admin.submit(page, { password: 'od administratora 12' }, `${page}/password`),
  ]
  for (const change of changes) {
    expect((await admin.submit(page, {}, `${page}/link`)).status).toBe(303)
    const mail = await next()
    expect((await change()).status).toBe(303)
    expect(await office.browser().get(linkIn(mail))).toMatchObject(GONE)
  }
})

test('an admin changes the own address with the password only, on the page of the account', async () => {
  const { office, admin } = await mailing()
  await withAddress(admin, 'ja@example.hr')
  const page = await pageOf(office, admin.name)
  expect((await admin.get(page)).text).not.toContain('name="email"')
  const wrong = await admin.submit(page, { language: 'hr', email: 'tat@example.hr' }, page)
  expect(wrong).toMatchObject({ status: 422, words: expect.stringContaining('na stranici Moj profil') })
  expect((await admin.submit(page, { language: 'hr' }, page)).status).toBe(303)
  expect((await admin.get('/dashboard/account')).text).toContain('value="ja@example.hr"')
})

test('without a mail server the admin is shown the link once, and the sign-in sends people to the admin', async () => {
  const office = await startDashboard()
  const admin = await office.as('admin')
  expect((await admin.get(`${USERS}/invite`)).words).toContain('Slanje e-pošte nije postavljeno.')
  const { to } = await invite(admin, 'iva@example.hr')
  const page = await pageOf(office, 'iva@example.hr')
  expect(to).toBe(`${page}/link`)
  const shown = /https:\/\/[^/]+(\/dashboard\/password\/[\w-]{43})/.exec((await admin.get(`${page}/link`)).text)
  const other = await office.as('admin')
  expect((await other.get(`${page}/link`)).words).toContain('Poveznica se prikazuje samo neposredno nakon izrade.')
  const browser = office.browser()
  expect((await browser.post(String(shown?.[1]), { password: MINE })).status).toBe(303)
  expect((await browser.post(SIGN_IN, { name: 'iva@example.hr', password: MINE })).to).toBe('/dashboard')
  expect((await browser.get(SIGN_IN)).text).not.toContain(FORGOTTEN)
  expect((await ask(office, 'iva@example.hr')).words).toContain('Administrator može postaviti novu.')
})

test('an admin invites and helps users of the own tenant only, and no platform administrator', async () => {
  const { office, admin, mails } = await mailing()
  await office.admin('/admin/tenants', { body: { name: 'drugi' } })
  const body = { name: 'tudji', password: 'duga lozinka 1', email: 'tudji@example.hr' }
  const foreign = await office.admin('/admin/users', { body, headers: { 'x-tenant': 'drugi' } })
  const chief = await office.as('admin', { platformAdmin: true })
  const hidden = (await admin.get(`${USERS}/new`)).hidden(USERS)
  expect((await admin.post(`${USERS}/${foreign.body.id}/link`, hidden)).status).toBe(404)
  expect((await admin.get(`${USERS}/${foreign.body.id}/link`)).status).toBe(404)
  expect((await admin.post(`${await pageOf(office, chief.name)}/link`, hidden)).status).toBe(422)
  expect((await admin.post(`${await pageOf(office, admin.name)}/link`, hidden)).status).toBe(422)
  for (const email of ['tudji', 'a\u202e@example.hr', 'b\u0000@example.hr', 'c\u200b@example.hr'])
    expect((await invite(admin, email)).status).toBe(422)
  expect((await invite(admin, admin.name)).words).toContain('Već postoji korisnik s tim korisničkim imenom')
  expect((await (await office.as('operator')).get(`${USERS}/invite`)).status).toBe(403)
  expect(mails).toEqual([])
})

test('two administrators who remove each other at once: one stays, though a third one is invited', async () => {
  const { office, admin } = await mailing()
  await invite(admin, 'novi@example.hr', { role: 'admin' })
  const other = await office.as('admin')
  const [mine, theirs] = [await pageOf(office, admin.name), await pageOf(office, other.name)]
  const forms = [(await admin.get(theirs)).hidden(`${theirs}/remove`), (await other.get(mine)).hidden(`${mine}/remove`)]
  await Promise.all([admin.post(`${theirs}/remove`, forms[0] ?? {}), other.post(`${mine}/remove`, forms[1] ?? {})])
  const { body } = await office.admin<{ data: { name: string }[] }>('/admin/users')
  expect(body.data.map(({ name }) => name).filter((name) => [admin.name, other.name].includes(name))).toHaveLength(1)
})

test('a token is stored as a hash only, in no log, and its letter is forgotten once it is sent', async () => {
  const lines: string[] = []
  const log = new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) })
  const { office, admin, next } = await mailing({ FISKD_LOG_LEVEL: 'trace' }, log)
  await invite(admin, 'iva@example.hr')
  const link = linkIn(await next())
  const token = String(link.split('/').at(-1))
  expect((await office.browser().get(link)).status).toBe(200)
  await office.browser().post(link, { password: 'kratka' })
  const report = { 'csp-report': { 'source-file': `https://office.example.hr${link}?a=1`, 'blocked-uri': 'inline' } }
  const ca = readFileSync(join(office.dataDir, 'tls', 'ca.pem'), 'utf8')
  const headers = { 'content-type': 'application/csp-report' }
  await call({ base: office.url, ca }, { path: '/dashboard/csp-report', body: JSON.stringify(report), headers })
  expect(lines.join('')).toContain('https://office.example.hr/dashboard/password?a=1')
  await expect.poll(async () => JSON.stringify(await everyRow(office))).toContain('"status":"sent"')
  expect(JSON.stringify(await everyRow(office))).not.toContain(token)
  const backup = await office.admin('/admin/backup')
  expect([backup.status, backup.text.includes(token)]).toEqual([200, false])
  expect(lines.join('')).toContain('/dashboard/password/:token')
  expect(lines.join('')).not.toContain(token)
})
