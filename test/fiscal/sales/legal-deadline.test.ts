import { expect, test } from 'vitest'
import { createMailWords } from '../../../src/alerts/compose-mail.ts'
import { readStored } from '../../../src/daemon/metrics/facts.ts'
import { createFormats } from '../../../src/dashboard/formats.ts'
import { detailTexts } from '../../../src/dashboard/invoices/detail-texts.ts'
import { explain } from '../../../src/dashboard/invoices/explanation.ts'
import { alertWords } from '../../../src/domain/alert-texts/alert-texts.ts'
import { createSightings } from '../../../src/fiscal/alerts/authority-rule.ts'
import { invoiceRule } from '../../../src/fiscal/alerts/invoice-rules.ts'
import { extendDeadline, nearestLegalDeadline, noteReach } from '../../../src/fiscal/sales/legal-deadline.ts'
import type { OpenStore } from '../../../src/store/store.ts'
import { sellingIn, type Watched, watched, watchOf } from '../../support/alerting.ts'
import { forBoth, presentAt } from '../../support/clocks.ts'
import { gatewayRecord } from '../../support/commands.ts'
import { OPERATOR } from '../../support/people.ts'
import { OIBS } from '../../support/pki.ts'

const DAY = 86_400_000
/** The Wednesday before Christmas, 10:00 in Zagreb; Friday and Saturday are holidays. */
const BROKE = Date.parse('2026-12-23T09:00:00Z')
/** Thursday and Monday are the two working days. */
const END_OF_MONDAY = Date.parse('2026-12-28T23:00:00Z')
const END_OF_THURSDAY = Date.parse('2026-12-31T23:00:00Z')

/** What a process knows of the tax authority, and notes. */
function watching({ store, time, clock }: Pick<Watched, 'store' | 'time' | 'clock'>) {
  const elapsed = () => time.now
  let present = () => presentAt(time.now)
  const sightings = createSightings(elapsed)
  let [reachable, outcome] = [false, {}]
  const authority = sightings.watching({
    echo: async () => ({ reachable, latencyMs: 1, endpoint: 'e', detail: null }),
    submit: async () => ({ outcome }),
  } as never) as { echo(mode: 'test'): Promise<unknown>; submit(message: object): Promise<unknown> }
  const note = (into: Pick<OpenStore, 'breaks' | 'transaction'> = store) =>
    noteReach({ store: into, clock: forBoth({ ...clock, present }) as never, elapsed, sightings })
  return {
    note,
    asked: async (answers: boolean, into = store) => {
      reachable = answers
      await authority.echo('test')
      await note(into)
    },
    sends: async (occurredAt: number, answer: object) => {
      outcome = answer
      await authority.submit({ mode: 'test', lateDelivery: false, document: { occurredAt } })
      await note()
    },
    /** No source confirms the clock from now on. */
    doubt: () => {
      present = () => ({ now: time.now, earliest: 0, latest: Number.POSITIVE_INFINITY })
    },
  }
}

/** A kiosk that sells once a day while nothing reaches the authority, from the Wednesday until the Sunday. */
async function outage() {
  const { store, time, clock, ...it } = await watched(BROKE)
  const { sell, company } = await sellingIn(store, time.now)
  const process = watching({ store, time, clock })
  const sold = []
  for (let day = 0; day < 5; day++) {
    time.now = BROKE + day * DAY
    await process.asked(false)
    sold.push(await sell({ occurredAt: time.now }))
  }
  const look = watchOf({ store, clock, ...it }, [invoiceRule(store, { isBelieved: () => true }, () => time.now)])
  const openAt = async (now: number) => {
    time.now = now
    await look()
    return (await store.alerts.open(null)).find(({ kind }) => kind.startsWith('unconfirmed'))
  }
  return { store, time, clock, company, sold, sell, process, openAt, news: it.news }
}

const page = (invoice: object, breaks: never, now: number, language: 'hr' | 'en') => {
  const means = { t: detailTexts[language], f: createFormats(() => now)(language), now, language }
  return explain(
    { invoice: invoice as never, hasFindings: false, gateway: null, answer: null, breaks },
    means,
  ).until.join(' ')
}

