import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { explainCodes, RESTRICTIVE_CODES } from '../../src/domain/sale/refusal.ts'
import { zagrebClock } from '../../src/domain/zagreb.ts'
import { type Office, startDashboard, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import type { InvoiceBody } from '../support/gateway.ts'
import { startMailServer } from '../support/mail-server.ts'

let office: Office
let clerk: Visitor
let viewer: Visitor
let sold: InvoiceBody

beforeAll(async () => {
  office = await startSharedDashboard()
  const vat = [{ rate: '25.00', base: '10.00', amount: '2.50' }]
  sold = await office.sell({ total: '12.50', vat })
  clerk = await office.as('operator')
  viewer = await office.as('viewer', { language: 'en' })
})

/** Date and time of day in Zagreb, as the fields of a form have them. */
const zagrebText = (at: number) => new Date(zagrebClock(at)).toISOString().slice(0, 16).replace('T', ' ')

const page = (id: string) => `/dashboard/invoices/${id}`

test('the list shows the latest sale first, in plain words and Croatian figures', async () => {
  const later = await office.sell({ total: '-2.50' })
  const list = await clerk.get('/dashboard/invoices')
  expect(list.status).toBe(200)
  expect(list.words).toContain('12,50 €')
  expect(list.words).toContain('Potvrđen')
  expect(list.words).toContain('storno')
  expect(list.text.indexOf(page(later.id))).toBeLessThan(list.text.indexOf(page(sold.id)))
  expect((await viewer.get('/dashboard/invoices')).words).toContain('Confirmed')
})

test.each([
  ['its number', () => sold.number],
  ['number and premises', () => `${sold.number}/posl1`],
  ['the number as it is printed', () => ` ${sold.number} / POSL1 / 101 `],
  ['its JIR', () => String(sold.jir)],
  ['the first 8 characters of its JIR', () => String(sold.jir).slice(0, 8)],
  ['its ZKI in capitals', () => String(sold.zki).toUpperCase()],
  ['the first 9 characters of its ZKI', () => String(sold.zki).slice(0, 9)],
  ['what its QR code holds', () => String(sold.qr_payload)],
  ['its id', () => sold.id],
])('an invoice is found by %s', async (_what, text) => {
  const found = await clerk.get(`/dashboard/invoices?${new URLSearchParams({ q: text() })}`)
  expect(found.words).toContain('Pronađen')
  expect(found.text).toContain(page(sold.id))
})

test.each([
  ['something else', 'molim račun', 'Upišite broj kako piše na računu'],
  ['a number that nobody has', '99999999999', 'Takav račun ne postoji'],
  ['markup', '<script>alert(1)</script>', 'Upišite broj kako piše na računu'],
  ['a character that databases refuse', '\0', 'Upišite broj kako piše na računu'],
])('a search for %s says what to do', async (_what, q, words) => {
  const found = await clerk.get(`/dashboard/invoices?${new URLSearchParams({ q })}`)
  // Spaces alone are no search.
  if (q.trim() !== '\0') expect(found.words).toContain(words)
  expect(found.status).toBe(200)
  expect(found.text).not.toContain('<script>alert')
})

test('the list is narrowed down by everything that the API filters by, and says what it did not understand', async () => {
  const listed = async (query: Record<string, string>) => {
    const list = await clerk.get(`/dashboard/invoices?${new URLSearchParams(query)}`)
    expect(list.status, list.words).toBe(200)
    return list.text.includes(page(sold.id))
  }
  const today = new Date().toISOString().slice(0, 10)
  expect(await listed({ company: office.companyId, device: office.deviceId, premises: 'POSL1' })).toBe(true)
  expect(await listed({ status: 'confirmed', from: '2020-01-01', to: '2999-12-31', mode: 'test' })).toBe(true)
  for (const query of [{ company: randomUUID() }, { device: 'x\0' }, { premises: 'NOWHERE' }, { status: 'failed' }]) {
    expect(await listed(query as never), JSON.stringify(query)).toBe(false)
  }
  expect(await listed({ mode: 'live' })).toBe(false)
  expect(await listed({ to: '2020-01-01' })).toBe(false)
  expect(await listed({ from: today })).toBe(true)
  expect((await clerk.get('/dashboard/invoices?from=31.2.2026.')).words).toContain('Upišite datum')
})

test('the list goes on page by page with what it was narrowed down to', async () => {
  const device = await office.addDevice({ label: 'many', isu_number: '777', premises_code: 'MANY' })
  const oldest = await office.sell({ device_id: device, occurred_at: new Date(Date.now() - 60_000).toISOString() })
  await Promise.all(Array.from({ length: 50 }, () => office.sell({ device_id: device })))
  const first = await clerk.get('/dashboard/invoices?premises=MANY')
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? []
  const second = await clerk.get(next.replaceAll('&amp;', '&'))
  expect(second.text).toContain(page(oldest.id))
  expect(second.text).not.toContain(page(sold.id))
  expect(second.words).toContain('Na početak')
})

test('an invoice is found by its amount and the time of day at which it was sold', async () => {
  const device = await office.addDevice({ label: 'amounts', isu_number: '779', premises_code: 'AMOUNTS' })
  const now = Date.now()
  const few = await Promise.all(
    ['7.77', '7.77', '8.88'].map((total, i) =>
      office.sell({ device_id: device, total, occurred_at: new Date(now - (i + 1) * 3_600_000).toISOString() }),
    ),
  )
  const wanted = few[1] as InvoiceBody
  const [day = '', clock = ''] = zagrebText(now - 2 * 3_600_000).split(' ')
  const found = await clerk.get(
    `/dashboard/invoices?${new URLSearchParams({ amount: '7,77 €', from: day, from_time: clock, to: day, to_time: clock })}`,
  )
  expect(found.words).toContain('1 račun, ukupno 7,77 €')
  expect(found.text).toContain(page(wanted.id))
  expect(found.text).not.toContain(page(few[0]?.id ?? ''))
  const range = await clerk.get('/dashboard/invoices?amount_from=7&amount_to=9&premises=AMOUNTS')
  expect(range.words).toContain('3 računa, ukupno 24,42 €')
})

test('the list is ordered by its columns, and has a last page', async () => {
  const list = await clerk.get('/dashboard/invoices?order=largest')
  expect(list.text).toMatch(/aria-sort="descending"><a href="[^"]*order=smallest"/)
  const totals = [...list.text.matchAll(/class="num m3 ">(-?[\d.]+,\d\d)/g)].map(([, total = '']) =>
    Number(total.replaceAll('.', '').replace(',', '.')),
  )
  expect(totals).toEqual([...totals].sort((a, b) => b - a))
  const ofDevice = await clerk.get('/dashboard/invoices?premises=MANY')
  const [, last = ''] = /href="([^"]*page=last)"/.exec(ofDevice.text) ?? []
  const end = await clerk.get(last.replaceAll('&amp;', '&'))
  expect(end.text.match(/<th scope="row"/g)).toHaveLength(50)
  expect(end.words).not.toContain('Na kraj')
  const [, before = ''] = /rel="prev" href="([^"]+)"/.exec(end.text) ?? []
  expect((await clerk.get(before.replaceAll('&amp;', '&'))).text.match(/<th scope="row"/g)).toHaveLength(1)
})

