import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChainValidator } from '../../src/certificates/chain.ts'
import { createTaxAuthority, type TaxAuthorityClient } from '../../src/cis/client.ts'
import type { WorkingHours } from '../../src/domain/hours/hours.ts'
import { formatZagreb } from '../../src/domain/zagreb.ts'
import type { AuthorityAnswer, AuthorityRequest } from '../../src/fiscal/ports/tax-authority.ts'
import {
  DELIVERIES,
  FORGED_JIR,
  FORGERIES,
  HEARSAYS,
  ODDITIES,
  OUTAGES,
  type Simulator,
  startSimulator,
  WRAPPINGS,
} from '../../src/simulator/index.ts'
import { presentAt } from '../support/clocks.ts'
import { hoursAt, hoursCases } from '../support/hours-cases.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { OIBS, pki } from '../support/pki.ts'
import { document, identityOf } from './support/messages.ts'

const TODAY = formatZagreb(Date.now(), 'dd.MM.yyyy HH:mm:ss').slice(0, 10).split('.').reverse().join('-')
const { date, exceptions, regular } = hoursAt(TODAY)

let cis: Simulator
let client: TaxAuthorityClient
let impatient: TaxAuthorityClient
/** Each test has a premises of its own, without hours. */
let premisesCode = ''
let tests = 0

beforeAll(async () => {
  cis = await startSimulator({ pki })
  const options = {
    urls: { test: cis.url, live: cis.url },
    trust: { certificates: () => pki.bundleDer },
    chains: createChainValidator(),
    present: () => presentAt(Date.now()),
  }
  client = createTaxAuthority({ ...options, timeoutMs: PATIENCE_MS, requestTimeoutMs: PATIENCE_MS })
  impatient = createTaxAuthority({ ...options, requestTimeoutMs: 500 })
  cis.misbehave('wrong-signer-ca', 'wrong-signer-cn', 'wrong-signer-id', 'expired-signer')
  await cis.prepared()
  for (let i = 0; i < 4; i++) await ask({ operation: 'dohvatiRadnoVrijeme', ...premises() })
}, 60_000)

afterAll(async () => {
  await Promise.all([client.close(), impatient.close()])
  await cis.close()
})

beforeEach(() => {
  premisesCode = `P${++tests}`
  cis.registry = null
})

const premises = () => ({ companyOib: OIBS[0], premisesCode, operatorOib: OIBS[0] })

const exchangeOf = async (request: AuthorityRequest, authority = client) =>
  authority.request({
    mode: 'test',
    messageId: randomUUID(),
    sentAt: Date.now(),
    identity: await identityOf(),
    request,
  })
const ask = async (request: AuthorityRequest, authority = client): Promise<AuthorityAnswer> =>
  (await exchangeOf(request, authority)).answer

const register = (hours: WorkingHours) => ask({ operation: 'prijaviRadnoVrijeme', hours, ...premises() })
const remove = (regular: string[], exceptions: string[] = []) =>
  ask({ operation: 'obrisiRadnoVrijeme', dates: { regular, exceptions }, ...premises() })
const fetch = () => ask({ operation: 'dohvatiRadnoVrijeme', ...premises() })

const codesOf = (answer: AuthorityAnswer) =>
  answer.kind === 'refused' ? answer.errors.map(({ code }) => code) : [answer.kind]

const thisSecond = () => Math.floor(Date.now() / 1000) * 1000

/** A sale of just now that has its JIR. */
async function fiscalized(occurredAt = thisSecond()) {
  const sale = document({ premisesCode, occurredAt, number: String(++tests) })
  const message = await client.sign({
    mode: 'test',
    document: sale,
    messageId: randomUUID(),
    sentAt: Date.now(),
    lateDelivery: false,
    identity: await identityOf(),
  })
  expect((await client.submit(message)).outcome).toMatchObject({ kind: 'confirmed' })
  return sale
}
const correct = (sale: ReturnType<typeof document>, changes = {}) =>
  ask({
    operation: 'promijeniPodatkeRacuna',
    document: { ...sale, ...changes },
    lateDelivery: false,
    paymentMethod: 'K',
    recipientOib: null,
  })

