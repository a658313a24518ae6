import { expect, test } from 'vitest'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf, startDashboard } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const LIST = '/dashboard/devices'
const DAY_MS = 86_400_000

test('a stolen device is suspended step by step; which keys may sell on it and what it sold for cash is said', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const office = await startDashboard()
  const page = `${LIST}/${office.deviceId}`
  await office.sell({ total: '2.50', payment_method: 'G' })
  const sold = await office.sell({ total: '4.00', payment_method: 'K' })
  const admin = await office.as('admin')
  for (const guide of ['stolen', 'moved', 'sold', 'replaced'])
    expect((await admin.get(page)).text).toContain(`href="${page}/${guide}"`)
  const opened = await admin.get(`${page}/stolen`)
  expect(opened.words).toContain('Obustavite uređaj: prestaje prodavati odmah. na redu')
  expect(opened.words).toMatch(/Ključevi koji nisu vezani ni uz jedan uređaj, pa njima možda prodaje i on: \S/)
  expect(opened.words).toContain('Tajni ključ certifikata nije u uređaju')
  expect(opened.text).toContain('href="https://e-porezna.porezna-uprava.hr"')
  expect(opened.words).toMatch(
    /Poznati gotovinski promet od prve prodaje .*: 2,50 €\. Koliko je novca u uređaju ne zna se/,
  )
  expect(opened.text).toContain(`href="/dashboard/invoices/${sold.id}"`)
  const back = await admin.post(`${page}/status`, { ...opened.hidden(`${page}/status`), status: 'suspended' })
  expect(back.to).toBe(`${page}/stolen?notice=saved`)
  expect((await admin.get(back.to ?? '')).words).toContain('prestaje prodavati odmah. gotovo')

  const keys = await inDatabase(office, 'SELECT id FROM api_keys')
  for (const { id } of keys) await admin.submit('/dashboard/keys', {}, `/dashboard/keys/${id}/revoke`)
  expect((await admin.get(`${page}/stolen`)).words).toContain('Nijedan API ključ na ovom računalu ne može prodavati')
  const operator = await office.as('operator')
  expect((await operator.get(`${page}/stolen`)).words).toContain('API ključ uređaja opoziva administrator.')
  expect((await (await office.as('viewer')).get(`${page}/stolen`)).status).toBe(403)
})

test('cash counts from the day after the latest closing of the premises, and a sold device is done when all is closed', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const office = await startDashboard()
  const page = `${LIST}/${office.deviceId}`
  await office.sell({ total: '2.50', payment_method: 'G' })
  office.clock.aheadMs += DAY_MS
  const operator = await office.as('operator')
  expect((await operator.get(`${page}/sold`)).words).toMatch(
    /Zaključite promet \. Računa od prve prodaje .*: 1\. na redu/,
  )
  await operator.submit('/dashboard/closings?unit=day&mode=test', {}, '/dashboard/closings')
  const closed = await operator.get(`${page}/sold`)
  expect(closed.words).toMatch(/Računa od \d+\. \d+\. \d{4}\. \(nakon posljednjeg zaključka\): 0\. gotovo/)
  expect(closed.words).toContain('Bez njega : 0. gotovo')
  await office.sell({ total: '1.20', payment_method: 'G' })
  expect((await operator.get(`${page}/sold`)).words).toMatch(/Poznati gotovinski promet od .*: 1,20 €/)
  const archived = await operator.submit(`${page}/sold`, { status: 'archived' }, `${page}/status`)
  expect(archived.to).toContain(`${page}/sold`)
})

test("a gateway's stolen device: the suspension is sent and waits, keys and certificate are at the gateway, and no more is said", {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const { server, gateway, link } = await startEnrolled()
  await told(gateway)
  const admin = await dashboardOf(server).as('admin')
  const page = `${LIST}/${gateway.deviceId}`
  await link.cut()
  const opened = await admin.get(`${page}/stolen`)
  expect(opened.words).toContain('prestaje prodavati čim pristupnik kiosk preuzme naredbu.')
  expect(opened.words).toContain('Ključeve ima samo pristupnik kiosk, pa ovdje nisu poznati')
  expect(opened.text).toContain('href="/dashboard/gateways/kiosk/send/key"')
  expect(opened.words).toMatch(/Tajni ključ certifikata \(serijski broj \S+\) na računalu je pristupnika kiosk/)
  expect(opened.words).toContain('potpisuju još: nitko')
  const sent = await admin.post(`${page}/status`, { ...opened.hidden(`${page}/status`), status: 'suspended' })
  expect(sent.to).toContain(`${page}/stolen?sent=`)
  expect((await admin.get(sent.to ?? '')).words).toContain('preuzme naredbu. poslano')
})

test('a moved device gets its new number in the guide; an address with the marks of a link in it is text', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  const page = `${LIST}/${office.deviceId}`
  await operator.submit(`${page}/edit`, { label: 'machine', address: '[Ilica](javascript:alert(1)) {oib}' })
  const opened = await operator.get(`${page}/moved`)
  expect(opened.words).toContain('Sada je upisana: [Ilica](javascript:alert(1)) {oib}.')
  expect(opened.text).not.toContain('href="javascript')
  expect(opened.words).toContain('Na računima je sada 101. ovdje nije poznato')
  const cleared = await operator.post(`${page}/isu/clear`, opened.hidden(`${page}/isu/clear`))
  expect(cleared.to).toBe(`${page}/moved?notice=saved`)
  const without = await operator.get(`${page}/moved`)
  expect(without.words).toContain('Bez njega uređaj ne prodaje. na redu')
  await operator.post(`${page}/isu`, { ...without.hidden(`${page}/isu`), isu_number: '778899' })
  expect((await operator.get(`${page}/moved`)).words).toContain('Na računima je sada 778899.')
})

test('the history of a device has its changes and its commands with their outcome, for who reads the audit log', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const { server, gateway } = await startEnrolled()
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const page = `${LIST}/${gateway.deviceId}`
  await clerk.submit(page, { status: 'suspended' }, `${page}/status`)
  await clerk.submit(page, { contact: 'Ivo', note: '' }, `${page}/note`)
  await expect
    .poll(async () => (await clerk.get(page)).words.split('Povijest, ')[1], { timeout: 20_000 })
    .toMatch(/90 dana .*ontakt: ništa → Ivo.*videncija: aktivno → obustavljeno obavljeno/)
  const log = await clerk.get(`/dashboard/audit?device=${gateway.deviceId}`)
  expect(log.words).toContain('videncija: aktivno → obustavljeno')
  const viewer = await dashboardOf(server).as('viewer')
  expect((await viewer.get(page)).words).not.toContain('Povijest, 90 dana')
})

test('the history of a device has its alerts, over or not', async () => {
  const office = await startDashboard()
  const admin = await office.as('admin')
  const alert = `'default', 'printer_paper_low', '${office.deviceId}', '{"device_id":"${office.deviceId}"}', ${Date.now()}`
  const columns = 'tenant_id, kind, subject, detail, raised_at, id, resolved_at'
  await inDatabase(office, `INSERT INTO alerts (${columns}) VALUES (${alert}, 'a-1', ${Date.now()})`)
  const page = await admin.get(`${LIST}/${office.deviceId}`)
  expect(page.words.split('Povijest, ')[1]).toMatch(/[Pp]apir.{0,80}riješeno/)
  expect(page.text).toContain('href="/dashboard/alerts/a-1"')
})
