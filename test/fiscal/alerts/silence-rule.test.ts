import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { alertWords } from '../../../src/domain/alert-texts/alert-texts.ts'
import { silenceRule } from '../../../src/fiscal/alerts/silence-rule.ts'
import { addGateway } from '../../../src/fiscal/gateways/gateways.ts'
import type { Heartbeat } from '../../../src/fiscal/ports/gateways.ts'
import { DEFAULT_TENANT } from '../../../src/store/store.ts'
import { watched, watchOf } from '../../support/alerting.ts'
import { HEARTBEAT } from '../../support/commands.ts'
import { OIBS } from '../../support/oibs.ts'
import { OPERATOR } from '../../support/people.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const HOUR = 60
const DAY = 24 * HOUR
const HOUR_MS = 3_600_000
/** A Monday, at noon in Zagreb. */
const START = Date.parse('2026-03-02T11:00:00Z')

/** A watch whose clock also says how much time has passed. */
async function silenceWatched() {
  const here = await watched(START)
  return { ...here, look: watchOf(here, [silenceRule(here.store, () => here.time.now)]) }
}

/** A sale at each full hour of the working days of six weeks, from 9 to 17, until noon of the Monday. */
async function sellForWeeks(shop: Shop): Promise<void> {
  const hours = Array.from({ length: 42 * 24 }, (_, back) => START - back * HOUR_MS).reverse()
  const open = hours.filter((at) => {
    const [weekday, hour] = [new Date(at).getUTCDay(), new Date(at).getUTCHours()]
    return weekday >= 1 && weekday <= 5 && hour >= 8 && hour < 16
  })
  await shop.soldAll(open.map((occurredAt) => [{ occurredAt }]))
}

test('a machine that sells nothing on a day on which it usually sells is an alert, which ends with its next sale', async () => {
  const { store, look, at, news, time } = await silenceWatched()
  const shop = await openShop(store, { label: 'Kavomat 1' })
  await sellForWeeks(shop)
  at(18 * HOUR)
  await look()
  expect(news()).toEqual([])
  at(2 * DAY)
  await look()
  expect(news()).toEqual(['+machine_silent'])
  const [alert] = await store.alerts.open(DEFAULT_TENANT)
  expect(alert).toMatchObject({
    companyId: shop.companyId,
    detail: { device: 'Kavomat 1', count: 1, devices: [shop.deviceId], sales_per_week: 40, longest_pause_hours: 65 },
  })
  const words = alertWords({ kind: 'machine_silent', detail: alert?.detail ?? {} }, 'hr')
  expect(words.title).toBe('Uređaj neuobičajeno dugo ne prodaje (Kavomat 1)')
  expect(words.what).toContain('nije izdao nijedan račun od 2. 3. 2026. u 12:00. Inače ih izda oko 40 tjedno')
  await shop.sold({ occurredAt: time.now - 1 })
  at(2 * DAY + 14)
  await look()
  expect(news()).toEqual([])
  at(2 * DAY + 15)
  await look()
  expect(news()).toEqual(['-machine_silent'])
})

test('a weekend and a public holiday are no unusual silence for a machine that is closed then', async () => {
  const { store, look, at, news, time } = await silenceWatched()
  const shop = await openShop(store)
  await sellForWeeks(shop)
  // Until Friday afternoon; Easter Monday follows on 6 April.
  const friday = Date.parse('2026-04-03T14:00:00Z')
  const after = Array.from({ length: (friday - START) / HOUR_MS }, (_, i) => START + (i + 1) * HOUR_MS)
  await shop.soldAll(
    after
      .filter(
        (one) =>
          new Date(one).getUTCDay() % 6 !== 0 && new Date(one).getUTCHours() < 15 && new Date(one).getUTCHours() > 6,
      )
      .map((occurredAt) => [{ occurredAt }]),
  )
  at((Date.parse('2026-04-07T05:00:00Z') - START) / 60_000)
  await look()
  expect(news()).toEqual([])
  time.now += 30 * HOUR_MS
  await look()
  expect(news()).toEqual(['+machine_silent'])
})

test('machines of a company that fall silent together are one alert, which names some of them and counts all', async () => {
  const { store, look, at, news } = await silenceWatched()
  for (let i = 1; i <= 7; i++) {
    await sellForWeeks(await openShop(store, { label: `Kavomat ${i}`, premisesCode: `P${i}`, isuNumber: String(i) }))
  }
  at(2 * DAY)
  await look()
  expect(news()).toEqual(['+machine_silent'])
  const [alert] = await store.alerts.open(DEFAULT_TENANT)
  expect(alert?.detail.machines).toHaveLength(7)
  expect(alert?.detail.machines).toContainEqual({
    device: 'Kavomat 7',
    place: 'P7',
    sales_per_week: 40,
    since: expect.stringMatching(/^2026-03-02T/),
  })
  const { title, what } = alertWords({ kind: 'machine_silent', detail: alert?.detail ?? {} }, 'en')
  expect(title).toBe('Devices have sold nothing for an unusually long time: 7 (Kava d.o.o., test)')
  expect(what).toMatch(/The same is true of Kavomat \d, Kavomat \d, Kavomat \d, Kavomat \d and of other devices: 2\./)
})

