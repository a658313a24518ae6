import { expect, test } from 'vitest'
import { startDashboard } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { addCompany } from '../support/gateway.ts'
import { startMailServer } from '../support/mail-server.ts'
import { OIBS } from '../support/oibs.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { startVirtualPrinter } from '../support/printer.ts'

const DAY_MS = 86_400_000
/** The closings of yesterday. */
const DAY = '/dashboard/closings?unit=day'

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
  await operator.submit(DAY, {}, '/dashboard/closings')
  const [, page = ''] = /"(\/dashboard\/closings\/[0-9a-f-]{36})"/.exec((await operator.get(DAY)).text) ?? []
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
  const [here, list] = [DAY, '/dashboard/closings']
  const mail = `${list}/mail`
  await office.sell({ total: '2.50' })
  office.clock.aheadMs += DAY_MS
  const operator = await office.as('operator')
  expect((await operator.get(here)).text).not.toContain(`action="${mail}"`)
  await operator.submit(here, {}, list)
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
  const here = DAY
  await office.sell({ total: '2.50' })
  office.clock.aheadMs += DAY_MS
  const operator = await office.as('operator')
  await operator.submit(here, {}, '/dashboard/closings')
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

test('the money of a month is that of its invoices, says which days are compared, and what is closed', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const office = await startDashboard()
  const second = await addCompany(office, OIBS[1], { name: 'Druga d.o.o.' })
  const address = { premises_address: 'Korzo 3, 51000 Rijeka', isu_number: '202', premises_code: 'RI1' }
  const rijeka = await office.addDevice(address)
  const theirs = await office.addDevice({ ...address, company_id: second, isu_number: '303', premises_code: 'RI2' })
  await office.sell({ total: '10.00' })
  await office.sell({ device_id: rijeka, total: '4.00', payment_method: 'K' })
  await office.sell({ device_id: rijeka, total: '-1.00', payment_method: 'K' })
  await office.cis.goDown()
  await office.sell({ device_id: theirs, total: '7.00' })
  const viewer = await office.as('viewer', { language: 'en' })
  const month = dayOf(Date.now()).slice(0, 'yyyy-MM'.length)
  const page = await viewer.get(`/dashboard/closings?period=${month}&mode=test`)
  expect(rowsOf(page.text)).toEqual([
    ['Druga d.o.o.', '0 of 1', '1', '€7.00', '€0.00', '€7.00', '–', '–'],
    ['Rijeka', '0 of 1', '1', '€7.00', '€0.00', '€7.00', '–', '–'],
    ['Samoposluga d.o.o.', '0 of 2', '3', '€10.00', '€3.00', '€13.00', '–', '–'],
    ['Rijeka', '0 of 1', '2', '€0.00', '€3.00', '€3.00', '–', '–'],
    ['no place', '0 of 1', '1', '€10.00', '€0.00', '€10.00', '–', '–'],
    ['Total', '0 of 3', '4', '€17.00', '€3.00', '€20.00', '–', '–'],
  ])
  expect(page.words).toContain('Closed 0 of 3 · without JIR 1')
  // A figure and the list behind it are the same set.
  const lists = [...page.text.matchAll(/href="(\/dashboard\/invoices\?[^"]+)"/g)].map(([, url = '']) =>
    url.replaceAll('&amp;', '&'),
  )
  const said = await Promise.all(lists.map(async (url) => (await viewer.get(url)).words))
  expect(said.map((words) => /(\d+) (?:test )?invoices?, (€[\d.]+) in total/.exec(words)?.slice(1))).toEqual([
    ['1', '€7.00'],
    ['1', '€7.00'],
    ['3', '€13.00'],
  ])
  office.clock.aheadMs += 31 * DAY_MS
  const operator = await office.as('operator', { language: 'en' })
  const here = `/dashboard/closings?unit=month&period=${month}&mode=test`
  expect(await operator.submit(here, {}, '/dashboard/closings')).toMatchObject({ status: 303 })
  const closed = await operator.get(`/dashboard/closings?period=${month}&mode=test`)
  expect(closed.words).toContain('Closed 3 of 3')
  expect(closed.words).toContain('Whole months are compared.')
  const following = await operator.get('/dashboard/closings?by=group&mode=test&period=2099-01')
  expect(following.words).toContain('There are no invoices in this period.')
})

/** The rows of the first table of a page, by cells. */
const rowsOf = (html: string) =>
  [...html.matchAll(/<tr role="row"[^>]*><th scope="row".*?<\/tr>/gs)].map(([row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replace(/<[^>]+>/g, '').trim()),
  )