test('what an address says wrongly is told beside its field, and filters nothing', async () => {
  const wrong = { amount: '12,345,6', from_time: '14:30', to: '1.13.2026.', device: 'nobody' }
  const list = await clerk.get(`/dashboard/invoices?${new URLSearchParams(wrong)}`)
  expect(list.status).toBe(200)
  for (const words of ['Upišite iznos', 'Uz vrijeme upišite i datum', 'Upišite datum', 'Nema uređaja s tim nazivom']) {
    expect(list.words).toContain(words)
  }
})

test('of more devices than a menu has, a part of the name or address is enough to have them suggested', async () => {
  const many = await startDashboard()
  const reader = await many.as('viewer')
  const add = (label: string, more: object = {}) =>
    many.admin('/v1/devices', { body: { company_id: many.companyId, premises_code: 'MANY', label, ...more } })
  await add('Kavomat 1', { premises_address: 'Riva 1, Rijeka' })
  for (let i = 0; i < 200; i++) await add(`Aparat ${i}`)
  const list = await reader.get('/dashboard/invoices?device=kavomat')
  expect(list.words).toContain('Nema uređaja s tim nazivom. Slični: Kavomat 1.')
  expect(list.words).not.toContain('Nema računa')
  expect(list.words).not.toContain('Nema računa')
  const [, suggest = ''] =
    /name="device"[^>]* hx-get="([^"]+)"[^>]* hx-target="#field-device-list"/.exec(list.text) ?? []
  for (const [typed, options] of [
    ['KAVO', 1],
    ['riva', 1],
    ['aparat 19', 11],
    ['', 0],
  ] as const) {
    const { text } = await reader.get(`${suggest}?device=${encodeURIComponent(typed)}`)
    expect(text.match(/<option/g) ?? [], typed).toHaveLength(options)
  }
})

