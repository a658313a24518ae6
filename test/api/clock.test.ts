import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { english } from '../support/english.ts'
import { type Gateway, startGateway, startSharedGateway } from '../support/gateway.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

let gateway: Gateway
beforeAll(async () => {
  gateway = await startSharedGateway()
})
/** A gateway that nobody has told the time since it was started, with a clock that is right. */
beforeEach(async () => {
  await gateway.cis.comeBack()
  await setClock({ aheadMs: 0, setMs: 0, synchronised: true })
  await gateway.checkClock()
  gateway.clock.synchronised = null
  await gateway.restart()
})

const setClock = async (clock: Partial<Gateway['clock']>) => void Object.assign(gateway.clock, clock)
const trueNow = (ms = 0) => new Date(Date.now() + ms).toISOString()

interface ClockView {
  status: string
  trusted: boolean
  synchronised: boolean | null
  offset_ms: number | null
  detail: string | null
}

async function clockOf(): Promise<{ health: ClockView; overall: string; admin: ClockView }> {
  const health = await gateway.v1('/health', { headers: { authorization: undefined } })
  expect(health.status).toBe(200)
  const { status, checks } = health.body as never as { status: string; checks: { clock: ClockView } }
  // The tax authority tells the time; the status does not wait for it.
  await gateway.v1('/health/fiscal', { headers: { authorization: undefined } })
  const admin = english((await gateway.admin<{ clock: ClockView }>('/admin/status')).body.clock)
  return { health: checks.clock, overall: status, admin }
}

/** That its first message was sent when the sale was or within a minute after it, by what the message says. */
async function expectSentAtOnce({ id, occurred_at }: { id: string; occurred_at: string }): Promise<void> {
  const [message] = (await gateway.invoice(id)).messages
  const said = /<tns:DatumVrijeme>(\d+)\.(\d+)\.(\d+)T([^<]*)</.exec(message?.request_xml ?? '') ?? []
  const [, day, month, year, time] = said
  const sentAt = `${year}-${month}-${day} ${time}`
  expect(sentAt >= zagreb(Date.parse(occurred_at))).toBe(true)
  expect(sentAt <= zagreb(Date.parse(occurred_at) + MINUTE_MS)).toBe(true)
}

const zagreb = (at: number) => new Date(at).toLocaleString('sv-SE', { timeZone: 'Europe/Zagreb' })

test.each([
  ['an hour', HOUR_MS],
  ['400 days, to before the certificate was issued', 400 * DAY_MS],
  ['fifty years', Date.now()],
])('a gateway whose clock is behind by %s sells, and says when the sale was', async (_long, behind) => {
  await setClock({ setMs: -behind })
  await gateway.restart()
  await gateway.cis.goDown()
  const occurred_at = trueNow()
  const sold = await gateway.sell({ occurred_at })
  await expectSentAtOnce(sold)
  await gateway.cis.comeBack()
  await gateway.sweep()
  expect(await gateway.invoice(sold.id)).toMatchObject({ status: 'confirmed', occurred_at })
})

test('a clock behind the newest stored moment is shown, and makes the service no worse than degraded', async () => {
  await expect.poll(clockOf).toMatchObject({ overall: 'ok', health: { status: 'ok' }, admin: { status: 'ok' } })
  await setClock({ setMs: -DAY_MS })
  await gateway.cis.goDown()
  await gateway.restart()
  const { overall, health, admin } = await clockOf()
  expect(overall).toBe('degraded')
  expect(health).toEqual({
    status: 'degraded',
    synchronised: null,
    offset_ms: null,
    detail: expect.stringMatching(/^the clock shows .* UTC, but it is .* UTC or later$/),
  })
  expect(admin).toMatchObject({ status: 'behind', trusted: false, newest_known_at: expect.stringMatching(/^20/) })
  await setClock({ synchronised: true })
  await gateway.checkClock()
  expect(await clockOf()).toMatchObject({ overall: 'ok', health: { status: 'ok', synchronised: true } })
})

test.each([
  ['a time server', { synchronised: true }, 'goDown'],
  ['the tax authority alone', { synchronised: false }, 'comeBack'],
] as const)('a sale from the future is refused by a clock that %s vouches for', async (_who, clock, authority) => {
  const days = { occurred_at: trueNow(39 * DAY_MS) }
  await gateway.cis[authority]()
  await setClock(clock)
  await gateway.restart()
  await gateway.checkClock()
  expect((await clockOf()).admin).toMatchObject({ status: 'ok', trusted: true })
  for (const sale of [days, { occurred_at: trueNow(HOUR_MS) }]) {
    expect((await gateway.post(sale)).body.error).toMatchObject({ code: 'hr.date_in_future' })
  }
})

test('a sale from the future is taken by a clock that nobody vouches for', async () => {
  await gateway.cis.goDown()
  await setClock({ synchronised: false })
  await gateway.restart()
  await gateway.checkClock()
  expect((await clockOf()).admin).toMatchObject({
    ...{ status: 'unsynchronised', trusted: false },
    detail: 'the clock follows no time server, and the tax authority has not confirmed it yet',
  })
  await expectSentAtOnce(await gateway.sell({ occurred_at: trueNow(HOUR_MS) }))
})

test('a clock some minutes slow takes no sale for one from the future, once the tax authority has told the time', async () => {
  await setClock({ setMs: -5 * MINUTE_MS })
  expect((await clockOf()).admin).toMatchObject({ status: 'ok', trusted: true, detail: null })
  await gateway.sell({ occurred_at: trueNow() })
  expect((await gateway.post({ occurred_at: trueNow(HOUR_MS) })).body.error).toMatchObject({
    code: 'hr.date_in_future',
  })
})

