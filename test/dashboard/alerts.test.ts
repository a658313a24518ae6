import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { alertKind } from '../../src/dashboard/alerts/kinds.ts'
import { linksOf } from '../../src/dashboard/alerts/routes.ts'
import { texts } from '../../src/dashboard/alerts/texts.ts'
import { ALERT_KINDS } from '../../src/domain/alert.ts'
import { legalDeadlineOf } from '../../src/domain/working-days.ts'
import { type Office, startDashboard, startSharedDashboard, type Visitor } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'

let office: Office
let viewer: Visitor
let operator: Visitor
beforeAll(async () => {
  office = await startSharedDashboard()
  viewer = await office.as('viewer')
  operator = await office.as('operator')
})

const ALERTS = '/dashboard/alerts'
const GATEWAY = randomUUID()

/** As a gateway has told of it: our own rules leave it alone. @returns its id */
async function told(kind: string, detail: object = {}, { subject = randomUUID(), tenant = 'default' } = {}) {
  const id = randomUUID()
  const values = [id, tenant, GATEWAY, kind, subject, JSON.stringify(detail)].map((text) => `'${text}'`).join(', ')
  const columns = 'id, tenant_id, gateway_id, kind, subject, detail, raised_at'
  await inDatabase(office, `INSERT INTO alerts (${columns}) VALUES (${values}, ${Date.now()})`)
  return id
}

test('an alert says what is wrong, what to do and where, in the language of the reader', async () => {
  const invoice = `inv_${randomUUID().replaceAll('-', '')}`
  const detail = {
    company: 'Samoposluga <b>',
    company_id: randomUUID(),
    mode: 'live',
    count: 3,
    invoices: [invoice, '../x'],
    oldest_at: '2026-03-02T10:00:00.000Z',
    deadline_at: '2026-04-01T10:00:00.000Z',
  }
  const id = await told('unconfirmed_25', detail)
  expect((await viewer.get(ALERTS)).words).toContain('Računi bez JIR-a već 25 dana (Samoposluga <b>)')
  const page = await viewer.get(`${ALERTS}/${id}`)
  expect(page.words).toContain('Što učiniti')
  expect(page.words).toContain('2. 3. 2026. u 11:00')
  expect(page.text).toContain(`href="/dashboard/invoices/${invoice}"`)
  expect(page.text).not.toMatch(/<b>|\.\.\/x/)
  const english = await office.as('viewer', { language: 'en' })
  expect((await english.get(`${ALERTS}/${id}`)).words).toContain('What to do')
})

test('acknowledging takes an alert from the open ones, once, and says who did', async () => {
  const id = await told('printer_out_of_paper', { device: 'Kavomat 7' })
  const action = `${ALERTS}/${id}/acknowledge`
  const form = (await operator.get(ALERTS)).hidden(action)
  const both = await Promise.all([operator.post(action, form), operator.post(action, form)])
  expect(both.map(({ to }) => to)).toEqual(Array(2).fill(`${ALERTS}/${id}?notice=alert_acknowledged`))
  expect((await operator.get(ALERTS)).words).not.toContain('Kavomat 7')
  expect((await operator.get(`${ALERTS}?state=acknowledged`)).words).toContain('Kavomat 7')
  expect((await operator.get(`${ALERTS}/${id}`)).words).toContain(`vidio korisnik ${operator.name}`)
  const entries = await inDatabase(office, `SELECT * FROM audit_log WHERE action = 'alert.acknowledged'`)
  expect(entries.filter(({ detail }) => String(detail).includes(id))).toHaveLength(1)
  const admin = await office.as('admin')
  expect((await admin.get('/dashboard/audit')).words).toContain('Viđeno je upozorenje: pisač je bez papira.')
})

test('who may only look has nothing to press, and is refused', async () => {
  const id = await told('printer_error', { device: 'Kavomat 8' })
  expect((await viewer.get(`${ALERTS}/${id}`)).text).not.toContain('acknowledge')
  const hidden = (await viewer.get('/dashboard/account')).hidden('/dashboard/account')
  expect((await viewer.post(`${ALERTS}/${id}/acknowledge`, hidden)).status).toBe(403)
})