test('in an outage of five days over a weekend and a holiday the deadline is told as the law counts, everywhere', async () => {
  const { store, sold, openAt, news } = await outage()
  const [wednesday, , , , sunday] = sold
  const breaks = (await store.breaks.list()) as never
  expect(await openAt(END_OF_MONDAY - 1)).toBeUndefined()
  expect((await readStored(store, END_OF_MONDAY - 1)).waiting?.legalMsLeft).toBe(1)
  expect(page(sunday ?? {}, breaks, END_OF_MONDAY - 1, 'en')).toContain(
    'The legal deadline to deliver it (two working days) is the end of 28/12/2026. It counts from the first day on ' +
      'which the tax authority was not reached: 23/12/2026.',
  )

  const alert = await openAt(END_OF_MONDAY)
  expect(news()).toEqual(['+unconfirmed_legal'])
  expect(alert?.detail).toMatchObject({ count: 5, since: new Date(BROKE).toISOString(), working_days: 2 })
  expect(alertWords(alert as never, 'hr').what).toContain(
    'Porezna uprava nije bila dostupna od 23. 12. 2026. u 10:00. Zakonski rok je dva radna dana od tog dana.',
  )
  const words = createMailWords({ dashboardUrl: 'https://office.example.hr', host: 'office' })
  const mail = words.digest([{ alert, gateway: null } as never], 'en')
  expect(mail.subject).toContain('Invoices without JIR after the legal deadline')
  expect(mail.text.replace(/\s+/g, ' ')).toContain('The legal deadline is two working days from that day.')
  for (const invoice of [wednesday, sunday]) {
    const words = page(invoice ?? {}, breaks, END_OF_MONDAY, 'hr')
    expect(words).toContain('Zakonski rok za dostavu (dva radna dana) istekao je')
  }
})

test('a refused sale of the outage counts from its own day', async () => {
  const { sell, openAt } = await outage()
  const failed = { status: 'failed', lastErrorClass: 'certificate', errorCode: 'certificate_expired' } as const
  await sell({ ...failed, occurredAt: BROKE + 4 * DAY })
  const { detail } = (await openAt(END_OF_MONDAY)) ?? {}
  expect(detail).toMatchObject({ count: 5 })
})

test('a start in the middle of an outage goes on with it, and one that ends is kept for the sales that still wait', async () => {
  const { store, clock, time, process } = await outage()
  // Another process, which knows nothing yet.
  const other = watching({ store, clock, time })
  await other.note()
  await other.asked(false)
  expect(await store.breaks.list()).toEqual([{ mode: 'test', from: BROKE, until: null, extended: [] }])
  time.now = BROKE + 4.5 * DAY
  await process.asked(true)
  const over = { mode: 'test', from: BROKE, until: time.now, extended: [] }
  expect(await store.breaks.list()).toEqual([over])
  // It still knows nothing better, and the one that was answered has nothing new to say.
  time.now += 60_000
  await other.note()
  await process.note()
  expect(await store.breaks.list()).toEqual([over])
})

test('a break that another process noted and left open ends with the next answer', async () => {
  const { store, clock, time } = await watched(BROKE)
  const [one, other] = [watching({ store, clock, time }), watching({ store, clock, time })]
  await one.asked(true)
  time.now += 1000
  await other.asked(false)
  await one.note()
  expect(await store.breaks.list()).toMatchObject([{ until: null }])
  time.now += DAY
  await one.asked(true)
  expect(await store.breaks.list()).toMatchObject([{ from: BROKE + 1000, until: time.now }])
})

test('what the database did not take is noted the next time, as of its own moment', async () => {
  const { store, clock, time } = await watched(BROKE)
  const process = watching({ store, clock, time })
  const away = { ...store, transaction: () => Promise.reject(new Error('away')) }
  await expect(process.asked(false, away)).rejects.toThrow('away')
  time.now += DAY
  await process.note()
  expect(await store.breaks.list()).toEqual([{ mode: 'test', from: BROKE, until: null, extended: [] }])
  await expect(process.asked(true, away)).rejects.toThrow('away')
  time.now += DAY
  await process.note()
  expect(await store.breaks.list()).toMatchObject([{ from: BROKE, until: BROKE + DAY }])
})

test('an answer that is not believed came over the connection: no break is noted', async () => {
  const { store, clock, time } = await watched(BROKE)
  const { sends, asked } = watching({ store, clock, time })
  const failed = { kind: 'failed', errorClass: 'transient', code: 'upstream_unavailable', upstream: [] }
  await asked(true)
  await sends(BROKE, { ...failed, message: 'An answer came that cannot be believed: another signer.' })
  expect(await store.breaks.list()).toEqual([])
  await sends(BROKE, { ...failed, message: 'The tax authority did not answer.' })
  expect(await store.breaks.list()).toHaveLength(1)
})

test('by a clock that nothing confirms a break begins with its first sale', async () => {
  const { store, clock, time } = await watched(Date.parse('2024-01-01T00:00:00Z'))
  const process = watching({ store, clock, time })
  process.doubt()
  await process.asked(false)
  expect(await store.breaks.list()).toEqual([])
  const transient = {
    kind: 'failed',
    errorClass: 'transient',
    upstream: [],
    message: 'The tax authority did not answer.',
  }
  await process.sends(BROKE, transient)
  await process.sends(BROKE + DAY, transient)
  expect(await store.breaks.list()).toEqual([{ mode: 'test', from: BROKE, until: null, extended: [] }])
})

