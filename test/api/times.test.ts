import { expect, test } from 'vitest'
import { formatZagreb } from '../../src/domain/zagreb.ts'
import { findingChecks } from '../../src/fiscal/doctor/finding-checks.ts'
import { startDashboard } from '../support/dashboard.ts'
import { examine } from '../support/diagnosis.ts'
import { startGateway } from '../support/gateway.ts'
import { storeOf } from '../support/healthy.ts'

const HOUR_MS = 3_600_000
/** The digits of a moment, to the second. */
const digits = (moment: number) => new Date(moment).toISOString().slice(0, 19)

test('a time with up to nine decimals is taken and answered as it was sent; message and ZKI have its second', async () => {
  const gateway = await startGateway()
  for (const decimals of ['.123456', '.1239999', '.999999999', '.000000001']) {
    const second = digits(Date.now() - 60_000)
    const occurred_at = `${second}${decimals}+00:00`
    const sold = await gateway.sell({ occurred_at })
    expect(sold).toMatchObject({ status: 'confirmed', occurred_at })
    expect(await gateway.invoice(sold.id)).toMatchObject({ occurred_at })
    // The simulated authority adds up the ZKI from the message by itself.
    const { requestXml } = gateway.cis.received.findLast(({ zki }) => zki === sold.zki) ?? {}
    const inZagreb = formatZagreb(Date.parse(`${second}Z`), 'dd.MM.yyyyTHH:mm:ss')
    expect(requestXml).toContain(`<tns:DatVrijeme>${inZagreb}</tns:DatVrijeme>`)
    const found = await gateway.v1(`/invoices?from=${encodeURIComponent(occurred_at)}`)
    expect(found.text).toContain(sold.id)
  }
})

test.each([
  ['2026-11-28T06:14:44.1234567891Z', 'one to nine decimals'],
  ['2026-11-28T06:14:44,250+01:00', 'decimals must follow a dot'],
  ['2026-11-28T06:14:44+0100', 'the offset must be Z, +hh:mm or -hh:mm'],
  ['2026-11-28T06:14+01:00', 'hours, minutes and seconds'],
])('a sale at %s is refused, and the part that is wrong is named', async (occurred_at, said) => {
  const gateway = await startGateway()
  const refused = { code: 'invalid_request', param: 'occurred_at', message: expect.stringContaining(said) }
  expect(await gateway.post({ occurred_at })).toMatchObject({ status: 400, body: { error: refused } })
  const listed = await gateway.v1(`/invoices?from=${encodeURIComponent(occurred_at)}`)
  expect(listed).toMatchObject({
    status: 400,
    body: { error: { param: 'from', message: expect.stringContaining(said) } },
  })
})

test('a sale in the future, or from long ago, names the time of both clocks, and whole hours between them', async () => {
  const gateway = await startGateway()
  const messageOf = async (occurred_at: string) => (await gateway.post({ occurred_at })).body.error.message
  const now = Date.now()
  const ahead = await messageOf(`${digits(now + HOUR_MS)}Z`)
  expect(ahead).toContain(`it is ${digits(now + HOUR_MS)}.000Z by occurred_at and ${digits(now).slice(0, 16)}`)
  expect(ahead).toContain('1 h between them: are its digits and its offset of one time zone?')
  expect(await messageOf(`${digits(now + 20 * 60_000)}Z`)).not.toContain('between them')
  const old = await messageOf('2025-01-01T12:00:00+01:00')
  expect(old).toContain(`it is 2025-01-01T11:00:00.000Z by occurred_at and ${digits(now).slice(0, 14)}`)
})

test('a machine all of whose sales come an hour late is told by the doctor and on its page, and one that was offline is not', async () => {
  const office = await startDashboard()
  const operator = await office.as('operator')
  const store = await storeOf(office)
  const told = async () => (await examine(findingChecks(store))).map(({ detail }) => detail).join()
  const page = async () => (await operator.get(`/dashboard/devices/${office.deviceId}`)).words
  const sellLate = (ms: number) => office.sell({ occurred_at: `${digits(Date.now() - ms)}Z` })
  for (const minutes of [60, 61]) await sellLate(minutes * 60_000)
  expect(await told()).not.toContain('digits and offset')
  await sellLate(HOUR_MS)
  expect(await told()).toContain('machine: every one of its latest sales came 1 h after its time of sale')
  expect(await page()).toContain('svaka je od posljednjih prodaja stigla 1 h nakon svojeg vremena')
  await sellLate(95 * 60_000)
  expect(await told()).not.toContain('digits and offset')
  expect(await page()).not.toContain('nakon svojeg vremena')
})