test('nobody is told of machines that are suspended, sell too little to have a rhythm, or have never sold', async () => {
  const { store, look, at, news } = await silenceWatched()
  const suspended = await openShop(store, { label: 'suspended' })
  await sellForWeeks(suspended)
  await store.devices.update(suspended.deviceId, { status: 'suspended' })
  const quiet = await openShop(store, { label: 'quiet', premisesCode: 'P2', isuNumber: '2' })
  await quiet.soldAll(Array.from({ length: 19 }, (_, i) => [{ occurredAt: START - i * 24 * HOUR_MS }]))
  await openShop(store, { label: 'new', premisesCode: 'P3', isuNumber: '3' })
  at(60 * DAY)
  await look()
  expect(news()).toEqual([])
})

test('a machine of a gateway is judged while its gateway reports and has told all; its alert stays when it stops', async () => {
  const { store, look, at, news, time, clock } = await silenceWatched()
  const deps = { store, clock, newUuid: randomUUID, caHash: async () => Buffer.alloc(32) }
  const { gateway } = await addGateway(deps, OPERATOR, { name: 'kiosk', again: false })
  await store.gateways.update(gateway.id, { credentialHash: 'c', enrolledAt: START })
  await sellForWeeks(await openShop(store, { gatewayId: gateway.id }))
  const says = (waiting: number) =>
    store.gateways.noteHeartbeats(
      new Map([[gateway.id, { ...HEARTBEAT, outbox: { waiting, refused: 0 } } as Heartbeat]]),
      time.now,
    )
  at(2 * DAY)
  await look()
  at(2 * DAY + 20)
  await says(3)
  await look()
  expect(news()).toEqual([])
  at(2 * DAY + 40)
  await says(0)
  await look()
  expect(news()).toEqual(['+machine_silent'])
  at(3 * DAY)
  await look()
  expect(news()).toEqual([])
})

test('the alert of a machine ends when its gateway is revoked or has left', async () => {
  const { store, look, at, news, time, clock } = await silenceWatched()
  const deps = { store, clock, newUuid: randomUUID, caHash: async () => Buffer.alloc(32) }
  const ends = [{ revokedAt: START, credentialHash: null }, { credentialHash: null }]
  const gateways: string[] = []
  for (const i of [0, 1]) {
    const { gateway } = await addGateway(deps, OPERATOR, { name: `kiosk-${i}`, again: false })
    await store.gateways.update(gateway.id, { credentialHash: `c${i}`, enrolledAt: START })
    const oib = OIBS[i] as string
    await sellForWeeks(await openShop(store, { gatewayId: gateway.id, oib, premisesCode: `P${i}`, isuNumber: `${i}1` }))
    gateways.push(gateway.id)
  }
  at(2 * DAY)
  const told = { ...HEARTBEAT, outbox: { waiting: 0, refused: 0 } } as Heartbeat
  await store.gateways.noteHeartbeats(new Map(gateways.map((id) => [id, told])), time.now)
  await look()
  expect(news()).toEqual(['+machine_silent', '+machine_silent'])
  for (const [i, id] of gateways.entries()) await store.gateways.update(id, ends[i] ?? {})
  at(3 * DAY)
  await look()
  expect(news()).toEqual(['-machine_silent', '-machine_silent'])
})

test('an enrolled gateway leaves it to its server', async () => {
  const { store, look, at, news } = await silenceWatched()
  await sellForWeeks(await openShop(store))
  if (process.env.FISKD_TEST_STORE === 'postgres') return
  await store.enrolment.put({
    ...{ tenantId: DEFAULT_TENANT, url: 'https://s', caPem: null, sealedCredential: Buffer.alloc(1) },
    ...{
      sealedKey: Buffer.alloc(1),
      sealedLinks: null,
      gatewayId: 'g',
      name: 'kiosk',
      serverId: null,
      serverKey: null,
      position: 0,
    },
    ...{ pushed: 0, tellAgainTo: null, toldAt: null, serverProgram: null, numbers: [], lastCommand: 0, enrolledAt: 0 },
  })
  at(2 * DAY)
  await look()
  expect(news()).toEqual([])
})
