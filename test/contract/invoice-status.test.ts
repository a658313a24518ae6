import { afterEach, beforeAll, expect, vi } from 'vitest'
import type { Misbehaviour } from '../../src/simulator/index.ts'
import { inDatabase } from '../support/database.ts'
import { addCompany, type Gateway, type InvoiceBody, startSharedGateway } from '../support/gateway.ts'
import { OIBS } from '../support/pki.ts'
import { row } from '../support/row.ts'
import { certificatesOf, certify, DAY_MS, elementIn, messageAbout, patch, revoke, UUID } from './support-sale.ts'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})
afterEach(async () => {
  gateway.clock.aheadMs = 0
  await gateway.cis.comeBack()
  await gateway.sweep()
})

const UNREACHABLE: Misbehaviour[] = ['drop-before', 'drop-before']
const NO_JIR_YET = { code: 'upstream_unavailable', message: expect.any(String), retry_scheduled: true }
const NEEDS_A_HUMAN = { code: 'upstream_rejected', message: expect.any(String), retry_scheduled: false }

row('Invoice status 1 | pending', 'a sale is visible as pending while it is sent, and only then', async () => {
  const { selling, pending } = await sellSlowly()
  expect(pending).toMatchObject({ status: 'pending', jir: null, zki: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(await listed('pending')).toEqual([pending.id])

  await gateway.sweep()
  expect(await gateway.v1(`/invoices/${pending.id}`)).toMatchObject({ body: { status: 'pending', attempts: 1 } })

  await gateway.cis.goDown()
  expect(await selling).toMatchObject({ id: pending.id, status: 'retrying' })
  expect(await listed('pending')).toEqual([])
})

row('Invoice status 1 | confirmed', 'a verified JIR makes a sale confirmed for good', async () => {
  const sold = await gateway.sell()
  expect(sold).toMatchObject({ status: 'confirmed', jir: gateway.cis.received.at(-1)?.jir })
  await expectNeverSent(sold)
  gateway.clock.aheadMs = 31 * DAY_MS
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'confirmed', jir: sold.jir })
})

row('Invoice status 1 | confirmed', 'a JIR whose signature does not verify confirms nothing', async () => {
  for (const forgery of ['unsigned', 'tampered'] as const) {
    gateway.cis.misbehave(forgery)
    await gateway.cis.prepared()
    expect(await gateway.sell(), forgery).toMatchObject({
      status: 'failed',
      jir: null,
      fiscal_error: { code: 'upstream_signature_invalid', retry_scheduled: false },
    })
  }
})

row('Invoice status 1 | retrying', 'a transient failure is answered as retrying and swept', async () => {
  const sold = await sellWith(...UNREACHABLE)
  expect(sold).toMatchObject({ status: 'retrying', jir: null })
  expect(await listed('retrying')).toEqual([sold.id])
  await gateway.sweep()
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'confirmed', jir: expect.stringMatching(UUID) })
})

row('Invoice status 1 | failed', 'a failure for a human is answered as failed and not swept', async () => {
  const sold = await sellWith({ error: 's001' })
  expect(sold).toMatchObject({ status: 'failed', jir: null })
  const sent = gateway.cis.received.length
  await gateway.sweep()
  expect(gateway.cis.received).toHaveLength(sent)
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'failed', attempts: 1 })
  expect(await retry(sold)).toMatchObject({ status: 200, body: { status: 'confirmed' } })
})

row('Invoice status 1 | expired', 'past its deadline an invoice is expired, and kept for ever', async () => {
  const sold = await sellWith(...UNREACHABLE)
  const { deadline_at, ...unsent } = (await gateway.v1(`/invoices/${sold.id}`)).body as InvoiceBody & Deadline
  goTo(Date.parse(deadline_at) - 5000)
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'retrying' })
  goTo(Date.parse(deadline_at) + 1)
  const expired = { ...unsent, status: 'expired', fiscal_error: { ...NO_JIR_YET, retry_scheduled: false } }
  expect((await gateway.v1(`/invoices/${sold.id}`)).body).toEqual({ ...expired, deadline_at })
  expect(await listed('expired')).toContain(sold.id)
  expect(await listed('retrying')).not.toContain(sold.id)

  await expectNeverSent(sold)
  goTo(Date.now() + 400 * DAY_MS)
  expect((await gateway.v1(`/invoices/${sold.id}`)).body).toEqual({ ...expired, deadline_at })
})