test('alerts of other tenants are not there', async () => {
  await office.admin('/admin/tenants', { body: { name: 'drugi' } })
  const id = await told('printer_error', { device: 'Tuđi' }, { tenant: 'drugi' })
  expect((await operator.get(ALERTS)).words).not.toContain('Tuđi')
  expect((await operator.get(`${ALERTS}/${id}`)).status).toBe(404)
})

test('the list is narrowed by kind, comes in pages, and says when there is nothing', async () => {
  for (let i = 0; i < 55; i++) await told('sync_refused', { gateway: `Zagreb ${i}` })
  const first = await viewer.get(`${ALERTS}?kind=sync_refused`)
  const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const second = await viewer.get(next)
  expect(second.words).toMatch(/Zagreb \d/)
  expect(second.words).not.toContain('Kavomat')
  expect(second.text).not.toContain('rel="next"')
  expect((await viewer.get(`${ALERTS}?state=resolved`)).words).toContain('Nema riješenih upozorenja.')
})

test('a kind of a newer gateway and a broken detail are shown all the same', async () => {
  const id = await told('moon_is_full', { invoices: { a: 1 }, count: 'x', company: ['y'] })
  const page = await viewer.get(`${ALERTS}/${id}`)
  expect(page.status).toBe(200)
  expect(page.words).not.toMatch(/undefined|null|\[object/)
})

test('every kind has a name in both languages and leads somewhere', () => {
  for (const kind of ALERT_KINDS) {
    expect(alertKind(kind, 'hr')).not.toBe(kind)
    expect(alertKind(kind, 'en')).not.toBe(kind)
    const alert = {
      id: '',
      tenantId: '',
      gatewayId: '',
      companyId: null,
      gateway: null,
      subject: randomUUID(),
      detail: {},
    }
    const moments = { raisedAt: 0, acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null }
    expect(linksOf({ ...alert, ...moments, kind }, texts.hr).length, kind).toBeGreaterThan(0)
  }
})

test('an alert about late invoices extends the deadline of their company, once, where an operator says why', async () => {
  const kiosk = await startDashboard()
  await kiosk.cis.goDown()
  await kiosk.sell()
  await kiosk.sweep()
  kiosk.clock.aheadMs = legalDeadlineOf(Date.now()) - Date.now() + 60_000
  await kiosk.watch()
  const [ana, eva] = [await kiosk.as('operator'), await kiosk.as('viewer')]
  const [alert] = await inDatabase(kiosk, `SELECT id FROM alerts WHERE kind = 'unconfirmed_legal'`)
  const page = `${ALERTS}/${alert?.id}`
  expect((await eva.get(page)).text).not.toContain('/extend')
  expect((await eva.post(`${page}/extend`, { reason: 'x' })).status).toBe(403)
  expect((await ana.submit(page, { reason: ' ' }, `${page}/extend`)).words).toContain('Navedite razlog')
  const extended = await ana.submit(page, { reason: 'Pregorio je modem' }, `${page}/extend`)
  expect(extended).toMatchObject({ status: 303, to: `${page}?notice=deadline_extended` })
  expect((await ana.get(String(extended.to))).words).toContain('Zakonski rok je produljen.')
  await kiosk.watch()
  const after = await ana.get(page)
  expect(after.words).toContain('riješeno')
  expect(after.text).not.toContain('/extend')
  const admin = await kiosk.as('admin')
  expect((await admin.get('/dashboard/audit')).words).toContain('produljen je na pet radnih dana: „Pregorio je modem”.')
})

test('the alert of a gateway offers no extension here, and takes none: its deadline is its own', async () => {
  const detail = { company: 'Kava', company_id: office.companyId, working_days: 2 }
  const id = await told('unconfirmed_legal', { ...detail, since: '2026-03-02T10:00:00.000Z' })
  const { words, text, hidden } = await operator.get(`${ALERTS}/${id}`)
  expect(words).toContain('nije bila dostupna od 2. 3. 2026. u 11:00')
  expect(text).not.toContain('/extend')
  const form = { ...hidden(`${ALERTS}/${id}/acknowledge`), reason: 'x' }
  expect((await operator.post(`${ALERTS}/${id}/extend`, form)).status).toBe(404)
})