test('a label with markup in it stays a label', async () => {
  const label = '<img src=x onerror=alert(1)>'
  const device = await office.addDevice({ label, isu_number: '778', premises_code: 'MARKUP' })
  const { id } = await office.sell({ device_id: device })
  for (const path of ['/dashboard/invoices', page(id)]) {
    const shown = await clerk.get(path)
    expect(shown.text).not.toContain(label)
    expect(shown.words).toContain(label)
  }
})

test('a confirmed invoice says that there is nothing to do, and what it is made of', async () => {
  const shown = await clerk.get(page(sold.id))
  expect(shown.words).toContain('Porezna uprava potvrdila je ovaj račun')
  expect(shown.words).toContain('ne treba učiniti ništa')
  expect(shown.words).toContain(String(sold.jir))
  expect(shown.words).toContain(String(sold.zki))
  expect(shown.words).toMatch(/PDV 25 % 10,00 € 2,50 € 12,50 €/)
  expect(shown.words).not.toContain('Pošalji ponovno')
})

test('an invoice in which the authority will find something names it, and the company whose setting is why', async () => {
  const vat = [{ rate: '25.00', base: '1.20', amount: '0.30' }]
  const fees = [{ name: 'Povratna naknada', amount: '0.10' }]
  const configure = (fiscal_config: object) =>
    office.admin(`/v1/companies/${office.companyId}`, { method: 'PATCH', body: { fiscal_config } })
  const wrong = await office.sell({ total: '1.50', vat, fees })
  const words = async (id = wrong.id, visitor = clerk) => (await visitor.get(page(id))).words
  expect(await words()).toContain('v166 osnovice, PDV, porez na potrošnju')
  expect(await words()).toContain('Zamolite tehničara da ispravi ono što uređaj šalje')
  expect(await words()).not.toContain('Na stranicu tvrtke')
  expect(await words()).not.toContain('ne treba učiniti ništa')
  expect(await words(wrong.id, viewer)).toContain('v166 VAT bases, VAT')
  expect(await words(wrong.id, viewer)).not.toContain('Everything is fine')
  await configure({ default_vat_rate: '25.00' })
  expect(await words()).toContain('kao osnovu za zadanu stopu odaberite iznos bez naknada. Na stranicu tvrtke')
  expect(await words()).not.toContain('Zamolite tehničara da ispravi')
  await configure({})
  expect(await words(sold.id)).not.toContain('Što Porezna uprava nalazi')

  const occurred_at = new Date(Date.now() - 3 * 86_400_000).toISOString()
  const late = await words((await office.sell({ total: '1.50', vat, occurred_at })).id)
  expect(late).toContain('v152')
  expect(late).toContain('Dostavljen je sa zakašnjenjem: na njemu nema što ispravljati.')
  expect(late).not.toContain('Zamolite tehničara')
})

test('its receipt is there as a picture and as text', async () => {
  const picture = await clerk.get(`${page(sold.id)}/receipt.png`)
  expect(picture).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } })
  const pdf = await clerk.get(`${page(sold.id)}/receipt.pdf`)
  expect(pdf).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } })
  expect(pdf.headers['content-disposition']).toContain(`${sold.id}.pdf`)
  const text = await clerk.get(`${page(sold.id)}/receipt.txt`)
  expect(text.headers['content-disposition']).toContain('attachment')
  expect(text.text).toContain(String(sold.zki))
})