row('Invoice status 1 | expired', 'the operator sees how many there are', async () => {
  const count = async () => (await gateway.admin<{ queue: { expired: number } }>('/admin/status')).body.queue.expired
  const before = await count()
  await sellWith(...UNREACHABLE)
  gateway.clock.aheadMs = 31 * DAY_MS
  await gateway.sweep()
  expect(await count()).toBe(before + 1)
})

row('Invoice status 2 | (new)', 'a sale is on disk with its number and ZKI before an answer comes', async () => {
  const { selling, pending } = await sellSlowly()
  const stored = await inDatabase(gateway, `SELECT status FROM invoices WHERE id = '${pending.id}'`)
  expect(stored).toEqual([{ status: 'pending' }])

  await gateway.cis.goDown()
  const { id, number, zki, occurred_at, total } = await selling
  expect(pending).toMatchObject({ id, number, zki, occurred_at, total, attempts: 1 })
})

row(
  'Invoice status 2 | pending | first send | JIR received and response signature verified',
  'the JIR is set, stands in the QR code and has its moment',
  async () => {
    const before = Date.now()
    const sold = await gateway.sell({ total: '4.50' })
    const after = Date.now()
    const jir = gateway.cis.received.at(-1)?.jir
    expect(jir).toMatch(UUID)
    expect(sold).toMatchObject({ status: 'confirmed', jir })
    expect(sold.qr_payload).toBe(`https://porezna.gov.hr/rn?jir=${jir}&datv=${zagrebMinuteOf(sold)}&izn=450`)
    expect(sold).not.toHaveProperty('fiscal_error')

    const shown = (await gateway.v1(`/invoices/${sold.id}`)).body as InvoiceBody & { confirmed_at: string }
    expect(shown).toMatchObject({ ...sold, last_error_class: null, attempts: 1, late_delivery: false })
    expect(shown).not.toHaveProperty('fiscal_error')
    expect(Date.parse(shown.confirmed_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(shown.confirmed_at)).toBeLessThanOrEqual(after)
  },
)

row(
  'Invoice status 2 | pending | first send | transient failure',
  'a retry is scheduled, and the QR code has the ZKI',
  async () => {
    gateway.cis.misbehave(...UNREACHABLE)
    const sold = await gateway.sell({ total: '10.00' })
    expect(sold).toMatchObject({ status: 'retrying', jir: null, fiscal_error: NO_JIR_YET })
    expect(sold.qr_payload).toBe(`https://porezna.gov.hr/rn?zki=${sold.zki}&datv=${zagrebMinuteOf(sold)}&izn=1000`)
    expect((await gateway.v1(`/invoices/${sold.id}`)).body).toMatchObject({
      ...sold,
      last_error_class: 'transient',
      confirmed_at: null,
    })
  },
)

row('Invoice status 2 | pending | first send | validation or certificate error', 'no retry is scheduled', async () => {
  for (const [error, errorClass] of [
    ['s001', 'validation'],
    ['s002', 'certificate'],
  ] as const) {
    const sold = await sellWith({ error })
    expect(sold).toMatchObject({ status: 'failed', jir: null, fiscal_error: NEEDS_A_HUMAN })
    expect(sold.qr_payload).toContain(`?zki=${sold.zki}&`)
    expect(await gateway.invoice(sold.id)).toMatchObject({ last_error_class: errorClass, confirmed_at: null })
  }
})

row(
  'Invoice status 2 | retrying | sweep (every 5 minutes)',
  'it is sent again with NakDost and a fresh message id, its ZKI and its facts unchanged',
  async () => {
    const sold = await sellWith('s006', 's006')
    await gateway.sweep()
    const swept = await gateway.invoice(sold.id)
    expect(swept).toMatchObject({ status: 'confirmed', zki: sold.zki, number: sold.number, late_delivery: true })
    expect(swept.qr_payload).toContain(`?jir=${swept.jir}&`)
    expect(swept).not.toHaveProperty('fiscal_error')

    const messages = gateway.cis.received.filter(({ zki }) => zki === sold.zki)
    expect(messages.map(({ lateDelivery }) => lateDelivery)).toEqual([false, true, true])
    expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(3)
    expect(new Set(messages.map(({ requestXml }) => factsOf(requestXml))).size).toBe(1)
  },
)

row(
  'Invoice status 2 | retrying | sweep (every 5 minutes)',
  'the most endangered sale goes first, one after another, and what fails again waits for the next sweep',
  async () => {
    const hoursAgo = (hours: number) => ({ occurred_at: new Date(Date.now() - hours * 3_600_000).toISOString() })
    await gateway.cis.goDown()
    const [second, third, first] = [
      await gateway.sell(hoursAgo(2)),
      await gateway.sell(hoursAgo(1)),
      await gateway.sell(hoursAgo(3)),
    ]
    await gateway.cis.comeBack()
    const sent = gateway.cis.received.length
    gateway.cis.misbehave('s006')
    await gateway.sweep()
    expect(gateway.cis.received.slice(sent).map(({ zki }) => zki)).toEqual([first.zki, second.zki, third.zki])
    expect(await gateway.invoice(first.id)).toMatchObject({ status: 'retrying', attempts: 3 })
    expect(await gateway.invoice(second.id)).toMatchObject({ status: 'confirmed', attempts: 3 })
    await gateway.sweep()
    expect(await gateway.invoice(first.id)).toMatchObject({ status: 'confirmed', attempts: 4 })
  },
)

row(
  'Invoice status 2 | retrying | POST /v1/invoices/{id}/retry',
  'it is confirmed sooner than by the sweep, and stays retrying while the authority is unreachable',
  async () => {
    const sold = await sellWith(...UNREACHABLE)
    gateway.cis.misbehave(...UNREACHABLE)
    const unreachable = await retry(sold)
    expect(unreachable).toMatchObject({ status: 200, body: { status: 'retrying', fiscal_error: NO_JIR_YET } })
    const { status, body } = await retry(sold)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: sold.id, status: 'confirmed', zki: sold.zki, number: sold.number })
    expect(elementIn(messageAbout(gateway, sold), 'NakDost')).toBe('true')
  },
)

