import { randomUUID } from 'node:crypto'
import type { SMTPServerOptions } from 'smtp-server'
import { expect, test } from 'vitest'
import { createMailWords } from '../../../src/alerts/compose-mail.ts'
import { createMailTransport } from '../../../src/alerts/smtp-transport.ts'
import { explainCodes } from '../../../src/domain/sale/refusal.ts'
import { NO_PASSWORD } from '../../../src/fiscal/access/passwords.ts'
import { createAlerts } from '../../../src/fiscal/alerts/alerts.ts'
import { createMailing } from '../../../src/fiscal/alerts/mailing.ts'
import type { User } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT } from '../../../src/store/store.ts'
import { leaseOf, watched } from '../../support/alerting.ts'
import { alertsIn, startMailServer } from '../../support/mail-server.ts'
import { OPERATOR, userRow } from '../../support/people.ts'

const HOURS = 60
const DAYS = 24 * HOURS

/** A store, a mail server and what sends mails between them; alerts are raised by hand. */
async function mailing({ boss = true, ...options }: SMTPServerOptions & { boss?: boolean } = {}) {
  const it = await watched()
  const { store, clock, time } = it
  const mailServer = await startMailServer(options)
  const results: string[] = []
  const words = createMailWords({ dashboardUrl: 'https://office.example.hr', host: 'office' })
  const server = { host: '127.0.0.1', port: mailServer.port, secure: false, login: null }
  const transport = createMailTransport({ server, from: 'fiskd <fiskd@example.hr>', timeoutMs: 20_000 })
  const alertTo = { addresses: boss ? ['Boss@example.com'] : [], language: 'en' as const }
  const deps = { store, clock, newUuid: randomUUID, words, transport, alertTo }
  const pass = createMailing({ ...deps, lease: leaseOf(it), onMail: (_mail, result) => void results.push(result) })
  const raise = async (kind = 'disk_short', subject = 'disk', detail = {}, tenantId = DEFAULT_TENANT) => {
    const id = randomUUID()
    await store.alerts.raise({ id, tenantId, kind, subject, detail, raisedAt: time.now })
    return id
  }
  const addUser = async (changes: Partial<User>) => {
    const user = userRow(changes)
    await store.users.insert(user)
    return user
  }
  /** A pass at a minute. @returns what became of its mails */
  const passAt = async (minutes: number) => {
    it.at(minutes)
    await pass()
    return results.splice(0)
  }
  return { ...it, mailServer, office: createAlerts(deps), raise, addUser, passAt }
}

const subjects = (mails: { subject?: string }[]) => mails.map(({ subject }) => subject)

test('machines that fell silent at different hours are one paragraph with a table, however many alerts they are', () => {
  const words = createMailWords({ dashboardUrl: 'https://office.example.hr', host: 'office' })
  const told = Array.from({ length: 11 }, (_, i) => {
    const machine = {
      device: `Kavomat ${i + 1}`,
      place: `Trg ${i + 1}, Rijeka`,
      sales_per_week: 30 + i,
      since: new Date(Date.UTC(2026, 2, 2, i)).toISOString(),
    }
    const detail = {
      company: 'Kava d.o.o.',
      mode: 'live',
      count: 1,
      ...machine,
      longest_pause_hours: 20,
      machines: [machine],
    }
    return { alert: { id: randomUUID(), kind: 'machine_silent', subject: `${i}`, detail, raisedAt: i }, gateway: null }
  })
  const other = {
    alert: { id: randomUUID(), kind: 'backup_overdue', subject: 'b', detail: {}, raisedAt: 1 },
    gateway: null,
  }
  const { subject, text, html } = words.digest([...told, other] as never, 'hr')
  expect(subject).toBe('[fiskd] Uređaji neuobičajeno dugo ne prodaju: 11 (Kava d.o.o.) i još 1 upozorenje')
  expect(text.match(/Što učiniti: Provjerite ima li uređaj struje/g)).toHaveLength(1)
  expect(text).toContain(
    'Uređaj | Mjesto | Posljednji račun | Inače računa tjedno\nKavomat 1 | Trg 1, Rijeka | 2. 3. 2026. 1:00 | 30\n',
  )
  expect(text).toContain('Kavomat 11 | Trg 11, Rijeka | 2. 3. 2026. 11:00 | 40\n')
  expect(text).toContain('https://office.example.hr/dashboard/alerts?kind=machine_silent')
  expect(html.match(/<tr>/g)).toHaveLength(12)
  expect(html).toContain('>Trg 11, Rijeka</td>')

  // A machine alone is told as before.
  const alone = words.digest(told.slice(0, 1) as never, 'hr')
  expect(alone.text).toContain('Uređaj Kavomat 1 nije izdao nijedan račun od 2. 3. 2026. u 1:00.')
  expect(alone.html).not.toContain('<table')
})

