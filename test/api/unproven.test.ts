import { expect, test } from 'vitest'
import { startDashboard } from '../support/dashboard.ts'
import { diagnose } from '../support/diagnosis.ts'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'
import { sellTaxed } from '../support/healthy.ts'
import { startMailServer } from '../support/mail-server.ts'

const RETRY_ALL = 'fisk invoice retry --failed --code upstream_signature_invalid'

const statusesOf = (gateway: Gateway, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await gateway.invoice(id)).status))
const openAlerts = async (gateway: Gateway) =>
  (await gateway.admin<{ data: { kind: string }[] }>('/admin/alerts?state=open')).body.data.map(({ kind }) => kind)
const parkedIn = async (gateway: Gateway) => (await gateway.admin<{ parked: object }>('/admin/status')).body.parked

/** Of the only alert that goes on. */
async function detailOf(gateway: Gateway): Promise<object | undefined> {
  const { data } = (await gateway.admin<{ data: { detail: object }[] }>('/admin/alerts?state=open')).body
  return data.length === 1 ? data[0]?.detail : undefined
}

/** What the doctor says of failed sales. */
async function doctorOf(gateway: Gateway): Promise<{ detail?: string; fix?: string | null }> {
  return (await diagnose(gateway)).find(({ name }) => name === 'failed sales') ?? {}
}

/** Sales for each of which a JIR came that was changed on its way. */
async function park(gateway: Gateway, count: number): Promise<string[]> {
  await sellTaxed(gateway)
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    gateway.cis.misbehave('tampered')
    const sold = await gateway.sell()
    expect(sold).toMatchObject({ status: 'failed', fiscal_error: { code: 'upstream_signature_invalid' } })
    ids.push(sold.id)
  }
  return ids
}

test.each(['unsigned-error', 'odgovor', 'empty-message-id', 'foreign-error'] as const)(
  'what nobody has signed for this sale parks none: %s leaves it waiting, with what it claims in the trail',
  async (hearsay) => {
    const gateway = await startGateway()
    gateway.cis.misbehave(hearsay, hearsay)
    const sold = await gateway.sell()
    expect(sold).toMatchObject({
      status: 'retrying',
      fiscal_error: {
        ...{ code: 'upstream_unavailable', retry_scheduled: true },
        message: expect.stringMatching(/^An answer came that cannot be believed: /),
      },
    })
    const { messages } = await gateway.invoice(sold.id)
    expect(messages).toMatchObject([
      { error_code: 'upstream_unavailable', error_message: expect.stringMatching(/It claims, unproven: s00[16]: /) },
      { error_code: 'upstream_unavailable' },
    ])
    await gateway.sweep()
    expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'confirmed' })
  },
)

test('sales whose answers are never believed keep nobody waiting, however many and however old they are', async () => {
  const gateway = await startGateway()
  gateway.cis.always('unsigned-error')
  const at = (hours: number) => ({ occurred_at: new Date(Date.now() - hours * 3_600_000).toISOString() })
  const poisoned: string[] = []
  for (let i = 0; i < 15; i++) poisoned.push((await gateway.sell(at(48 - i))).id)
  await gateway.cis.goDown()
  const others: string[] = []
  for (let i = 0; i < 4; i++) others.push((await gateway.sell(at(4 - i))).id)
  await gateway.cis.comeBack()

  // In the order in which they are sent: what waits for the outage first, and it is answered well.
  gateway.cis.misbehave(...Array.from({ length: 4 }, () => ({ delayMs: 0 })))
  await gateway.sweep()
  expect(new Set(await statusesOf(gateway, others))).toEqual(new Set(['confirmed']))
  expect(new Set(await statusesOf(gateway, poisoned))).toEqual(new Set(['retrying']))
  const attempts = async () => (await Promise.all(poisoned.map((id) => gateway.invoice(id)))).map((one) => one.attempts)
  expect(await attempts()).toEqual([...Array(10).fill(3), ...Array(5).fill(2)])
  expect((await gateway.admin('/admin/sweep')).body).toMatchObject({ unreachable: false })

  // The next pass goes on behind them, and a service that is well again gets all of them.
  await gateway.sweep()
  expect(await attempts()).toEqual([...Array(5).fill(4), ...Array(10).fill(3)])
  gateway.cis.always(null)
  await gateway.sweep()
  expect(new Set(await statusesOf(gateway, poisoned))).toEqual(new Set(['confirmed']))
})