row('Invoice status 2 | retrying | time', 'the deadline is 30 days after the sale', async () => {
  gateway.cis.misbehave(...UNREACHABLE)
  const sold = await gateway.sell({ occurred_at: new Date(Date.now() - 29 * DAY_MS).toISOString() })
  const deadline = Date.parse(sold.occurred_at) + 30 * DAY_MS
  expect(await gateway.invoice(sold.id)).toMatchObject({ deadline_at: new Date(deadline).toISOString() })
  goTo(deadline + 1)
  await gateway.sweep()
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'expired', attempts: 2 })
})

row(
  'Invoice status 2 | failed | POST /v1/invoices/{id}/retry after the cause is fixed',
  'a machine that the authority did not know is registered there, and the sale gets its JIR',
  async () => {
    gateway.cis.registry = []
    const sold = await gateway.sell()
    expect(sold).toMatchObject({ status: 'failed', fiscal_error: NEEDS_A_HUMAN })
    expect(await retry(sold)).toMatchObject({ status: 200, body: { status: 'failed', fiscal_error: NEEDS_A_HUMAN } })
    gateway.cis.registry = [{ oib: OIBS[0], premisesCode: 'POSL1', registerMark: '101' }]
    const fixed = await retry(sold)
    gateway.cis.registry = null
    await patch(gateway, `/v1/devices/${gateway.deviceId}`, { isu_number: '101' })
    expect(fixed).toMatchObject({ status: 200, body: { id: sold.id, status: 'confirmed', zki: sold.zki } })
    expect(await gateway.invoice(sold.id)).toMatchObject({ attempts: 3, last_error_class: null, late_delivery: true })
  },
)