test('what comes within two minutes is one mail, and nothing waits for longer than five', async () => {
  const { mailServer, raise, passAt, at } = await mailing()
  const first = await raise()
  expect(await passAt(1)).toEqual([])
  const second = await raise('clock_untrusted', 'clock')
  expect(await passAt(2)).toEqual([])
  at(4)
  const third = await raise('backup_overdue', 'backup')
  expect(await passAt(5)).toEqual(['sent'])
  expect(mailServer.mails).toHaveLength(1)
  expect(alertsIn(mailServer.mails[0] as never).sort()).toEqual([first, second, third].sort())
  expect(mailServer.mails[0]?.subject).toBe('[fiskd] The disk is nearly full and 2 more alerts')
  expect(await passAt(60)).toEqual([])
  await raise('cis_down', 'test', { mode: 'test' })
  expect(await passAt(62)).toEqual(['sent'])
})

test('users of the tenant and the list are told, each in their language, and an address that is both once', async () => {
  const { mailServer, raise, addUser, passAt, store } = await mailing()
  await store.tenants.insert({ id: 't2', name: 'other', createdAt: 0 })
  await addUser({})
  await addUser({ name: 'boss', email: 'boss@EXAMPLE.com', language: 'hr' })
  await addUser({ name: 'silent', email: 'silent@example.hr', wantsMail: false })
  await addUser({ name: 'none', email: null })
  await addUser({ name: 'invited', passwordHash: NO_PASSWORD })
  await addUser({ name: 'stranger', email: 'stranger@example.hr', tenantId: 't2', language: 'en' })
  await raise('certificate_7', 'c', { company: 'Kava d.o.o.' })
  await passAt(5)
  const told = mailServer.mails.map(({ to, subject }) => [Array.isArray(to) ? '' : to?.text, subject])
  const subject = '[fiskd] HITNO: Certifikat istječe za manje od 7 dana (Kava d.o.o.)'
  expect(told.sort()).toEqual([
    ['ana@example.hr', subject],
    ['boss@example.com', subject],
  ])
  await raise('certificate_1', 'c', { company: 'Čaj' }, 't2')
  await passAt(10)
  expect(mailServer.mails.at(-1)?.subject).toBe('[fiskd] URGENT: A certificate expires within one day (Čaj)')
})

test('a mail about refused sales explains their restrictive codes, to each in their language', async () => {
  const { mailServer, raise, addUser, passAt } = await mailing()
  await addUser({})
  const detail = { company: 'Kava', mode: 'live', count: 1, code: 'upstream_rejected', restrictive_codes: [177] }
  await raise('invoices_failed', 'c', detail)
  await passAt(5)
  for (const [language, address] of [['hr', 'ana@example.hr'] as const, ['en', 'boss@example.com'] as const]) {
    const mail = mailServer.mails.find(({ to }) => !Array.isArray(to) && to?.text === address)
    const [said] = explainCodes([177], language, 'office')
    for (const form of [mail?.text, String(mail?.html)]) {
      expect(form).toContain(`${said?.label}: ${said?.means}`)
      expect(form).toContain(`${said?.label}: ${said?.fix}`)
    }
  }
})

test('a user is not told of what was raised before there was one, nor anybody of what is for the dashboard alone', async () => {
  const { mailServer, raise, addUser, passAt, time } = await mailing({ boss: false })
  await raise()
  await addUser({ createdAt: time.now + 1 })
  await passAt(5)
  await raise('unconfirmed_21', 'c live')
  await passAt(10)
  expect(mailServer.mails).toEqual([])
})

test('what is over or known before it was mailed is not mailed', async () => {
  const { mailServer, raise, passAt, store, office, time } = await mailing()
  await raise()
  await store.alerts.resolve('disk_short', 'disk', time.now)
  await office.acknowledge(OPERATOR, await raise('clock_untrusted', 'clock'))
  await passAt(5)
  expect(mailServer.mails).toEqual([])
})

test('an offer to send sales again is mailed once, when it is one', async () => {
  const { mailServer, raise, passAt, store } = await mailing()
  const detail = { company: 'Kava', mode: 'live', count: 1, code: 'upstream_signature_invalid' }
  const id = await raise('answers_believed', 'c live upstream_signature_invalid', { ...detail, may_send: false })
  expect(await passAt(6)).toEqual([])
  await store.alerts.restate(id, { ...detail, may_send: true })
  expect(await passAt(7)).toEqual(['sent'])
  await store.alerts.restate(id, { ...detail, may_send: false })
  await store.alerts.restate(id, { ...detail, may_send: true })
  expect(await passAt(60)).toEqual([])
  expect(subjects(mailServer.mails)).toEqual(['[fiskd] Invoices can be sent again (Kava)'])
})