test('hours are registered, fetched as they were registered, and deleted', async () => {
  const first = regular({ note: 'š < & "x"' }).regular[0]
  const split = {
    from: date(8),
    kind: 'split' as const,
    spans: [
      { day: 1, part: 1 as const, from: '08:00', to: '12:00' },
      { day: 1, part: 2 as const, from: '16:00', to: '24:00' },
    ],
  }
  if (!first) throw new Error('no hours')
  const hours = { regular: [split, first], exceptions: exceptions('24 08:00-12:00 16:00-20:00').exceptions }
  expect(await register(hours)).toEqual({ kind: 'done', code: 'p003', message: expect.stringContaining('prijavljeno') })
  expect(await fetch()).toEqual({
    kind: 'hours',
    hours: { regular: [{ ...first, until: date(7) }, split], exceptions: hours.exceptions },
  })
  expect(await remove([date(8)], [date(24)])).toMatchObject({ kind: 'done', code: 'p004' })
  expect(await fetch()).toEqual({ kind: 'hours', hours: { regular: [first], exceptions: [] } })
})

test('odd and even days, and hours by arrangement, come back as they were registered', async () => {
  const oddEven = {
    from: date(1),
    kind: 'odd_even' as const,
    spans: [
      { day: 8, parity: 'odd' as const, from: '08:00', to: '12:00' },
      { day: 8, parity: 'even' as const, from: '14:00', to: '20:00' },
    ],
  }
  const hours: WorkingHours = {
    regular: [oddEven, { from: date(9), kind: 'by_arrangement', spans: [] }],
    exceptions: [],
  }
  expect(await register(hours)).toMatchObject({ kind: 'done' })
  const has = await fetch()
  expect(has).toMatchObject({ kind: 'hours', hours: { regular: [{ ...oddEven, until: date(8) }, hours.regular[1]] } })
})

test.each(hoursCases(TODAY))(
  '%s comes as the answer of the authority, and only where it holds',
  async (code, found, notFound) => {
    expect(codesOf(await register(found))).toContain(code)
    expect(codesOf(await register(notFound))).toEqual(['done'])
  },
)

test('s101 and s102: a premises that is not there, or closed', async () => {
  const device = { oib: OIBS[0], premisesCode, registerMark: '1' }
  for (const [registry, code] of [
    [[], 's101'],
    [[{ ...device, closed: true }], 's102'],
  ] as const) {
    cis.registry = [...registry]
    expect(codesOf(await register(regular({})))).toEqual([code])
    expect(codesOf(await remove([date(1)]))).toEqual([code])
    expect(codesOf(await fetch())).toEqual([code])
  }
  cis.registry = [device]
  expect(codesOf(await register(regular({})))).toEqual(['done'])
})

test('s107 and s122: the very same hours are registered once', async () => {
  expect(codesOf(await register(regular({})))).toEqual(['done'])
  expect(codesOf(await register(regular({})))).toEqual(['s107'])
  expect(codesOf(await register(regular({ note: 'other' })))).toEqual(['done'])
  expect(codesOf(await register(exceptions('24')))).toEqual(['done'])
  expect(codesOf(await register(exceptions('24')))).toEqual(['s122'])
  expect(codesOf(await register(exceptions('24 09:00-12:00')))).toEqual(['done'])
})

test('s110, s111, s118, s119 and s120: what is there decides on fetching and deleting', async () => {
  expect(codesOf(await fetch())).toEqual(['s110'])
  expect(codesOf(await remove([date(1)]))).toEqual(['s111'])
  await register(regular({}, { from: date(8) }, { from: date(15) }))
  expect(codesOf(await remove([date(1)]))).toEqual(['s119'])
  expect(codesOf(await remove([date(15), date(8)]))).toEqual(['done'])
  expect(codesOf(await remove([date(0)]))).toEqual(['s111', 's118', 's119'])
  expect(codesOf(await remove([], [date(-1)]))).toEqual(['s108', 's111', 's120'])
})

test('s105, s109, s121 and s123 of hours to be deleted', async () => {
  expect(codesOf(await remove([date(1), date(1)]))).toContain('s105')
  expect(codesOf(await remove([], [date(24), date(24)]))).toContain('s109')
  expect(codesOf(await remove([]))).toEqual(['s123'])
  const dates = { regular: [date(1)], exceptions: [] }
  const request = { operation: 'obrisiRadnoVrijeme', dates, ...premises(), operatorOib: '12345678900' } as const
  expect(codesOf(await ask(request))).toContain('s121')
})