test('its messages can be read, and are given away byte for byte', async () => {
  const shown = await clerk.get(page(sold.id))
  const [path = ''] = new RegExp(`${page(sold.id)}/messages/[0-9a-f-]{36}`).exec(shown.text) ?? []
  const message = await clerk.get(path)
  expect(message.words).toContain('Poslano')
  expect(message.text).toMatch(/\n {2,}&lt;tns:/)
  expect(message.words).toContain(`<tns:ZastKod>${sold.zki}</tns:ZastKod>`)
  expect(message.words).toMatch(/Potpis odgovora rsa-sha\d+/)
  const [kept] = (await office.invoice(sold.id)).messages ?? []
  for (const [file, xml] of [
    ['request.xml', kept?.request_xml],
    ['response.xml', kept?.response_xml],
  ]) {
    const given = await clerk.get(`${path}/${file}`)
    expect(given.text).toBe(xml)
    expect(given.headers['content-disposition']).toContain('attachment')
    expect(given.headers['x-content-type-options']).toBe('nosniff')
  }
  const other = await office.sell()
  expect((await clerk.get(path.replace(sold.id, other.id))).status).toBe(404)
})

test('an invoice that waits is sent again at once when somebody asks, once even when asked twice', async () => {
  await office.cis.goDown()
  const waiting = await office.sell()
  expect(waiting.status).toBe('retrying')
  const shown = await clerk.get(page(waiting.id))
  expect(shown.words).toContain('Račun još nema JIR')
  expect(shown.words).toContain('Zakonski rok za dostavu')
  expect(shown.words).toContain('valjan je i bez JIR-a')
  await office.cis.comeBack()
  const form = shown.hidden(`${page(waiting.id)}/retry`)
  const [first, second] = await Promise.all([
    clerk.post(`${page(waiting.id)}/retry`, form),
    clerk.post(`${page(waiting.id)}/retry`, form),
  ])
  expect(first).toMatchObject({ status: 303, to: `${page(waiting.id)}?notice=invoice_confirmed` })
  expect(second).toMatchObject({ status: 303, to: first?.to })
  const sent = office.cis.received.filter(({ zki }) => zki === waiting.zki)
  expect(sent.filter(({ jir }) => jir !== null)).toHaveLength(1)
  expect((await clerk.get(first?.to ?? '')).words).toContain('Porezna uprava potvrdila je račun.')

  const again = await clerk.post(`${page(waiting.id)}/retry`, { ...form, _form: randomUUID() })
  expect(again).toMatchObject({ status: 303, to: `${page(waiting.id)}?notice=invoice_settled` })
})

test('an invoice that is sent again in vain says so', async () => {
  await office.cis.goDown()
  const waiting = await office.sell()
  const sent = await clerk.submit(page(waiting.id), {}, `${page(waiting.id)}/retry`)
  expect((await clerk.get(sent.to ?? '')).words).toContain('ali još nije potvrđen. Uzrok je naveden u nastavku.')
  await office.cis.comeBack()
  await office.sweep()
  expect(await office.invoice(waiting.id)).toMatchObject({ status: 'confirmed' })
})

test('all that failed for one cause are sent again together as a bulk job, which the list of jobs shows', async () => {
  office.cis.misbehave({ error: 's001' }, { error: 's001' })
  const failed = [await office.sell(), await office.sell()]
  expect(failed.map(({ status }) => status)).toEqual(['failed', 'failed'])
  const causes = await clerk.get('/dashboard/invoices/failed')
  expect(causes.words).toContain('Porezna uprava odbila je račune 2 računa')
  expect(causes.words).toContain('Posljednja poruka Porezne uprave: s001:')
  expect((await clerk.get(page(failed[0]?.id ?? ''))).words).toContain('Poruka Porezne uprave: s001:')
  const [confirm, jobs] = ['/dashboard/jobs/confirm', '/dashboard/jobs']
  const asked = await clerk.post(confirm, causes.hidden(confirm))
  expect(asked.words).toContain('Ponovno poslati 2 računa Poreznoj upravi?')
  const { to } = await clerk.post(jobs, asked.hidden(jobs))
  await expect.poll(async () => (await clerk.get(to ?? '')).words).toContain('Obrađeno 2 od 2.')
  expect((await clerk.get(to ?? '')).words).toContain('Obavljeno 2')
  expect((await clerk.get(jobs)).text).toContain(`href="${to}">Ponovno slanje računa`)
  for (const { id } of failed) expect(await office.invoice(id)).toMatchObject({ status: 'confirmed' })
  expect((await clerk.get('/dashboard/invoices/failed')).words).toContain('Nijedan račun ne čeka')
})

