import { setTimeout } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { momentsOf } from '../../src/simulator/zagreb.ts'
import { type Gateway, startGateway, startSharedGateway } from '../support/gateway.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** What the clocks of this machine and of the tax authority may differ by before either is doubted. */
const TOLERANCE_MS = 10 * MINUTE_MS

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})
/** A kiosk that follows no time server, and whose clock the tax authority has confirmed. */
beforeEach(async () => {
  gateway.cis.dateAheadMs = 0
  Object.assign(gateway.clock, { synchronised: null, setMs: 0 })
  await gateway.restart()
  await expect.poll(clockStatus).toBe('ok')
})

const clockStatus = async () => (await gateway.admin<{ clock: { status: string } }>('/admin/status')).body.clock.status

const FALSE: Record<string, () => number> = {
  'of 1970': () => -Date.now(),
  'a day behind': () => -DAY_MS,
  '20 minutes ahead': () => 20 * MINUTE_MS,
  'three years ahead': () => 3 * 365 * DAY_MS,
}

/** A sale of this second goes out with the true time, and as no late delivery. */
async function expectTrueTime(): Promise<void> {
  const sold = await gateway.sell({ occurred_at: new Date().toISOString() })
  expect(sold.status).toBe('confirmed')
  const received = gateway.cis.received.at(-1)
  const sentAt = momentsOf(received?.sentAt ?? '')?.earliest ?? 0
  expect(Math.abs(sentAt - Date.now()), received?.sentAt).toBeLessThan(TOLERANCE_MS)
  expect(received?.lateDelivery).toBe(false)
}

test.for(Object.entries(FALSE))('one Date %s changes neither DatumVrijeme nor NakDost', async ([, aheadMs]) => {
  await expectTrueTime()
  gateway.cis.misbehave({ dateAheadMs: aheadMs() })
  for (let i = 0; i < 3; i++) await expectTrueTime()
  expect(await clockStatus()).toBe('ok')
})

test.for(Object.entries(FALSE))('every Date %s changes neither DatumVrijeme nor NakDost', async ([, aheadMs]) => {
  await expectTrueTime()
  gateway.cis.dateAheadMs = aheadMs()
  for (let i = 0; i < 3; i++) {
    await expectTrueTime()
    await gateway.v1('/health/fiscal')
    await gateway.checkClock()
  }
  expect(await clockStatus()).toBe('ok')
})

test.for(Object.entries(FALSE))('every Date %s from the start on changes neither of them', async ([, aheadMs]) => {
  gateway.cis.dateAheadMs = aheadMs()
  await gateway.restart()
  await gateway.checkClock()
  for (let i = 0; i < 3; i++) await expectTrueTime()
})

test.for(Object.entries(FALSE))('nor where the clock is five minutes behind its own past: %s', async ([, aheadMs]) => {
  gateway.cis.dateAheadMs = aheadMs()
  gateway.clock.setMs = -5 * MINUTE_MS
  await gateway.restart()
  for (let i = 0; i < 3; i++) await expectTrueTime()
})

test.each([39, -7])(
  'a clock that is %i days ahead when fiskd starts is put right before the first sale',
  async (days) => {
    gateway.clock.setMs = days * DAY_MS
    await gateway.restart()
    await expect.poll(clockStatus).toBe('off')
    await expectTrueTime()
  },
)

test('a service that signs nothing but answers to sales puts a wrong clock right with the first of them', async () => {
  gateway.cis.signsNothing = false
  onTestFinished(() => void Object.assign(gateway.cis, { signsNothing: true }))
  gateway.clock.setMs = -7 * DAY_MS
  await gateway.restart()
  await gateway.sell({ occurred_at: new Date().toISOString() })
  await expectTrueTime()
  expect(await clockStatus()).toBe('off')
})

/** How long a connection to the authority is kept for the next message. */
const KEPT_MS = 2000

test('a kiosk weeks ahead takes no number of the next year once it has heard two Dates, and an alert names those before', async () => {
  const kiosk = await startGateway()
  // It signs nothing, and is right about the time.
  kiosk.cis.always('soap-fault')
  const year = new Date().getUTCFullYear() + 1
  Object.assign(kiosk.clock, { synchronised: null, setMs: Date.UTC(year, 0, 8) - Date.now() })
  await kiosk.restart()
  const nextYear = () => ({ occurred_at: new Date(Date.now() + kiosk.clock.setMs).toISOString() })
  expect(await kiosk.sell(nextYear())).toMatchObject({ number: '1', status: 'retrying' })
  await setTimeout(KEPT_MS + 500)
  await kiosk.checkClock()
  const { status, body } = await kiosk.post(nextYear())
  expect([status, body.error]).toMatchObject([400, { code: 'hr.date_in_future', param: 'occurred_at' }])
  expect(await kiosk.sell({ occurred_at: new Date().toISOString() })).toMatchObject({ number: '1' })
  await kiosk.watch()
  const { body: alerts } = await kiosk.admin<{ data: object[] }>('/admin/alerts?kind=numbers_of_future')
  expect(alerts.data).toMatchObject([{ state: 'open', detail: { premises_code: 'POSL1', year, highest: '1' } }])
})

test('a kiosk that shows the time from before it was off sends no overdue sale at its start, though nothing is signed', async () => {
  const kiosk = await startGateway()
  await kiosk.cis.goDown()
  const sold = await kiosk.sell()
  await kiosk.cis.comeBack()
  Object.assign(kiosk.cis, { signsNothing: false, dateAheadMs: 40 * DAY_MS })
  kiosk.clock.synchronised = null
  const { attempts } = await kiosk.invoice(sold.id)
  await kiosk.restart()
  await kiosk.sweep()
  expect(await kiosk.invoice(sold.id)).toMatchObject({ status: 'retrying', attempts })
})
