import { expect, test } from 'vitest'
import { startDashboard } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { OIBS } from '../support/pki.ts'

const DAY_MS = 86_400_000
const LIST = '/dashboard/closings/schedules'
const DAILY = { unit: 'day', company: '', mode: 'test', to: 'knjige@example.hr', language: 'hr' }
const idIn = (html: string) => new RegExp(`"${LIST}/([0-9a-f-]{36})"`).exec(html)?.[1] ?? ''

test.each(['gateway', 'server'])(
  'an operator of a %s sets up the closings of each day by mail, which go out when it is over',
  {
    timeout: 4 * PATIENCE_MS,
  },
  async (role) => {
    const mailServer = await startMailServer()
    const office = await startDashboard({ FISKD_SMTP_URL: mailServer.url, FISKD_ROLE: role })
    await office.sell({ total: '2.50' })
    const operator = await office.as('operator')
    expect((await operator.get('/dashboard/closings?unit=day')).text).toContain(`href="${LIST}"`)
    expect((await operator.get(LIST)).words).toContain('Redovito slanje još nije postavljeno.')
    const opened = await operator.get(`${LIST}/new`)
    expect(opened.words).toContain('Sve tvrtke')

    const wrong = await operator.post(LIST, { ...opened.hidden(LIST), ...DAILY, to: 'knjige' })
    expect(wrong.status).toBe(422)
    expect(wrong.words).toContain('Ovo nije ispravna adresa e-pošte.')
    expect(wrong.text).toMatch(/value="knjige"[^>]* aria-invalid="true" autofocus/)
    expect(await operator.post(LIST, { ...wrong.hidden(LIST), ...DAILY })).toMatchObject({ to: `${LIST}?notice=saved` })
    const listed = await operator.get(LIST)
    expect(listed.words).toContain('knjige@example.hr Sve tvrtke, svaki dan, hrvatski testni rad')
    expect(listed.words).toContain('još ništa')
    const id = idIn(listed.text)

    office.clock.aheadMs += 2 * DAY_MS
    const later = await office.as('operator')
    const form = { ...(await later.get(`${LIST}/${id}`)).hidden(`${LIST}/${id}`), ...DAILY, to: 'nova@example.hr' }
    expect((await later.post(`${LIST}/${id}`, form)).to).toContain('notice=saved')
    await expect.poll(() => mailServer.mails.length).toBeGreaterThan(0)
    expect(mailServer.mails[0]?.subject).toMatch(/^Zaključci za \d+\. \d+\. \d{4}\.$/)
    await expect.poll(async () => (await later.get(LIST)).words).toMatch(/nova@example.hr .* Zaključci za .* poslano/)

    await later.submit(`${LIST}/${id}`, {}, `${LIST}/${id}/remove`)
    expect((await later.get(LIST)).words).toContain('Redovito slanje još nije postavljeno.')
    expect((await later.get(`${LIST}/${id}`)).status).toBe(404)
    const admin = await office.as('admin')
    const { words } = await admin.get('/dashboard/audit')
    expect(words).toMatch(/Zaključeno je razdoblje \d+\. \d+\. \d{4}\. \(testni rad, redovito slanje\)\./)
    for (const done of ['Postavljeno', 'Promijenjeno', 'Uklonjeno'])
      expect(words).toContain(`${done} je slanje zaključaka na`)
  },
)

test('a viewer reads what is mailed, without a mail server nothing can be set up, and a limited user has own companies', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const mailServer = await startMailServer()
  const office = await startDashboard({ FISKD_SMTP_URL: mailServer.url })
  const operator = await office.as('operator')
  await operator.submit(`${LIST}/new`, DAILY, LIST)
  const viewer = await office.as('viewer')
  const listed = await viewer.get(LIST)
  expect(listed.words).toContain('knjige@example.hr')
  expect(listed.text).not.toContain(`${LIST}/`)
  expect((await viewer.get(`${LIST}/new`)).status).toBe(403)
  expect((await viewer.post(LIST, DAILY)).status).toBe(403)

  const limited = await office.as('operator')
  const set = await office.admin(`/admin/users/${limited.name}/companies`, { body: { companies: [OIBS[0]] } })
  expect(set.status, set.text).toBe(200)
  expect((await limited.get(LIST)).words).not.toContain('knjige@example.hr')
  expect((await limited.get(`${LIST}/new`)).words).not.toContain('Sve tvrtke')
  const refused = await limited.submit(`${LIST}/new`, DAILY, LIST)
  expect([refused.status, refused.words.includes('Odaberite tvrtku.')]).toEqual([422, true])
  const own = { ...DAILY, company: office.companyId, to: 'svoja@example.hr' }
  expect((await limited.submit(`${LIST}/new`, own, LIST)).status).toBe(303)
  expect((await limited.get(LIST)).words).toContain('svoja@example.hr')

  const without = await startDashboard()
  const clerk = await without.as('operator')
  const page = await clerk.get(LIST)
  expect(page.words).toContain('Slanje e-pošte nije postavljeno.')
  expect(page.text).not.toContain(`${LIST}/new`)
})

test('an address that the mail server refuses is an alert until the schedule is corrected', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const mailServer = await startMailServer({
    onRcptTo: ({ address }, _session, done) =>
      address.startsWith('nitko') ? done(Object.assign(new Error('no such user'), { responseCode: 550 })) : done(),
  })
  const office = await startDashboard({ FISKD_SMTP_URL: mailServer.url })
  await office.sell()
  const operator = await office.as('operator')
  await operator.submit(`${LIST}/new`, { ...DAILY, to: 'nitko@example.hr' }, LIST)
  const id = idIn((await operator.get(LIST)).text)
  office.clock.aheadMs += 2 * DAY_MS
  const later = await office.as('operator')
  const save = (to: string) => later.submit(`${LIST}/${id}`, { ...DAILY, to }, `${LIST}/${id}`)
  await save('nitko@example.hr')
  await expect.poll(async () => (await later.get(LIST)).words).toContain('nije uspjelo')
  await office.watch()
  const [alert] = await inDatabase(
    office,
    "SELECT id FROM alerts WHERE kind = 'closings_not_mailed' AND resolved_at IS NULL",
  )
  const page = await later.get(`/dashboard/alerts/${alert?.id}`)
  expect(page.words).toContain('Zaključci nisu poslani e-poštom (nitko@example.hr)')
  expect(page.words).toMatch(/Poslužitelj e-pošte odgovorio je: .*no such user/)
  expect(page.text).toContain(`href="${LIST}"`)
  await save('knjige@example.hr')
  await office.watch()
  const open = "SELECT id FROM alerts WHERE kind = 'closings_not_mailed' AND resolved_at IS NULL"
  expect(await inDatabase(office, open)).toEqual([])
})