/** A sale that the tax authority has refused with restrictive codes. */
async function refused(...codes: number[]): Promise<InvoiceBody> {
  office.cis.misbehave({ error: 's013', codes })
  const invoice = await office.sell()
  expect(invoice.status).toBe('failed')
  return invoice
}

test('an invoice that was refused with restrictive codes explains each, in the language of the reader', async () => {
  const { id } = await refused(...RESTRICTIVE_CODES)
  for (const [visitor, language] of [[clerk, 'hr'] as const, [viewer, 'en'] as const]) {
    const { words } = await visitor.get(page(id))
    const causes = await visitor.get('/dashboard/invoices/failed')
    for (const { label, means, fix } of explainCodes(RESTRICTIVE_CODES, language, 'office')) {
      expect(words).toContain(`${label}: ${means} ${fix}`)
      expect(causes.words).toContain(`${label}: ${means} ${fix}`)
    }
  }
})

test('an invoice is said to be sent again only where it can still be confirmed', async () => {
  const words = async ({ id }: InvoiceBody) => (await clerk.get(page(id))).words
  const unregistered = await words(await refused(183))
  expect(unregistered).toContain('Šifra 183:')
  expect(unregistered).toContain('Kad otklonite uzrok')
  const invalid = await words(await refused(179))
  expect(invalid).toContain('Šifra 179:')
  expect(invalid).not.toContain('Kad otklonite uzrok')
})

test('an expired invoice says what its codes mean, and no longer what to correct', async () => {
  const { id } = await refused(184)
  await inDatabase(office, `UPDATE invoices SET status = 'expired' WHERE id = '${id}'`)
  const { words } = await clerk.get(page(id))
  const [said] = explainCodes([184], 'hr')
  expect(words).toContain(`${said?.label}: ${said?.means} Račun ostaje trajno spremljen.`)
  expect(words).not.toContain(said?.fix)
})

test('a code that is unknown shows as it came', async () => {
  const { words } = await clerk.get(page((await refused(186)).id))
  expect(words).toContain('Šifre pogrešaka: 186')
  expect(words).not.toContain('Šifra 186')
  expect(words).toContain('Pročitajte njezinu poruku')
})

test('a viewer sees and does nothing', async () => {
  const shown = await viewer.get(page(sold.id))
  expect(shown.words).not.toContain('Print a copy')
  for (const path of [`${page(sold.id)}/retry`, `${page(sold.id)}/copy`, '/dashboard/jobs/confirm']) {
    const form = { ...(await viewer.get('/dashboard/account')).hidden(), code: 'upstream_rejected' }
    expect((await viewer.post(path, form)).status, path).toBe(403)
  }
})

test('a copy is printed once, and only where there is a printer', async () => {
  const form = async () => ({ ...(await clerk.get('/dashboard/account')).hidden(), _form: randomUUID() })
  const copy = `${page(sold.id)}/copy`
  expect(await clerk.post(copy, await form())).toMatchObject({ to: `${page(sold.id)}?notice=copy_without_printer` })
  expect((await clerk.get(page(sold.id))).words).toContain('nije postavljen pisač')
  await office.admin(`/admin/printers/${office.deviceId}`, {
    method: 'PATCH',
    body: { line: 'tcp:127.0.0.1:9', profile: 'epson-tm-t20' },
  })
  const once = await form()
  await clerk.post(copy, once)
  expect(await clerk.post(copy, once)).toMatchObject({ to: `${page(sold.id)}?notice=copy_queued` })
  const jobs = await inDatabase(office, `SELECT copy FROM print_jobs WHERE invoice_id = '${sold.id}'`)
  expect(jobs).toHaveLength(1)
  expect((await clerk.get(page(sold.id))).words).toContain('Kopija 1')
})

test('an invoice of another tenant is found by nothing and shown to nobody', async () => {
  const tenant = 'drugi'
  await office.admin('/admin/tenants', { body: { name: tenant } })
  const body = { name: 'stranac', password: 'a long test password', role: 'admin' }
  await office.admin('/admin/users', { body, headers: { 'x-tenant': tenant } })
  const stranger = office.browser()
  await stranger.post('/dashboard/sign-in', { name: body.name, password: body.password })
  for (const q of [sold.number, String(sold.jir), String(sold.zki), sold.id]) {
    expect((await stranger.get(`/dashboard/invoices?${new URLSearchParams({ q })}`)).text).not.toContain(page(sold.id))
  }
  for (const path of ['', '/receipt.png', '/receipt.pdf', '/receipt.txt', '/messages?before=5']) {
    expect((await stranger.get(`${page(sold.id)}${path}`)).status, path).toBe(404)
  }
  expect((await stranger.get(page('%00'))).status).toBe(404)
})