test('sales parked by a JIR that cannot be believed are told, stay, and are sent by one command once answers are believed', async () => {
  const mailServer = await startMailServer()
  const gateway = await startGateway({ FISKD_SMTP_URL: mailServer.url, FISKD_ALERT_TO: 'ana@example.hr' })
  const parked = await park(gateway, 3)
  await gateway.watch()
  expect(await openAlerts(gateway)).toEqual(['invoices_failed'])
  await gateway.sweep()
  expect(await statusesOf(gateway, parked)).toEqual(['failed', 'failed', 'failed'])
  expect(await parkedIn(gateway)).toEqual({ count: 3, may_send: false })
  const before = (await fisk(['status'], { socket: gateway.socketPath })).stdout
  expect(before).toMatch(/Parked +3 got a JIR that cannot be believed: sudo fisk doctor/)

  // Any answer that is believed will do.
  await gateway.sell()
  await expect.poll(() => openAlerts(gateway)).toEqual(['answers_believed'])
  expect(await parkedIn(gateway)).toEqual({ count: 3, may_send: true })
  const after = (await fisk(['status'], { socket: gateway.socketPath })).stdout.replace(/\s+/g, ' ')
  expect(after).toContain(`3 can be sent again, for answers are believed again: ${RETRY_ALL}`)
  expect((await doctorOf(gateway)).fix).toBe(`send all of them: ${RETRY_ALL}`)
  gateway.clock.aheadMs += 5 * 60_000
  await gateway.watch()
  await expect.poll(() => mailServer.mails.map(({ subject }) => subject).join()).toContain('mogu ponovno poslati')
  expect(mailServer.mails.at(-1)?.text).toContain('Ukupno računa: 3.')

  const ran = await fisk(RETRY_ALL.split(' ').slice(1), { socket: gateway.socketPath })
  expect(ran.stdout).toMatch(/put back +3 failed sales/)
  expect(ran.code).toBe(0)
  expect(await statusesOf(gateway, parked)).toEqual(['confirmed', 'confirmed', 'confirmed'])
  await gateway.watch()
  expect(await openAlerts(gateway)).toEqual([])
})

test('where nobody buys, the service itself is asked each minute whether its answers are believed again', async () => {
  const gateway = await startGateway()
  const [id] = await park(gateway, 1)
  gateway.cis.always('timeout')
  await gateway.watch()
  gateway.cis.always(null)
  await gateway.checkClock()
  await expect.poll(() => openAlerts(gateway)).toEqual(['answers_believed'])
  expect(await statusesOf(gateway, [String(id)])).toEqual(['failed'])
})

test('every sale that is parked is in the alert at once, not only the first one', async () => {
  const gateway = await startGateway()
  await park(gateway, 1)
  await expect.poll(() => openAlerts(gateway)).toEqual(['invoices_failed'])
  await park(gateway, 2)
  await expect.poll(() => detailOf(gateway)).toMatchObject({ code: 'upstream_signature_invalid', count: 3 })
})

test('answers that are doubted anew take the offer back until they are believed again', async () => {
  const office = await startDashboard()
  const clerk = await office.as('operator')
  await park(office, 1)
  await office.sell()
  await expect.poll(() => openAlerts(office)).toEqual(['answers_believed'])
  await park(office, 1)
  await expect.poll(() => detailOf(office)).toMatchObject({ count: 2, may_send: false })
  expect(await parkedIn(office)).toEqual({ count: 2, may_send: false })
  // It is the same alert, which nobody has to be told of by another mail, but it offers nothing.
  const { data } = (await office.admin<{ data: { id: string }[] }>('/admin/alerts?state=open')).body
  const alert = await clerk.get(`/dashboard/alerts/${data[0]?.id}`)
  expect(alert.words).toContain('Računi su odbijeni')
  expect(alert.words).not.toContain('Pošalji sve ponovno')
  expect((await clerk.get('/dashboard/invoices/failed')).words).not.toContain('opet se može vjerovati')

  await office.sell()
  await expect.poll(() => detailOf(office)).toMatchObject({ count: 2, may_send: true })
  expect((await clerk.get(`/dashboard/alerts/${data[0]?.id}`)).words).toContain('Pošalji sve ponovno')
})

test('a doubt that lasts for ten minutes is told as at first', async () => {
  const gateway = await startGateway()
  await park(gateway, 1)
  await gateway.sell()
  await expect.poll(() => openAlerts(gateway)).toEqual(['answers_believed'])
  await park(gateway, 1)
  await expect.poll(() => detailOf(gateway)).toMatchObject({ count: 2, may_send: false })
  gateway.clock.aheadMs += 11 * 60_000
  await gateway.watch()
  expect(await openAlerts(gateway)).toEqual(['invoices_failed'])
})

