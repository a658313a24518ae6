import { expect, test } from 'vitest'
import { legalDeadlineOf } from '../../src/domain/working-days.ts'
import { startCentral } from '../support/central-server.ts'
import { diagnose } from '../support/diagnosis.ts'
import { startGateway } from '../support/gateway.ts'
import { alertsIn, startMailServer } from '../support/mail-server.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

interface AlertBody {
  id: string
  kind: string
  severity: string
  state: string
  detail: Record<string, unknown>
  acknowledged_by: string | null
  notices: { recipient: string; status: string }[]
}
interface AlertList {
  data: AlertBody[]
  next_cursor: string | null
}

test('sales that are not confirmed for 25 days are told by mail, with a link, and acknowledged', async () => {
  const mailServer = await startMailServer()
  const gateway = await startGateway({
    ...{ FISKD_SMTP_URL: mailServer.url, FISKD_ALERT_TO: 'boss@example.hr', FISKD_ALERT_LANGUAGE: 'en' },
    FISKD_DASHBOARD_URL: 'https://fiskd.example.hr/dashboard/',
  })
  await gateway.cis.goDown()
  const { id: invoice } = await gateway.sell()
  gateway.clock.aheadMs = 25 * DAY
  await gateway.watch()
  gateway.clock.aheadMs += 2 * MINUTE
  await gateway.watch()
  const { data } = (await gateway.admin<AlertList>('/admin/alerts?state=open&kind=unconfirmed_25')).body
  expect(data).toMatchObject([{ severity: 'warning', detail: { count: 1, invoices: [invoice] } }])
  const [{ id }] = data as [AlertBody]
  const mail = mailServer.mails.find((one) => alertsIn(one).includes(id))
  expect(mail?.text).toContain(`https://fiskd.example.hr/dashboard/alerts/${id}`)
  expect(mail?.text).toContain('Samoposluga d.o.o.')
  const oib = (await gateway.admin<{ data: { oib: string }[] }>('/v1/companies')).body.data[0]?.oib
  expect(`${mail?.text}${mail?.html}`).not.toContain(oib)
  const known = await gateway.admin<AlertBody>(`/admin/alerts/${id}/acknowledge`, { body: {} })
  expect(known.body).toMatchObject({ state: 'acknowledged', acknowledged_by: 'operator' })
  expect((await gateway.admin<AlertBody>(`/admin/alerts/${id}`)).body.notices).toMatchObject([
    { recipient: 'boss@example.hr', status: 'sent' },
  ])
  const metrics = (await gateway.admin('/metrics')).text
  expect(metrics).toContain('fiskd_alerts_open{kind="unconfirmed_25"} 0')
  expect(metrics).toContain('fiskd_mails_total{result="sent"} 1')
})

test('a test mail says what the server answered, and the doctor whether it is there', async () => {
  const mailServer = await startMailServer()
  const gateway = await startGateway({ FISKD_SMTP_URL: mailServer.url })
  const mailCheck = async () => (await diagnose(gateway)).find(({ name }) => name === 'mail')
  expect(await mailCheck()).toMatchObject({ status: 'warn', detail: expect.stringContaining('nobody is told') })
  expect((await gateway.admin('/admin/alerts/test', { body: {} })).status).toBe(409)
  const user = { name: 'ana', password: 'a long password', email: 'ana@example.hr' }
  expect((await gateway.admin('/admin/users', { body: user })).status).toBe(201)
  expect(await mailCheck()).toMatchObject({ status: 'ok', detail: expect.stringContaining('1 address') })
  const tested = await gateway.admin('/admin/alerts/test', { body: {} })
  expect(tested.body).toEqual({ mails: [{ to: 'ana@example.hr', sent: true, answer: expect.stringContaining('250') }] })
  expect(mailServer.mails[0]?.subject).toBe('[fiskd] Probna poruka')
  const audit = (await gateway.admin<{ data: { action: string; detail: object }[] }>('/admin/audit')).body.data
  expect(audit[0]).toMatchObject({ action: 'alert.tested', detail: { recipients: ['ana@example.hr'] } })
  await mailServer.goDown()
  expect(await mailCheck()).toMatchObject({ status: 'fail', detail: expect.stringContaining('ECONNREFUSED') })
})

test('without a mail server alerts stand there, and a test mail is refused with what to do', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  await gateway.sell()
  gateway.clock.aheadMs = 28 * DAY
  await gateway.watch()
  expect((await gateway.admin<AlertList>('/admin/alerts?state=open')).body.data).toContainEqual(
    expect.objectContaining({ kind: 'unconfirmed_28', severity: 'urgent' }),
  )
  const refused = await gateway.admin<{ error: { message: string } }>('/admin/alerts/test', { body: {} })
  expect([refused.status, refused.body.error.message]).toEqual([409, expect.stringContaining('FISKD_SMTP_URL')])
})

test.each(['state=gone', 'kind=nothing', 'cursor=x', 'limit=0', 'extra=1'])(
  'a list with %s is refused',
  async (query) => {
    const { server } = await startCentral()
    expect((await server.admin(`/admin/alerts?${query}`)).status).toBe(400)
  },
)

test('an alert that is not there is not found, and a wrong address no address', async () => {
  const mailServer = await startMailServer()
  const { server } = await startCentral({ FISKD_SMTP_URL: mailServer.url })
  expect((await server.admin('/admin/alerts/nothing')).status).toBe(404)
  expect((await server.admin('/admin/alerts/nothing/acknowledge', { body: {} })).status).toBe(404)
  expect((await server.admin('/admin/alerts/test', { body: { to: 'a@b\r\nBcc: c@d' } })).status).toBe(400)
  expect(mailServer.mails).toEqual([])
})

test('the legal deadline counts from the day of the break, and is extended once over the admin socket', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const broke = Date.now()
  await gateway.sell()
  await gateway.sweep()
  gateway.clock.aheadMs = legalDeadlineOf(broke) - Date.now() + MINUTE
  // Of a minute ago, and late at once.
  await gateway.sell()
  await gateway.watch()
  const open = async () => (await gateway.admin<AlertList>('/admin/alerts?state=open&kind=unconfirmed_legal')).body.data
  expect(await open()).toMatchObject([{ detail: { count: 2, working_days: 2 } }])
  const dueAt = async () => {
    const { body } = await gateway.admin<{ queue: { legal_deadline_at: string } }>('/admin/status')
    return Date.parse(body.queue.legal_deadline_at)
  }
  expect(await dueAt()).toBe(legalDeadlineOf(broke))
  const extend = () =>
    gateway.admin('/admin/deadlines/extend', { body: { company_id: gateway.companyId, reason: 'The modem burnt.' } })
  expect(await extend()).toMatchObject({
    status: 200,
    body: { company_id: gateway.companyId, deadline_at: new Date(legalDeadlineOf(broke, 5)).toISOString() },
  })
  expect((await extend()).status).toBe(409)
  await gateway.watch()
  expect(await open()).toEqual([])
  expect(await dueAt()).toBe(legalDeadlineOf(broke, 5))
  // What was kept is known after a start.
  await gateway.restart()
  expect(await dueAt()).toBe(legalDeadlineOf(broke, 5))
})