test('a correction is done on the day of the sale; s012 when the data are not those that were fiscalized', async () => {
  const sale = await fiscalized()
  expect(await correct(sale)).toMatchObject({ kind: 'done', code: 'p005' })
  expect(await correct(sale)).toMatchObject({ kind: 'done', code: 'p005' })
  expect(codesOf(await correct(sale, { total: '2.51' }))).toEqual(['s012'])
  expect(codesOf(await correct(sale, { number: '999999' }))).toEqual(['s012'])
})

test('s011: a sale of another day is not corrected', async () => {
  const sale = await fiscalized(thisSecond() - 86_400_000)
  expect(codesOf(await correct(sale))).toEqual(['s011'])
})

/** One message of each kind that would be done. */
const DOES: Record<AuthorityRequest['operation'], () => Promise<AuthorityRequest>> = {
  provjera: async () => ({
    operation: 'provjera',
    document: document({ premisesCode, occurredAt: thisSecond() }),
    lateDelivery: false,
  }),
  prijaviRadnoVrijeme: async () => ({ operation: 'prijaviRadnoVrijeme', hours: regular({}), ...premises() }),
  obrisiRadnoVrijeme: async () => {
    await register(regular({}))
    return { operation: 'obrisiRadnoVrijeme', dates: { regular: [date(1)], exceptions: [] }, ...premises() }
  },
  dohvatiRadnoVrijeme: async () => {
    await register(regular({}))
    return { operation: 'dohvatiRadnoVrijeme', ...premises() }
  },
  promijeniPodatkeRacuna: async () => ({
    operation: 'promijeniPodatkeRacuna',
    document: await fiscalized(),
    lateDelivery: false,
    paymentMethod: 'K',
    recipientOib: null,
  }),
}

const OPERATIONS = Object.keys(DOES) as AuthorityRequest['operation'][]

const without = (names: readonly string[], ...left: string[]) => names.filter((name) => !left.includes(name))

for (const operation of OPERATIONS) {
  // A text that is no JIR is a fine answer here.
  test.each(without(FORGERIES, 'bad-jir'))(`${operation}, %s: the answer is not believed`, async (forgery) => {
    const request = await DOES[operation]()
    cis.misbehave(forgery as (typeof FORGERIES)[number])
    expect(await ask(request)).toMatchObject({
      kind: 'unknown',
      message: expect.stringContaining('cannot be believed'),
    })
  })

  test.each(WRAPPINGS)(`${operation}, %s: a moved signature carries no other answer`, async (wrapped) => {
    const request = await DOES[operation]()
    cis.misbehave({ wrapped })
    const exchange = await exchangeOf(request)
    expect(exchange.responseXml).toContain(FORGED_JIR)
    expect(exchange.answer).toMatchObject({ kind: 'unknown' })
  })

  test.each(HEARSAYS)(`${operation}, %s: nothing is said that can be believed`, async (hearsay) => {
    const request = await DOES[operation]()
    cis.misbehave(hearsay)
    expect(await ask(request)).toMatchObject({ kind: 'unknown', hearsay: [{ code: expect.any(String) }] })
  })

  test.each(ODDITIES)(`${operation}, %s: the answer is unusual and believed`, async (oddity) => {
    const request = await DOES[operation]()
    cis.misbehave(oddity)
    expect(codesOf(await ask(request))[0]).toMatch(/^(done|hours|v\d+)$/)
  })

  test.each([...OUTAGES, ...DELIVERIES])(`${operation}, %s: it is not known whether it was done`, async (behaviour) => {
    const request = await DOES[operation]()
    cis.misbehave(behaviour)
    expect(await ask(request, impatient)).toMatchObject({ kind: 'unknown' })
  })

  test(`${operation}: a system error there says nothing, another error is told in the words of the authority`, async () => {
    const request = await DOES[operation]()
    cis.misbehave('s006', { error: 's102', message: 'Zatvoren.' })
    expect(await ask(request)).toMatchObject({ kind: 'unknown', message: expect.stringContaining('s006') })
    expect(await ask(request)).toEqual({ kind: 'refused', errors: [{ code: 's102', message: 'Zatvoren.' }] })
  })
}

test('hours of another premises are not believed, though the service has signed them', async () => {
  await register(regular({}))
  cis.misbehave('bad-jir')
  expect(await fetch()).toMatchObject({ kind: 'unknown', message: expect.stringContaining('another premises') })
})
