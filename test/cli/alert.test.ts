import { expect, onTestFinished, test } from 'vitest'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'
import { OIBS } from '../support/oibs.ts'

const ALERT = {
  ...{ id: '4f5c1b1e-8f3c-4a55-9f0e-4b2f8a4c9d11', kind: 'certificate_7', severity: 'urgent', state: 'open' },
  ...{ subject: 'c', gateway: 'kiosk-7', raised_at: '2026-03-04T09:00:00.000Z' },
  detail: { company: 'Kava d.o.o.\u001b[31m', not_after: '2026-03-11T09:00:00.000Z' },
  ...{ acknowledged_at: null, acknowledged_by: null, resolved_at: null },
}

async function stubbed() {
  const stub = await startAdminStub()
  onTestFinished(() => stub.close())
  return stub
}

test('fisk alert list shows what is open, in words, with the id that ack takes', async () => {
  const stub = await stubbed()
  const list = { object: 'list', data: [ALERT], has_more: false, next_cursor: null }
  stub.answer('GET /admin/alerts', { status: 200, body: list })
  const { code, stdout } = await fisk(['alert', 'list'], stub)
  expect(code).toBe(0)
  expect(stdout).toContain('URGENT: A certificate expires within 7 days')
  expect(stdout).toContain(`id       ${ALERT.id}\n`)
  expect(stdout).toContain('gateway  kiosk-7\n')
  expect(stdout).toContain('Order a new certificate from Fina now')
  expect(stdout).not.toContain('\u001b')
  expect(stub.seen.at(-1)?.query).toEqual({ state: 'open' })
  await fisk(['alert', 'list', '--any'], stub)
  expect(stub.seen.at(-1)?.query).toEqual({})
  expect(JSON.parse((await fisk(['alert', 'list', '--json'], stub)).stdout)).toEqual(list)
})

test('fisk alert ack says who knows by now', async () => {
  const stub = await stubbed()
  const known = { ...ALERT, state: 'acknowledged', acknowledged_at: '2026-03-04T10:00:00.000Z', acknowledged_by: 'ana' }
  stub.answer(`POST /admin/alerts/${ALERT.id}/acknowledge`, { status: 200, body: known })
  const { code, stdout } = await fisk(['alert', 'ack', ALERT.id], stub)
  expect(code).toBe(0)
  expect(stdout).toContain('known to  ana, 04.03.2026 11:00:00')
})

test('fisk alert test ends with 1 when a mail was not taken, and says why', async () => {
  const stub = await stubbed()
  const mails = [
    { to: 'ana@example.hr', sent: true, answer: '250 OK' },
    { to: 'bob@example.hr', sent: false, answer: '550 No such user' },
  ]
  stub.answer('POST /admin/alerts/test', { status: 200, body: { mails } })
  const { code, stdout } = await fisk(['alert', 'test'], stub)
  expect(code).toBe(1)
  expect(stdout).toContain('sent  ana@example.hr: 250 OK\n')
  expect(stdout).toContain('NOT sent  bob@example.hr: 550 No such user\n')
  stub.answer('POST /admin/alerts/test', { status: 200, body: { mails: mails.slice(0, 1) } })
  expect((await fisk(['alert', 'test', '--to', 'ana@example.hr'], stub)).code).toBe(0)
  expect(stub.seen.at(-1)?.body).toEqual({ to: 'ana@example.hr' })
})

test('fisk deadline extend names the company, sends the reason, and says until when', async () => {
  const stub = await stubbed()
  const extended = { company_id: companyIdOf(OIBS[0]), since: ALERT.raised_at, deadline_at: '2026-03-11T23:00:00.000Z' }
  stub.answer('POST /admin/deadlines/extend', { status: 200, body: extended })
  const words = ['deadline', 'extend', '--company', OIBS[0], '--reason', 'The modem burnt.']
  const { code, stdout } = await fisk(words, stub)
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Counts from +\S+ \S+\nDue by law +12\.03\.2026 00:00:00\n$/)
  expect(stub.seen.at(-1)?.body).toEqual({ company_id: companyIdOf(OIBS[0]), reason: 'The modem burnt.' })
  expect((await fisk(words.slice(0, 4), stub)).code).toBe(2)
  expect((await fisk([...words.slice(0, 3), '123', ...words.slice(4)], stub)).code).toBe(2)
})
