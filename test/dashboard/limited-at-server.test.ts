import { beforeAll, expect, test } from 'vitest'
import { dashboardOf, type Office, type Visitor } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { startSharedGateway } from '../support/gateway.ts'
import { enrolGateway } from '../support/sync-gateway.ts'
import { fleet, record } from '../support/sync-rows.ts'

/** The company of a gateway is ours, the one that sells at the server is another's. */
const OURS = { oib: '98765432106', premisesCode: 'KIOSK1', label: 'Kavomat Iva' }
const DAY_MS = 86_400_000
const CLOSINGS = '/dashboard/closings'
const DAY = `${CLOSINGS}?unit=day`

let office: Office
let limited: Visitor
let gateway: string
let mine: { invoice: string; failed: string; device: string; closing: string }
let theirs: { invoice: string; device: string; company: string; closing: string }

const closingOf = async (premisesCode: string) =>
  String((await inDatabase(office, `SELECT id FROM closings WHERE premises_code = '${premisesCode}'`))[0]?.id)

beforeAll(async () => {
  // Nobody takes the mails: they wait.
  const env = { FISKD_ROLE: 'server', RATE_LIMIT_AUTH_PER_15MIN: '1000', FISKD_SMTP_URL: 'smtp://127.0.0.1:9' }
  office = dashboardOf(await startSharedGateway(env))
  const sold = await office.sell()
  const kiosk = await enrolGateway(office)
  gateway = kiosk.name
  const { parents, invoice, message, alert, device, companyId } = fleet(OURS)
  const soldAt = { occurredAt: Date.now() - 60_000 }
  const unsent = { ...soldAt, jir: null, confirmedAt: null }
  const sales = [
    invoice(1, soldAt),
    invoice(2, { ...unsent, status: 'failed', errorCode: 'upstream_rejected', lastErrorClass: 'validation' }),
    invoice(3, { ...unsent, status: 'retrying' }),
  ] as const
  const about = { company_id: companyId, device_id: device.id, label: OURS.label }
  const alerts = [alert({ kind: 'printer_down', subject: device.id, detail: about })]
  const pushed = await kiosk.push([
    ...parents(),
    ...sales.map((one) => record('invoice', one)),
    record('message', message(sales[0].id)),
    ...alerts.map((one) => record('alert', one)),
  ])
  expect(pushed.body, pushed.text).toMatchObject({ refused: [] })
  office.clock.aheadMs += DAY_MS
  const operator = await office.as('operator')
  expect((await operator.submit(DAY, {}, CLOSINGS)).status).toBe(303)
  mine = { invoice: sales[0].id, failed: sales[1].id, device: device.id, closing: await closingOf('KIOSK1') }
  theirs = {
    ...{ invoice: sold.id, device: office.deviceId, company: office.companyId },
    closing: await closingOf('POSL1'),
  }
  limited = await office.as('admin')
  const set = await office.admin(`/admin/users/${limited.name}/companies`, { body: { companies: [OURS.oib] } })
  expect(set.status, set.text).toBe(200)
  const page = `/dashboard/devices/${mine.device}`
  expect((await limited.submit(page, { isu_number: '4321' }, `${page}/isu`)).status).toBe(303)
})

/** Of pages that only differ in what is chosen on them, one is looked at. */
const kindOf = (address: string) => {
  const { pathname, searchParams } = new URL(address, 'https://here')
  return `${pathname}?${[...searchParams.keys()].sort()}`
}

test('every link that a page shows to a limited user opens, and leads to nothing of others', async () => {
  const met = new Set<string>()
  const waiting = ['/dashboard', `/dashboard/invoices/${mine.failed}`, `${CLOSINGS}?unit=day`]
  const wrong: unknown[] = []
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const { status, text } = await limited.get(address)
    const told = Object.values(theirs).filter((id) => text.includes(id))
    if (status !== 200 || told.length > 0) wrong.push([address, status, told])
    for (const [, href = ''] of text.matchAll(/<a [^>]*href="(\/dashboard[^"#]*)/g)) {
      const next = href.replaceAll('&amp;', '&')
      // Each filter keeps the others: two of them at once are enough.
      if (met.has(kindOf(next)) || new URL(next, 'https://here').searchParams.size > 2) continue
      met.add(kindOf(next))
      waiting.push(next)
    }
  }
  expect(wrong).toEqual([])
  for (const path of [`invoices/${mine.invoice}`, `devices/${mine.device}`, `closings/${mine.closing}`]) {
    expect(met).toContain(`/dashboard/${path}?`)
  }
  expect(met.size).toBeGreaterThan(60)
})

test('a gateway is named where its page is not for the reader, who is told what it was asked for', async () => {
  const device = `/dashboard/devices/${mine.device}`
  const page = await limited.get(device)
  expect(page.words).toMatch(new RegExp(`ISU broj 4321: naredba od .* čeka da je preuzme pristupnik ${gateway}`))
  const unlimited = await (await office.as('operator')).get(device)
  const [named, linked] = [new RegExp(gateway, 'g'), `/dashboard/gateways/${gateway}`]
  expect(page.words.match(named)).toHaveLength(unlimited.words.match(named)?.length ?? 0)
  expect([page.text.includes(linked), unlimited.text.includes(linked)]).toEqual([false, true])
  expect((await limited.get('/dashboard/devices')).words).toContain(gateway)
})

test('what a limited user has printed or mailed is of the own companies, whatever is posted', async () => {
  const stored = async (): Promise<unknown[]> =>
    Promise.all(
      ['office_mails', 'print_jobs', 'jobs', 'devices'].map((table) => inDatabase(office, `SELECT * FROM ${table}`)),
    )
  const form = { ...(await limited.get('/dashboard/account')).hidden('/dashboard/account'), to: 'knjige@example.hr' }
  const before = await stored()
  const { invoice, closing, company, device } = theirs
  const refused: [string, object?][] = [
    ...['mail', 'copy', 'retry'].map((what): [string] => [`/dashboard/invoices/${invoice}/${what}`]),
    ...['mail', 'print'].map((what): [string] => [`${CLOSINGS}/${closing}/${what}`]),
    [`${CLOSINGS}/mail`, { unit: 'day', mode: 'test', company }],
    ['/dashboard/jobs', { work: 'copies', ids: invoice }],
    ['/dashboard/jobs', { work: 'suspended', ids: device }],
  ]
  for (const [path, fields] of refused) {
    const { status } = await limited.post(path, { ...form, ...fields })
    expect([path, status >= 400 && status < 500]).toEqual([path, true])
  }
  expect(await stored()).toEqual(before)

  const sending = [
    { page: DAY, action: `${CLOSINGS}/mail` },
    { page: `${CLOSINGS}/${mine.closing}`, action: `${CLOSINGS}/${mine.closing}/mail` },
    { page: `/dashboard/invoices/${mine.invoice}`, action: `/dashboard/invoices/${mine.invoice}/mail` },
  ]
  for (const { page, action } of sending) {
    expect((await limited.submit(page, { to: 'knjige@example.hr' }, action)).status, action).toBe(303)
  }
  const files = (await inDatabase(office, "SELECT * FROM office_mail_files WHERE type = 'text/csv'")) as {
    content: Buffer
  }[]
  const lines = files.map(({ content }) => content.toString().trim().split('\r\n').slice(1))
  expect(lines.map((rows) => [rows.length, rows.join().includes(OURS.oib)])).toEqual([
    [1, true],
    [1, true],
  ])
})