test('a mail that waits for its server leaves out what is over by then, and is dropped when all of it is', async () => {
  const { mailServer, raise, passAt, store, time } = await mailing()
  await mailServer.goDown()
  await raise()
  const left = await raise('clock_untrusted', 'clock')
  expect(await passAt(5)).toEqual(['failed'])
  const other = await raise('cis_down', 'live', { mode: 'live' })
  expect(await passAt(10)).toEqual(['failed'])
  await store.alerts.resolve('disk_short', 'disk', time.now)
  await store.alerts.resolve('cis_down', 'live', time.now)
  await mailServer.comeBack()
  expect((await passAt(120)).sort()).toEqual(['dropped', 'sent'])
  expect(mailServer.mails.map(alertsIn)).toEqual([[left]])
  expect(await store.mails.noticesOf(other)).toEqual([expect.objectContaining({ status: 'given_up' })])
})

test('somebody who was removed, or wants no mails any more, gets none that waits', async () => {
  const { mailServer, raise, passAt, store, addUser } = await mailing({ boss: false })
  const user = await addUser({})
  await mailServer.goDown()
  await raise()
  await passAt(5)
  await mailServer.comeBack()
  await store.users.remove(user.id)
  expect(await passAt(60)).toEqual(['dropped'])
  expect(mailServer.mails).toEqual([])
})

test('attempts come further and further apart, up to an hour', async () => {
  const { mailServer, raise, passAt } = await mailing()
  await mailServer.goDown()
  await raise()
  const tries: number[] = []
  for (let minute = 2; minute < 6 * HOURS; minute++) if ((await passAt(minute)).length > 0) tries.push(minute)
  expect(tries.slice(1).map((at, index) => at - Number(tries[index]))).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
  await mailServer.comeBack()
  expect(await passAt(7 * HOURS)).toEqual(['sent'])
})

test('after a week it is given up, which stands on the dashboard until a mail goes out', async () => {
  const { mailServer, raise, passAt, store } = await mailing()
  await mailServer.goDown()
  await raise()
  await passAt(5)
  await passAt(6 * DAYS)
  expect(await passAt(7 * DAYS + 5)).toEqual(['given_up'])
  expect(await passAt(8 * DAYS)).toEqual([])
  const [, failed] = await store.alerts.open(null)
  expect(failed).toMatchObject({ kind: 'mail_failed', detail: { recipient: 'boss@example.com' } })
  await mailServer.comeBack()
  await raise('clock_untrusted', 'clock')
  expect(await passAt(8 * DAYS + 5)).toEqual(['sent'])
  expect((await store.alerts.open(null)).map(({ kind }) => kind).sort()).toEqual(['clock_untrusted', 'disk_short'])
})

test('an address that the server does not know stops nobody else, is told of at once, and tried again each hour', async () => {
  let known = false
  const { mailServer, raise, passAt, store, addUser } = await mailing({
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('ana') && !known ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null)
    },
  })
  await addUser({})
  await raise()
  expect((await passAt(5)).sort()).toEqual(['refused', 'sent'])
  const failed = async () => (await store.alerts.open(null)).find(({ kind }) => kind === 'mail_failed')
  expect((await failed())?.detail).toMatchObject({ recipient: 'ana@example.hr' })
  expect(String((await failed())?.detail.answer)).toContain('No such user')
  expect(await passAt(64)).toEqual([])
  known = true
  expect(await passAt(65)).toEqual(['sent'])
  expect(await failed()).toBeUndefined()
  expect(subjects(mailServer.mails)).toHaveLength(2)
})

test('a server that asks for patience about one recipient keeps nobody else waiting', async () => {
  const { raise, passAt, addUser } = await mailing({
    onRcptTo({ address }, _session, done) {
      done(address.startsWith('ana') ? Object.assign(new Error('Greylisted'), { responseCode: 451 }) : null)
    },
  })
  await addUser({})
  await raise()
  expect((await passAt(5)).sort()).toEqual(['failed', 'sent'])
})

test('a clock that was set back by days keeps no mail waiting', async () => {
  const { mailServer, raise, passAt, at } = await mailing()
  at(10 * DAYS)
  await raise()
  await mailServer.goDown()
  expect(await passAt(10 * DAYS + 5)).toEqual(['failed'])
  await mailServer.comeBack()
  expect(await passAt(1)).toEqual(['sent'])
})