test('a restart forgets nothing: what could be sent again still can', async () => {
  const gateway = await startGateway()
  await park(gateway, 1)
  await gateway.sell()
  await expect.poll(() => openAlerts(gateway)).toEqual(['answers_believed'])
  await gateway.cis.goDown()
  await gateway.restart()
  await gateway.watch()
  expect(await openAlerts(gateway)).toEqual(['answers_believed'])
  expect(await parkedIn(gateway)).toEqual({ count: 1, may_send: true })
  expect((await doctorOf(gateway)).fix).toBe(`send all of them: ${RETRY_ALL}`)
})

test('the overview, the alert and the list of causes offer one button that sends all of them', async () => {
  const office = await startDashboard()
  const clerk = await office.as('operator')
  const viewer = await office.as('viewer')
  const action = '/dashboard/jobs/confirm'
  const parked = await park(office, 2)
  await office.watch()
  expect((await clerk.get('/dashboard')).text).not.toContain(`action="${action}"`)
  expect((await clerk.get('/dashboard/invoices/failed')).words).toContain('pokrene „fisk doctor”')

  await office.sell()
  await expect.poll(() => openAlerts(office)).toEqual(['answers_believed'])
  office.clock.aheadMs += 11_000 // the overview is remembered for ten seconds
  const overview = await clerk.get('/dashboard')
  expect(overview.words).toContain('opet se može vjerovati')
  expect((await viewer.get('/dashboard')).text).not.toContain(`action="${action}"`)
  const { data } = (await office.admin<{ data: { id: string }[] }>('/admin/alerts?state=open')).body
  const alert = await clerk.get(`/dashboard/alerts/${data[0]?.id}`)
  expect(alert.words).toContain('Pošalji sve ponovno')
  const causes = await clerk.get('/dashboard/invoices/failed')
  expect(causes.words).toContain('opet se može vjerovati: pošaljite sve ove račune.')
  expect(causes.words).toContain('Pošalji sve ponovno (2)')

  const asked = await clerk.post(action, alert.hidden(action))
  const { to } = await clerk.post('/dashboard/jobs', asked.hidden('/dashboard/jobs'))
  await expect.poll(async () => (await clerk.get(to ?? '')).words).toContain('Obrađeno 2 od 2.')
  expect(await statusesOf(office, parked)).toEqual(['confirmed', 'confirmed'])
})

test('SHA-1 answers are counted, logged once a day and named in the trail; where they are refused the sale says so', async () => {
  const lines: string[] = []
  const accepting = await startGateway({ FISKD_LOG_LEVEL: 'warn' }, { write: (line: string) => void lines.push(line) })
  accepting.cis.hash = 'sha1'
  const [sold] = [await accepting.sell(), await accepting.sell()]
  expect(await accepting.invoice(sold.id)).toMatchObject({
    status: 'confirmed',
    messages: [{ answer_signature: 'rsa-sha1' }],
  })
  expect((await accepting.admin('/metrics')).text).toContain('fiskd_answers_total{mode="test",signature="rsa-sha1"} 2')
  expect(lines.filter((line) => line.includes('SHA-1'))).toHaveLength(1)
  accepting.clock.aheadMs += 25 * 3_600_000
  await accepting.sell()
  expect(lines.filter((line) => line.includes('SHA-1'))).toHaveLength(2)

  const refusing = await startGateway({ FISKD_CIS_SHA1_ANSWERS: 'refuse' })
  refusing.cis.hash = 'sha1'
  expect(await refusing.sell()).toMatchObject({
    status: 'failed',
    fiscal_error: {
      code: 'upstream_signature_invalid',
      message: expect.stringContaining('signed with rsa-sha1, which FISKD_CIS_SHA1_ANSWERS refuses'),
    },
  })
  refusing.cis.hash = 'sha256'
  expect(await refusing.sell()).toMatchObject({ status: 'confirmed' })
})

test('what POST answers gains no field: how an answer was signed is told by GET alone', async () => {
  const gateway = await startGateway()
  const posted = await gateway.v1('/invoices?include_messages=true', {
    body: gateway.sale(),
    headers: { 'idempotency-key': 'with messages' },
  })
  expect(posted.body.messages[0]).not.toHaveProperty('answer_signature')
  expect((await gateway.invoice(posted.body.id)).messages[0]).toMatchObject({ answer_signature: 'rsa-sha256' })
})
