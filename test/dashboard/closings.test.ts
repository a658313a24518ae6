import { expect, test } from 'vitest'
import { startDashboard } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { startMailServer } from '../support/mail-server.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startVirtualPrinter } from '../support/printer.ts'

const DAY_MS = 86_400_000

const dayOf = (clock: number) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Zagreb' }).format(clock)

test('an operator closes the day before from its page, reads, verifies and downloads it; a viewer only reads', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const office = await startDashboard()
  const sold = await office.sell()
  const day = dayOf(Date.now())
  const here = `/dashboard/closings?unit=day&period=${day}&mode=test`
  expect((await (await office.as('operator')).get(here)).words).toContain('Razdoblje još traje.')
  office.clock.aheadMs += DAY_MS
  const operator = await office.as('operator')
  const viewer = await office.as('viewer')
  expect((await viewer.get(here)).text).not.toContain('method="post" action="/dashboard/closings"')
  expect(await operator.submit(here, {}, '/dashboard/closings')).toMatchObject({ status: 303 })
  const closed = await viewer.get(here)
  expect(closed.words).toContain('Sve je zaključeno. Poslovnih prostora s prometom: 1.')
  const [, id] = /\/dashboard\/closings\/([0-9a-f-]{36})"/.exec(closed.text) ?? []
  const page = await viewer.get(`/dashboard/closings/${id}`)
  expect(page.words).toContain(`${sold.number}/`)
  expect(page.words).toContain('OVO NIJE FISKALIZIRANI RAČUN.')
  expect((await viewer.get(`/dashboard/closings/${id}?verify=yes`)).words).toContain(
    'Zbrojevi računa odgovaraju zaključku.',
  )
  const file = await viewer.get(`/dashboard/closings/file.csv?unit=day&period=${day}&mode=test`)
  const [titles, row] = file.text.trim().split('\r\n')
  expect(titles).toContain('Ukupno (EUR);gotovina;kartica')
  expect(row?.split(';')).toHaveLength(titles?.split(';').length ?? 0)
  expect((await viewer.post('/dashboard/closings', { unit: 'day', period: day })).status).toBe(403)
  expect((await viewer.get(`/dashboard/closings/${id}0`)).status).toBe(404)
})

test('a closing is printed from its page where its premises has a printer, once for each form', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const office = await startDashboard()
  const paper = await startVirtualPrinter()
  await office.sell()
  office.clock.aheadMs += DAY_MS
  const operator = await office.as('operator')
  await operator.submit('/dashboard/closings', {}, '/dashboard/closings')
  const [, page = ''] =
    /"(\/dashboard\/closings\/[0-9a-f-]{36})"/.exec((await operator.get('/dashboard/closings')).text) ?? []
  expect((await operator.get(page)).text).not.toContain(`action="${page}/print"`)
  const line = `serial:${paper.path}`
  const body = { line, profile: 'epson-tm-t20', settings: { answer_timeout_ms: 1000 } }
  await office.admin(`/admin/printers/${office.deviceId}`, { method: 'PATCH', body })
  const form = (await operator.get(page)).hidden(`${page}/print`)
  expect(await operator.post(`${page}/print`, form)).toMatchObject({ to: `${page}?notice=closing_printed` })
  expect(await operator.post(`${page}/print`, form)).toMatchObject({ to: `${page}?notice=closing_sent` })
  expect(paper.papers.filter(({ cut }) => cut)).toHaveLength(1)
  expect(paper.papers[0]?.text).toContain('ZAKLJUČAK')
  const viewer = await office.as('viewer')
  expect((await viewer.get(page)).text).not.toContain(`action="${page}/print"`)
  expect((await viewer.post(`${page}/print`, form)).status).toBe(403)
})

test('the closings of a day are mailed with their CSV file, once for each form, and the page says what became of it', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const mailServer = await startMailServer()
  const office = await startDashboard({ FISKD_SMTP_URL: mailServer.url })
  const here = '/dashboard/closings'
  const mail = `${here}/mail`
  await office.sell({ total: '2.50' })
  office.clock.aheadMs += DAY_MS
  const operator = await office.as('operator')
  expect((await operator.get(here)).text).not.toContain(`action="${mail}"`)
  await operator.submit(here, {}, here)
  const form = { ...(await operator.get(here)).hidden(mail), to: 'knjige@example.hr' }
  expect((await operator.post(mail, form)).to).toContain('notice=mail_ready')
  expect((await operator.post(mail, form)).to).toContain('notice=mail_ready')
  await expect.poll(() => mailServer.mails.length).toBe(1)
  const [sent] = mailServer.mails
  expect(sent?.subject).toMatch(/^Zaključci za \d+\. \d+\. \d{4}\.$/)
  expect(sent?.text).toMatch(/, OIB \d{11}\n[\s\S]*Ukupno: 2,50\s€/)
  expect(sent?.attachments[0]?.content.toString()).toContain(';2,50;')
  await expect.poll(async () => (await operator.get(here)).words).toContain('(poslano)')
  expect(await inDatabase(office, "SELECT id FROM audit_log WHERE action = 'closings.mailed'")).toHaveLength(1)
  const wrong = { ...(await operator.get(here)).hidden(mail), to: 'a@b.hr, c@d.hr' }
  const refused = await operator.post(mail, wrong)
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('Ovo nije ispravna adresa e-pošte.')
  expect(refused.text).toMatch(/value="a@b.hr, c@d.hr"[^>]* aria-invalid="true" autofocus/)
  expect(refused.hidden(mail)).toMatchObject({ unit: 'day', mode: 'test' })
  const viewer = await office.as('viewer')
  expect((await viewer.get(here)).text).not.toContain(`action="${mail}"`)
  expect((await viewer.post(mail, form)).status).toBe(403)
})

test('one closing is mailed from its page, with a file that has it alone', { timeout: 4 * PATIENCE_MS }, async () => {
  const mailServer = await startMailServer()
  const office = await startDashboard({ FISKD_SMTP_URL: mailServer.url })
  const here = '/dashboard/closings'
  await office.sell({ total: '2.50' })
  office.clock.aheadMs += DAY_MS
  const operator = await office.as('operator')
  await operator.submit(here, {}, here)
  const [, page = ''] = /"(\/dashboard\/closings\/[0-9a-f-]{36})"/.exec((await operator.get(here)).text) ?? []
  const refused = await operator.submit(page, { to: 'knjige' }, `${page}/mail`)
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('Ovo nije ispravna adresa e-pošte.')
  expect(refused.words).toContain('Zaključak za')
  const sent = await operator.submit(page, { to: 'knjige@example.hr' }, `${page}/mail`)
  expect(sent).toMatchObject({ status: 303, to: `${page}?notice=mail_ready` })
  await expect.poll(() => mailServer.mails.length).toBe(1)
  expect(mailServer.mails[0]?.subject).toMatch(/^Zaključci za \d+\. \d+\. \d{4}\., poslovni prostor POSL1$/)
  expect(mailServer.mails[0]?.attachments[0]?.content.toString().trim().split('\r\n')).toHaveLength(2)
  await expect.poll(async () => (await operator.get(page)).words).toContain('knjige@example.hr')
  expect((await operator.get(here)).words).not.toContain('knjige@example.hr')
  const viewer = await office.as('viewer')
  expect((await viewer.get(page)).text).not.toContain(`action="${page}/mail"`)
  expect((await viewer.post(`${page}/mail`, { to: 'knjige@example.hr' })).status).toBe(403)
})