test('alerts that gateways have told a server of are mailed with the name of the gateway', async () => {
  const { mailServer, passAt, store, time } = await mailing()
  const id = randomUUID()
  const gateway = { id: randomUUID(), tenantId: DEFAULT_TENANT, name: 'kiosk-7', createdAt: 0 }
  const never = { tokenHash: null, tokenExpiresAt: null, credentialHash: null, publicKey: null, enrolledAt: null }
  const silent = { revokedAt: null, session: null, sessionBefore: null, duplicatedAt: null, lastSeenAt: null }
  const zero = { position: 0, heard: 0, strikes: 0, lastCommand: 0, reportedAt: null, heartbeat: null, companies: null }
  await store.gateways.insert({ ...gateway, ...never, ...silent, ...zero })
  const none = { insert: [], update: [] }
  const row = { ...{ id, kind: 'newer_kind', subject: 's', detail: {}, raisedAt: time.now }, ...NOT_OVER }
  const changes = {
    company: none,
    certificate: none,
    device: none,
    invoice: none,
    message: none,
    print_job: none,
    request: none,
  }
  const alert = { insert: [{ kind: 'alert' as const, id, version: 1, row }], update: [] }
  await store.transaction((tx) => tx.replicas.write(gateway, { ...changes, alert }))
  await passAt(5)
  expect(mailServer.mails[0]?.text).toContain('Gateway: kiosk-7')
  expect(mailServer.mails[0]?.text).toContain(`https://office.example.hr/dashboard/alerts/${id}`)
})

const NOT_OVER = { acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null }

test('a thousand alerts of a kind are one mail that names a few', async () => {
  const { mailServer, raise, passAt } = await mailing()
  for (let i = 0; i < 300; i++) await raise('gateway_silent', `g${i}`, { gateway: `kiosk-${i}` })
  await raise('gateway_duplicated', 'x', { gateway: 'twin' })
  expect(await passAt(5)).toEqual(['sent'])
  const [mail] = mailServer.mails
  expect(mail?.subject).toBe('[fiskd] URGENT: Two computers use the identity of one gateway (twin) and 300 more alerts')
  expect(alertsIn(mail as never)).toHaveLength(6)
  expect(mail?.text).toContain('And 295 more alerts of this kind.')
})

test('what somebody has named a company is neither markup nor a header', async () => {
  const { mailServer, raise, passAt } = await mailing()
  const company = '<img src=x onerror=alert(1)>\r\nBcc: victim@example.com & "Sons"'
  await raise('certificate_expired', 'c', { company })
  await passAt(5)
  const [mail] = mailServer.mails
  expect(mail?.bcc).toBeUndefined()
  expect(mail?.html).not.toContain('<img')
  expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt; Bcc: victim@example.com &amp; &quot;Sons&quot;')
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
})

test('mails of what is over are forgotten after three months, and of what goes on they are kept', async () => {
  const { raise, passAt, store, time } = await mailing()
  const over = await raise()
  const goes = await raise('clock_untrusted', 'clock')
  await passAt(5)
  const third = await raise('cis_down', 'live', { mode: 'live' })
  await passAt(10)
  await store.alerts.resolve('disk_short', 'disk', time.now)
  await store.alerts.resolve('cis_down', 'live', time.now)
  await passAt(89 * DAYS)
  expect(await store.mails.noticesOf(third)).toHaveLength(1)
  await passAt(91 * DAYS)
  const left = [over, goes, third].map(async (id) => (await store.mails.noticesOf(id)).length)
  expect(await Promise.all(left)).toEqual([1, 1, 0])
})

test('a test mail goes out at once, and what the server says of it comes back', async () => {
  const { mailServer, office, addUser } = await mailing()
  await addUser({})
  expect(await office.sendTest(OPERATOR)).toEqual([
    { to: 'boss@example.com', sent: true, answer: expect.stringContaining('250') },
    { to: 'ana@example.hr', sent: true, answer: expect.stringContaining('250') },
  ])
  expect(subjects(mailServer.mails)).toEqual(['[fiskd] Test e-mail', '[fiskd] Probna poruka'])
  await mailServer.goDown()
  expect(await office.sendTest(OPERATOR, 'new@example.hr')).toEqual([
    { to: 'new@example.hr', sent: false, answer: expect.stringContaining('ECONNREFUSED') },
  ])
  await expect(office.sendTest(OPERATOR, 'a@b, c@d')).rejects.toMatchObject({ code: 'invalid_request' })
})