test('the nearest deadline is that of a company without an extension, though the oldest sale has one', async () => {
  const { store, company } = await outage()
  const { sell } = await sellingIn(store, BROKE, { oib: OIBS[1] as string, isuNumber: '102' })
  await sell({ occurredAt: BROKE + DAY })
  const [broken] = await store.breaks.list()
  if (!broken) return expect.unreachable()
  await store.breaks.put([{ ...broken, extended: [company.id] }])
  expect(await nearestLegalDeadline(store)).toBe(END_OF_MONDAY)
})

test('a deadline is extended once for each break, and the audit log keeps who and why', async () => {
  const { store, clock, company, openAt, news, sold } = await outage()
  await openAt(END_OF_MONDAY)
  const order = { companyId: company.id, reason: ' The modem burnt. ' }
  const context = { store, clock }
  for (const reason of [' ', 'x'.repeat(501)]) {
    await expect(extendDeadline(context, OPERATOR, { ...order, reason })).rejects.toMatchObject({ param: 'reason' })
  }
  const unknown = { ...order, companyId: '00000000-0000-4000-8000-000000000000' }
  await expect(extendDeadline(context, OPERATOR, unknown)).rejects.toMatchObject({ status: 404, param: 'company_id' })
  expect(await extendDeadline(context, OPERATOR, order)).toEqual({
    ...{ companyId: company.id, since: BROKE, deadlineAt: END_OF_THURSDAY },
  })
  await expect(extendDeadline(context, OPERATOR, order)).rejects.toMatchObject({ status: 409 })
  const entries = await store.audit.list('default', {}, { limit: 10 })
  expect(entries.filter(({ action }) => action === 'deadline.extended')).toMatchObject([
    {
      actor: OPERATOR.id,
      detail: { id: company.id, since: new Date(BROKE).toISOString(), reason: 'The modem burnt.' },
    },
  ])

  news()
  expect(await openAt(END_OF_THURSDAY - 1)).toBeUndefined()
  expect(news()).toEqual(['-unconfirmed_legal'])
  const breaks = (await store.breaks.list()) as never
  expect(page(sold[4] ?? {}, breaks, END_OF_THURSDAY - 1, 'en')).toContain(
    '(five working days) is the end of 31/12/2026.',
  )
  expect((await openAt(END_OF_THURSDAY))?.detail).toMatchObject({ count: 5, working_days: 5 })
})

test('the break is extended whose sales wait, or the one that is named, and not the latest', async () => {
  const { store, clock, company, sell, time } = await outage()
  const [first] = await store.breaks.list()
  if (!first) return expect.unreachable()
  const second = { ...first, from: BROKE + 7 * DAY }
  await store.breaks.put([{ ...first, until: BROKE + 5 * DAY }, second])
  time.now = BROKE + 7 * DAY
  await sell({ occurredAt: time.now })
  const extend = (since?: number) =>
    extendDeadline({ store, clock }, OPERATOR, { companyId: company.id, reason: 'The modem burnt.', since })
  expect(await extend()).toMatchObject({ since: BROKE })
  await expect(extend(BROKE)).rejects.toMatchObject({ status: 409 })
  await expect(extend(BROKE + 1)).rejects.toMatchObject({ status: 409 })
  expect(await extend(second.from)).toMatchObject({ since: second.from })
  await expect(extend()).rejects.toMatchObject({ status: 409 })
})

test('the deadline of a company of a gateway is extended at that gateway', async () => {
  const { store, clock, company } = await outage()
  await store.gateways.insert(gatewayRecord('far', 'kiosk-7'))
  await store.companies.update(company.id, { gatewayId: 'far' } as never)
  const order = { companyId: company.id, reason: 'The modem burnt.' }
  await expect(extendDeadline({ store, clock }, OPERATOR, order)).rejects.toMatchObject({
    ...{ status: 409, param: 'company_id', message: expect.stringContaining('kiosk-7') },
  })
  expect(await store.breaks.list()).toMatchObject([{ extended: [] }])
})

test('without a break there is nothing to extend', async () => {
  const { store, time, clock } = await watched()
  const { company } = await sellingIn(store, time.now)
  const order = { companyId: company.id, reason: 'The modem burnt.' }
  await expect(extendDeadline({ store, clock }, OPERATOR, order)).rejects.toMatchObject({ status: 409 })
})