row('Invoice status 2 | failed | time', 'it expires like any other, and cannot be retried then', async () => {
  const sold = await sellWith({ error: 's001' })
  goTo(Date.parse(sold.occurred_at) + 30 * DAY_MS - 5000)
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'failed' })
  goTo(Date.parse(sold.occurred_at) + 30 * DAY_MS + 1)
  expect(await gateway.invoice(sold.id)).toMatchObject({
    status: 'expired',
    last_error_class: 'validation',
    fiscal_error: NEEDS_A_HUMAN,
  })
  await expectNeverSent(sold)
})

row('Invoice status 2 | confirmed', 'neither a retry nor time changes it', async () => {
  const sold = await gateway.sell()
  const before = await gateway.invoice(sold.id)
  await expectNeverSent(sold)
  gateway.clock.aheadMs = 31 * DAY_MS
  await expectNeverSent(sold)
  expect(await gateway.invoice(sold.id)).toEqual(before)
})

row('Invoice status 2 | expired', 'a retry is a conflict, also with the authority back', async () => {
  const sold = await sellWith(...UNREACHABLE)
  gateway.clock.aheadMs = 31 * DAY_MS
  // The retry itself finds out that the deadline has passed.
  await expectNeverSent(sold)
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'expired', attempts: 2 })
})

row('Invoice status 3 | transient', 'it is tried again in the request, and then swept', async () => {
  for (const outage of ['drop-before', 'drop-after', 'http-503', 'html-500', 'soap-fault', 's006'] as const) {
    const recovered = await sellWith(outage)
    expect(recovered, outage).toMatchObject({ status: 'confirmed' })
    expect(await gateway.invoice(recovered.id), outage).toMatchObject({ attempts: 2, last_error_class: null })

    const sold = await sellWith(outage, outage)
    expect(sold, outage).toMatchObject({ status: 'retrying', fiscal_error: NO_JIR_YET })
    expect(await gateway.invoice(sold.id), outage).toMatchObject({ attempts: 2, last_error_class: 'transient' })
    await gateway.sweep()
    expect(await gateway.invoice(sold.id), outage).toMatchObject({ status: 'confirmed', last_error_class: null })
  }
})

row('Invoice status 3 | transient', 'a connection that hangs until it breaks is one, too', async () => {
  const { selling, pending } = await sellSlowly()
  await gateway.cis.goDown()
  expect(await selling).toMatchObject({ id: pending.id, status: 'retrying' })
  const { messages, ...invoice } = await gateway.invoice(pending.id)
  expect(invoice).toMatchObject({ attempts: 2, last_error_class: 'transient' })
  const noAnswer = { http_status: null, response_xml: null, error_code: 'upstream_unavailable' }
  expect(messages).toMatchObject([noAnswer, noAnswer])
})

row('Invoice status 3 | validation', 'a rejected message is neither tried again nor swept', async () => {
  for (const error of ['s001', 's004', 's013'] as const) {
    await expectOnlyOnce(await sellWith({ error }), { errorClass: 'validation', code: 'upstream_rejected' })
  }
})

row(
  'Invoice status 3 | validation',
  'neither is one with restrictive errors, which are named in the trail',
  async () => {
    for (const code of [176, 177, 178, 179, 180, 181, 185]) {
      const sold = await sellWith({ error: 's013', codes: [code] })
      await expectOnlyOnce(sold, { errorClass: 'validation', code: 'upstream_rejected' })
      const { messages } = await gateway.invoice(sold.id)
      const said = expect.stringMatching(new RegExp(`s013.*${code}`))
      expect(messages).toMatchObject([{ http_status: 500, error_code: 'upstream_rejected', error_message: said }])
    }
  },
)

row('Invoice status 3 | certificate', 'an error of the certificate is neither tried again nor swept', async () => {
  for (const [error, code] of [
    ['s002', 'upstream_rejected'],
    ['s003', 'upstream_rejected'],
    ['s005', 'hr.certificate_oib_mismatch'],
  ] as const) {
    await expectOnlyOnce(await sellWith({ error }), { errorClass: 'certificate', code })
  }
})