test('a clock that is ahead by years neither takes a sale for too old nor the certificate for expired', async () => {
  await gateway.sell()
  await setClock({ setMs: 5 * 365 * DAY_MS })
  const occurred_at = trueNow()
  expect(await gateway.sell({ occurred_at })).toMatchObject({ status: 'confirmed', occurred_at })
  expect((await clockOf()).admin).toMatchObject({
    status: 'off',
    trusted: false,
    detail: 'the clock is 1825 days ahead',
  })
})

test('nothing expires by a clock that was set, whether fiskd ran or not, and all is confirmed', async () => {
  await gateway.cis.goDown()
  const sold = await gateway.sell({ occurred_at: trueNow(-29 * DAY_MS) })
  await setClock({ setMs: 3 * DAY_MS })
  await gateway.sweep()
  expect((await gateway.invoice(sold.id)).status).toBe('retrying')
  await gateway.restart()
  await gateway.sweep()
  expect((await gateway.invoice(sold.id)).status).toBe('retrying')
  await gateway.cis.comeBack()
  await gateway.sweep()
  expect((await gateway.invoice(sold.id)).status).toBe('confirmed')
})

test('what has passed while fiskd ran expires a sale, and so does what somebody proves of the time in between', async () => {
  await gateway.cis.goDown()
  const first = await gateway.sell({ occurred_at: trueNow(-29 * DAY_MS) })
  const second = await gateway.sell({ occurred_at: trueNow(-28 * DAY_MS) })
  await setClock({ aheadMs: DAY_MS + HOUR_MS })
  expect((await gateway.invoice(first.id)).status).toBe('expired')
  await setClock({ setMs: DAY_MS })
  await gateway.restart()
  expect((await gateway.invoice(second.id)).status).toBe('retrying')
  await setClock({ synchronised: true })
  await gateway.checkClock()
  expect((await gateway.invoice(second.id)).status).toBe('expired')
})

test('a machine that was off until after the deadline asks for the time first, and sends nothing past it', async () => {
  await gateway.cis.goDown()
  const late = await gateway.sell({ occurred_at: trueNow(-29 * DAY_MS) })
  const other = await gateway.sell({ occurred_at: trueNow(-27 * DAY_MS) })
  await gateway.stop()
  // Two days later, by its own clock and by that of the authority.
  gateway.cis.dateAheadMs = 2 * DAY_MS
  onTestFinished(() => void Object.assign(gateway.cis, { dateAheadMs: 0 }))
  await setClock({ setMs: 2 * DAY_MS })
  await gateway.cis.comeBack()
  await gateway.restart()
  await gateway.sweep()
  expect((await gateway.invoice(late.id)).status).toBe('expired')
  expect((await gateway.invoice(other.id)).status).toBe('confirmed')
  expect(gateway.cis.received.map(({ zki }) => zki)).not.toContain(late.zki)
})

test('one key is one sale wherever the clock is set to, while fiskd runs and between runs', async () => {
  const sale = gateway.sale()
  const first = await gateway.post(sale, 'set')
  const messages = gateway.cis.received.length
  for (const days of [3, -2, 400, -2000, 1, 0]) {
    for (const restarts of [false, true]) {
      await setClock({ setMs: days * DAY_MS })
      if (restarts) await gateway.restart()
      await gateway.sweep()
      const again = await gateway.post(sale, 'set')
      expect([days, restarts, again.status, again.text]).toEqual([days, restarts, 200, first.text])
      await gateway.sell({ occurred_at: trueNow() })
      expect((await gateway.post(sale, 'set')).text).toBe(first.text)
    }
  }
  expect(gateway.cis.received).toHaveLength(messages + 12)
})

test.each([-3, 3])('a key used on a clock %i days ahead is free 24 hours after that is right', async (days) => {
  await setClock({ setMs: days * DAY_MS })
  await gateway.restart()
  await gateway.cis.goDown()
  const sale = gateway.sale({ occurred_at: trueNow() })
  const first = await gateway.post(sale, `wrong ${days}`)
  expect(first).toMatchObject({ status: 200, body: { jir: null } })
  await setClock({ setMs: 0, synchronised: true })
  await gateway.checkClock()
  await setClock({ aheadMs: 23 * HOUR_MS })
  await gateway.sweep()
  expect((await gateway.post(sale, `wrong ${days}`)).text).toBe(first.text)
  await setClock({ aheadMs: 24 * HOUR_MS + MINUTE_MS })
  const anew = await gateway.post(sale, `wrong ${days}`)
  expect([anew.status, anew.body.number]).toEqual([200, String(Number(first.body.number) + 1)])
})

test('a time server that leaps by weeks expires no sale and forgets no key until the authority agrees', async () => {
  const gateway = await startGateway()
  await gateway.checkClock()
  const sale = gateway.sale()
  const sold = await gateway.post(sale, 'before-the-leap')
  await gateway.cis.goDown()
  const waiting = await gateway.sell()
  gateway.clock.setMs = 31 * 86_400_000
  await gateway.checkClock()
  await gateway.sweep()
  expect((await gateway.post(sale, 'before-the-leap')).text).toBe(sold.text)
  gateway.clock.setMs = 0
  await gateway.checkClock()
  await gateway.cis.comeBack()
  await gateway.sweep()
  expect((await gateway.invoice(waiting.id)).status).toBe('confirmed')
})