test('only words of the tax authority are quoted as hers; of an answer that did not come the page speaks its own language', async () => {
  await office.cis.goDown()
  const waiting = await office.sell()
  await office.cis.comeBack()
  const shown = await clerk.get(page(waiting.id))
  expect(shown.words).toContain('Nije bilo odgovora')
  expect(shown.words).not.toContain('Poruka Porezne uprave')
  expect(shown.words).not.toMatch(/\b(the|answer|reached|connection)\b/)
  const [message = ''] = new RegExp(`${page(waiting.id)}/messages/[0-9a-f-]{36}`).exec(shown.text) ?? []
  expect((await clerk.get(message)).words).not.toMatch(/\b(the|answer|reached|connection)\b/)
  await office.sweep()
})

test('a cause leads to the list of its invoices', async () => {
  office.cis.misbehave({ error: 's001' })
  const failed = await office.sell()
  const causes = await clerk.get('/dashboard/invoices/failed')
  const link = '/dashboard/invoices?status=failed&cause=upstream_rejected&order=oldest'
  expect(causes.text.replaceAll('&amp;', '&')).toContain(link)
  expect((await clerk.get(link)).text).toContain(page(failed.id))
  await clerk.submit(page(failed.id), {}, `${page(failed.id)}/retry`)
})

test('a customer is mailed the copy as PDF, once for each form, and the page says what became of it', async () => {
  const mailServer = await startMailServer()
  const mailing = await startDashboard({ FISKD_SMTP_URL: mailServer.url })
  const { id, number } = await mailing.sell({ total: '2.50' })
  const operator = await mailing.as('operator')
  await inDatabase(mailing, `UPDATE users SET email = 'ured@example.hr' WHERE name = '${operator.name}'`)
  const mail = `${page(id)}/mail`
  const form = { ...(await operator.get(page(id))).hidden(mail), to: 'kupac@example.hr' }
  for (const _time of [1, 2]) expect((await operator.post(mail, form)).to).toContain('notice=mail_ready')
  await expect.poll(() => mailServer.mails.length).toBe(1)
  const [sent] = mailServer.mails
  expect(sent?.subject).toContain(`Kopija računa ${number}/`)
  expect(sent?.text).toMatch(/u privitku je kopija računa .* 2,50\s€.*Please find attached/s)
  expect(sent?.from?.value[0]?.name).toBe('Samoposluga d.o.o.')
  expect(sent?.from?.value[0]?.address).toMatch(/^fiskd@/)
  expect(sent?.replyTo?.value[0]?.address).toBe('ured@example.hr')
  const [copy] = sent?.attachments ?? []
  expect(copy).toMatchObject({ filename: `Racun-${number}-POSL1-101.pdf`, contentType: 'application/pdf' })
  expect(copy?.content.subarray(0, 5).toString()).toBe('%PDF-')
  await expect.poll(async () => (await operator.get(page(id))).words).toContain('kupac@example.hr')
  expect(await inDatabase(mailing, "SELECT id FROM audit_log WHERE action = 'invoice.mailed'")).toHaveLength(1)
  const wrong = { ...(await operator.get(page(id))).hidden(mail), to: 'a@b.hr, c@d.hr' }
  const refused = await operator.post(mail, wrong)
  expect(refused.status).toBe(422)
  expect(refused.words).toContain('Ovo nije ispravna adresa e-pošte.')
  expect(refused.text).toMatch(/value="a@b.hr, c@d.hr"[^>]* aria-invalid="true" autofocus/)
  const reader = await mailing.as('viewer')
  expect((await reader.get(page(id))).text).not.toContain(`action="${mail}"`)
  expect((await reader.post(mail, form)).status).toBe(403)
  // Without a mail server nothing is offered.
  expect((await clerk.get(page(sold.id))).text).not.toContain('/mail"')
})