row(
  'Invoice status 3 | certificate',
  'a retry without a usable certificate fails by it, and succeeds once there is one',
  async () => {
    const companyId = await addCompany(gateway, OIBS[1])
    const device_id = await gateway.addDevice({ company_id: companyId, isu_number: '301' })
    gateway.cis.misbehave(...UNREACHABLE)
    const sold = await gateway.sell({ device_id })
    const [certificate] = await certificatesOf(gateway, companyId)
    // Wrong clock, not passed time: by the time the certificate ends the sale would have expired long ago.
    gateway.clock.aheadMs = -400 * DAY_MS
    await expectFailed(sold, 'certificate_expired')
    gateway.clock.aheadMs = 0

    await revoke(gateway, String(certificate?.id))
    await expectFailed(sold, 'company_missing_certificate')
    await gateway.sweep()
    expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'failed' })

    await certify(gateway, companyId, OIBS[1])
    expect(await retry(sold)).toMatchObject({ status: 200, body: { status: 'confirmed', zki: sold.zki } })
  },
)

interface Deadline {
  deadline_at: string
}

function goTo(moment: number): void {
  gateway.clock.aheadMs = moment - Date.now()
}

/** Makes a sale whose messages are treated badly, one after another. */
function sellWith(...misbehaviours: Misbehaviour[]): Promise<InvoiceBody> {
  gateway.cis.misbehave(...misbehaviours)
  return gateway.sell()
}

/** A sale whose first message hangs until the authority goes down, and the invoice as it is shown meanwhile. */
async function sellSlowly(): Promise<{ selling: Promise<InvoiceBody>; pending: InvoiceBody }> {
  gateway.cis.misbehave('timeout')
  const selling = gateway.sell()
  const isStored = async () => {
    const [found] = await listed('pending')
    if (!found) throw new Error('the sale is not stored yet')
    return found
  }
  const id = await vi.waitFor(isStored, { timeout: 60_000, interval: 10 })
  return { selling, pending: (await gateway.v1(`/invoices/${id}`)).body }
}

async function listed(status: string): Promise<string[]> {
  const { body } = await gateway.v1(`/invoices?status=${status}`)
  return (body as unknown as { data: { id: string }[] }).data.map(({ id }) => id)
}

function retry({ id }: InvoiceBody) {
  return gateway.v1(`/invoices/${id}/retry`, { method: 'POST' })
}

/** Neither by somebody nor by itself: nothing about this invoice goes out any more. */
async function expectNeverSent(sold: InvoiceBody): Promise<void> {
  const sent = gateway.cis.received.length
  expect(await retry(sold)).toMatchObject({
    status: 409,
    body: { error: { type: 'conflict', code: 'invalid_request', param: 'id' } },
  })
  await gateway.sweep()
  expect(gateway.cis.received).toHaveLength(sent)
}

async function expectOnlyOnce(sold: InvoiceBody, { errorClass, code }: { errorClass: string; code: string }) {
  const failed = { status: 'failed', fiscal_error: { code, retry_scheduled: false } }
  expect(sold).toMatchObject(failed)
  await gateway.sweep()
  expect(await gateway.invoice(sold.id)).toMatchObject({ ...failed, attempts: 1, last_error_class: errorClass })
}

async function expectFailed(sold: InvoiceBody, code: string): Promise<void> {
  const failed = { status: 'failed', jir: null, fiscal_error: { code, retry_scheduled: false } }
  expect(await retry(sold)).toMatchObject({ status: 200, body: failed })
  expect(await gateway.invoice(sold.id)).toMatchObject({ ...failed, last_error_class: 'certificate' })
}

/** What a message says about the sale itself. */
function factsOf(xml: string): string {
  const sale = elementIn(xml, 'Racun') ?? ''
  return sale.replace(/<tns:NakDost>.*?<\/tns:NakDost>/, '')
}

/** `yyyyMMdd_HHmm` on a clock in Zagreb. */
function zagrebMinuteOf({ occurred_at }: InvoiceBody): string {
  const text = new Date(occurred_at).toLocaleString('sv-SE', { timeZone: 'Europe/Zagreb' })
  return text.slice(0, 16).replaceAll('-', '').replace(' ', '_').replace(':', '')
}
