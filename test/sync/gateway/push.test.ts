import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Enrolment } from '../../../src/fiscal/ports/enrolment.ts'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { nextBatch } from '../../../src/sync/gateway/batch.ts'
import { createThrottle } from '../../../src/sync/gateway/connection.ts'
import { backoffMs, SyncFailure } from '../../../src/sync/gateway/failure.ts'
import { createPusher } from '../../../src/sync/gateway/push.ts'
import { addOlder, tellAgain } from '../../../src/sync/gateway/small-steps.ts'
import type { PushRequest, PushResponse } from '../../../src/sync/wire/messages.ts'
import { enrolment } from '../../support/enrolments.ts'
import { fleet, withoutLogo } from '../../support/sync-rows.ts'
import { tempDir } from '../../support/temp-dir.ts'

const ENROLLED = enrolment({ name: 'kiosk', serverId: 's', serverKey: 'k' })
const { signal } = new AbortController()

/** A pusher whose server says what the test wants. */
async function pushing(answer: (request: PushRequest) => PushResponse) {
  const store = await openStore(join(await tempDir(), 'fiskd.db'), 1)
  onTestFinished(() => store.close())
  await store.enrolment.put(ENROLLED)
  await addOlder(store, async () => {}, signal)
  const sent: PushRequest[] = []
  const logged: string[] = []
  const note = (_facts: object, message: string) => void logged.push(message)
  const time = { elapsed: 0 }
  const pusher = createPusher({
    ...{ store, quiet: async () => {}, throttle: createThrottle(null, performance.now), now: () => 1000 },
    ...{ log: { info: note, warn: note, error: note }, elapsed: () => time.elapsed, random: () => 1 },
    onConflicts: () => {},
    connection: {
      async ask<T>({ body }: { body?: unknown }) {
        const request = JSON.parse((body as { json: string }).json) as PushRequest
        sent.push(request)
        return answer(request) as T
      },
    },
  })
  const greeted = new Set<string>()
  const push = async () => pusher.push((await store.enrolment.get()) as Enrolment, greeted, signal)
  const position = async () => (await store.enrolment.get())?.position
  const aside = async () => (await store.enrolment.refusals.list(10)).map(({ id }) => id)
  /** As the uplink does, with its pauses. */
  async function rounds(count: number) {
    for (let round = 0, failures = 0; round < count; round++) {
      const outcome = await push().catch((error: unknown) => {
        expect(error).toBeInstanceOf(SyncFailure)
        return 'failed' as const
      })
      failures = outcome === 'failed' ? failures + 1 : 0
      time.elapsed += outcome === 'failed' ? backoffMs(failures, null, () => 1) : outcome === 'idle' ? 5000 : 0
    }
  }
  return { store, pusher, push, rounds, time, sent, logged, greeted, position, aside }
}

/** A server that fails at some records, as one that does not know that it is about its disk says it. */
function failing(at: { bad: (request: PushRequest) => boolean }) {
  return (request: PushRequest) => {
    if (at.bad(request)) throw new SyncFailure('internal_error', 'it broke', { status: 500 })
    return taken(request)
  }
}

const taken = ({ position }: PushRequest): PushResponse => ({ position, refused: [], conflicts: [] })

/** Companies, certificates and invoices of one machine. */
async function fill({ store, greeted }: Pick<Awaited<ReturnType<typeof pushing>>, 'store' | 'greeted'>, count: number) {
  const rows = fleet()
  const owner = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY }
  await store.companies.insert({ ...withoutLogo(rows.company), ...owner })
  await store.certificates.insert({ ...rows.certificate, sealedKey: Buffer.from('') })
  await store.devices.insert({ ...rows.device, ...owner })
  await store.transaction(async (tx) => {
    for (let number = 1; number <= count; number++) await tx.invoices.insert({ ...rows.invoice(number), ...owner })
  })
  greeted.add(`${rows.companyId}/${rows.device.premisesCode}`)
  return rows
}

const idsOf = ({ records }: PushRequest) => records.map(({ id }) => id)

test('batches grow while all goes well, and shrink when it does not', async () => {
  let works = true
  const at = await pushing((request) => {
    if (!works) throw new SyncFailure('no_answer', 'too slow')
    return taken(request)
  })
  await fill(at, 1000)
  expect(at.pusher.rows()).toBe(50)
  for (let time = 0; time < 3; time++) expect(await at.push()).toBe('moved')
  expect(at.sent.map(({ records }) => records.length)).toEqual([50, 100, 200])
  expect(at.pusher.rows()).toBe(400)
  works = false
  for (const rows of [200, 100, 50, 25, 12, 6, 3, 1, 1]) {
    await expect(at.push()).rejects.toThrow('too slow')
    expect(at.pusher.rows()).toBe(rows)
  }
  expect(await at.position()).toBe(350)
  works = true
  while ((await at.push()) !== 'idle');
  expect(await at.position()).toBe(1003)
  expect(new Set(at.sent.flatMap(idsOf)).size).toBe(1003)
})

test('a row that rests on one that has changed since brings it along, and premises that are new are named first', async () => {
  const at = await pushing(taken)
  const rows = await fill(at, 60)
  at.greeted.clear()
  expect(await at.push()).toBe('greet')
  at.greeted.add(`${rows.companyId}/${rows.device.premisesCode}`)
  await at.store.devices.update(rows.device.id, { lastSeenAt: 5 })
  await at.store.companies.update(rows.companyId, { name: 'Kava i čaj d.o.o.' })
  expect(await at.push()).toBe('moved')
  const kinds = at.sent[0]?.records.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['company', 'device', 'certificate', 'invoice']))
  while ((await at.push()) !== 'idle');
  expect(at.sent.flatMap(idsOf).filter((id) => id === rows.companyId)).toHaveLength(2)
})

test('an archived device stands nowhere: it is told without its premises being named', async () => {
  const at = await pushing(taken)
  const { company, device } = fleet()
  const owner = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY }
  await at.store.companies.insert({ ...withoutLogo(company), ...owner })
  await at.store.devices.insert({ ...device, ...owner, status: 'archived' })
  expect(await at.push()).toBe('moved')
  await at.store.devices.update(device.id, { status: 'active' })
  expect(await at.push()).toBe('greet')
  expect(at.pusher.unnamed()).toEqual([{ companyId: company.id, premisesCode: device.premisesCode }])
})

test('a record at which the server fails is set aside after another one of its kind was taken, and not before', async () => {
  let bad = ''
  const at = await pushing(failing({ bad: (request) => idsOf(request).includes(bad) }))
  const rows = await fill(at, 20)
  const [, , , , , , , entry] = await at.store.outbox.after(0, 100)
  bad = entry?.id ?? ''
  await at.rounds(60)
  expect(await at.position()).toBe(23)
  expect(await at.store.enrolment.refusals.list(10)).toMatchObject([
    { kind: 'invoice', id: bad, code: 'internal_error' },
  ])
  const last = at.sent.findIndex(({ records }) => records.length === 0)
  // The server must know that the place is passed, or it would ask for it for ever.
  expect(at.sent[last]).toMatchObject({ position: entry?.position })
  const [before, failed] = at.sent.slice(last - 2, last)
  expect([before?.after, before?.position]).toEqual([7, 7])
  expect([before?.records[0]?.kind, failed && idsOf(failed)]).toEqual(['invoice', [bad]])
  expect(new Set(at.sent.filter((request) => !idsOf(request).includes(bad)).flatMap(idsOf)).size).toBe(22)

  // Told again it is set aside again, for which any other record is enough.
  await at.store.outbox.touch([{ kind: 'invoice', id: bad }])
  await at.rounds(30)
  expect(await at.position()).toBe(23)
  await at.store.companies.update(rows.companyId, { name: 'Kava i čaj d.o.o.' })
  await at.rounds(60)
  expect([await at.position(), await at.aside()]).toEqual([25, [bad]])

  const healed = { kind: 'invoice', id: bad } as const
  bad = ''
  await at.store.outbox.touch([healed])
  await at.push()
  expect(await at.aside()).toEqual([])
})

test('a record that is the only one of its kind keeps its place, and what does not rest on it is told ahead of it', async () => {
  let bad = ''
  const at = await pushing(failing({ bad: (request) => idsOf(request).includes(bad) }))
  const { device, companyId } = await fill(at, 20)
  await at.store.companies.update(companyId, { name: 'Kava i čaj d.o.o.' })
  bad = device.id
  await at.rounds(300)
  expect([await at.position(), await at.aside()]).toEqual([2, []])
  const ahead = at.sent.filter(({ after, position }) => after === position)
  expect(new Set(ahead.flatMap(idsOf))).toEqual(new Set([companyId]))
  // Its pauses grow to less than a minute.
  const tries = at.sent.filter((request) => idsOf(request).includes(bad)).length
  expect(tries).toBeGreaterThan(12)
  expect(tries).toBeLessThan(15 + at.time.elapsed / 50_000)

  bad = ''
  await at.rounds(60)
  expect([await at.position(), new Set(at.sent.flatMap(idsOf)).size]).toEqual([24, 23])
})

test.each([
  ['of everything', () => true],
  ['of every record', ({ records }: PushRequest) => records.length > 0],
])('a server that fails because %s has nothing set aside, and all is told once it works', async (_, full) => {
  const at = { bad: full as (request: PushRequest) => boolean }
  const pushed = await pushing((request) => failing(at)(request))
  await fill(pushed, 30)
  await pushed.rounds(200)
  expect([await pushed.position(), await pushed.aside()]).toEqual([0, []])
  at.bad = () => false
  await pushed.rounds(60)
  expect([await pushed.position(), await pushed.aside()]).toEqual([33, []])
})

test('a server that works again between a record and the next one has not failed at the record', async () => {
  let works = false
  const at = await pushing((request) => {
    if (!works && request.position > request.after) throw new SyncFailure('internal_error', 'it broke', { status: 500 })
    works = true
    return taken(request)
  })
  await fill(at, 20)
  await at.store.enrolment.update({ position: 3 })
  await at.rounds(60)
  expect([works, await at.position(), await at.aside()]).toEqual([true, 23, []])
})

test('two records side by side at which the server fails are set aside, one after the other', async () => {
  let bad: string[] = []
  const at = await pushing(failing({ bad: (request) => idsOf(request).some((id) => bad.includes(id)) }))
  await fill(at, 20)
  bad = (await at.store.outbox.after(8, 2)).map(({ id }) => id)
  await at.rounds(200)
  expect([await at.position(), (await at.aside()).sort()]).toEqual([23, bad.sort()])
})

test('a record is not set aside because the database of the server was away', async () => {
  const unavailable = new SyncFailure('internal_error', 'the database is away', { status: 503, retryAfterMs: 5000 })
  const at = await pushing((request) => {
    if (request.records.length > 0) throw unavailable
    return taken(request)
  })
  await fill(at, 3)
  for (let time = 0; time < 20; time++) await expect(at.push()).rejects.toBe(unavailable)
  expect([at.pusher.rows(), await at.position(), await at.store.enrolment.refusals.count()]).toEqual([1, 0, 0])
})

test('what a server says beyond what it was asked is not believed', async () => {
  const at = await pushing((request) => ({
    position: request.position + 1_000_000,
    refused: [
      { kind: 'invoice', id: 'inv_of_somebody_else', version: 1, code: 'x', message: 'y' },
      {
        kind: 'company',
        id: String(request.records[0]?.id),
        version: 1,
        code: 'c'.repeat(500),
        message: 'm'.repeat(9999),
      },
    ],
    conflicts: [],
  }))
  const rows = await fill(at, 3)
  expect(await at.push()).toBe('moved')
  expect(await at.position()).toBe(6)
  const [refusal, ...others] = await at.store.enrolment.refusals.list(10)
  expect([refusal?.id, refusal?.code.length, refusal?.message.length, others]).toEqual([rows.companyId, 60, 500, []])
})

test('a server that goes back is followed, and one that never moves is not asked without a pause', async () => {
  let position = 10
  const at = await pushing(() => ({ position, refused: [], conflicts: [] }))
  await fill(at, 100)
  await at.store.enrolment.update({ position: 60 })
  expect(await at.push()).toBe('stuck')
  expect(await at.position()).toBe(10)
  expect(await at.push()).toBe('stuck')
  position = 0
  expect(await at.push()).toBe('stuck')
  expect(await at.position()).toBe(0)
})

test('before the server may hear of a place it is written down that it may', async () => {
  const at = await pushing(() => {
    throw new SyncFailure('unreachable', 'cut')
  })
  await fill(at, 10)
  await expect(at.push()).rejects.toThrow('cut')
  expect((await at.store.enrolment.get())?.pushed).toBe(13)
})

test('an enrolment that ends while a batch is on its way is not touched by the answer', async () => {
  const at = await pushing(taken)
  await fill(at, 3)
  const before = (await at.store.enrolment.get()) as Enrolment
  await at.store.enrolment.put({ ...ENROLLED, gatewayId: 'another', position: 2 })
  await at.pusher.push(before, at.greeted, signal)
  expect(await at.position()).toBe(2)
})

test('telling everything again goes on where a crash has cut it off, and no row is left behind', async () => {
  const at = await pushing(taken)
  await fill(at, 700)
  await at.store.outbox.goBeyond(5000)
  await at.store.enrolment.update({ position: 300, tellAgainTo: 5000 })
  const cut = new AbortController()
  let steps = 0
  const quiet = async () => {
    if (++steps === 2) cut.abort()
  }
  await tellAgain(at.store, quiet, cut.signal)
  expect((await at.store.enrolment.get())?.tellAgainTo).toBe(5000)
  expect(await at.store.outbox.waiting(5000)).toBeLessThan(703)
  await tellAgain(at.store, async () => {}, signal)
  expect(await at.store.enrolment.get()).toMatchObject({ tellAgainTo: null, pushed: 5000, position: 300 })
  expect(await at.store.outbox.waiting(5000)).toBe(703)
})

test('rows from before the enrolment get their places before anything is pushed, and a crash in between costs nothing', async () => {
  const at = await pushing(taken)
  await at.store.enrolment.remove()
  await fill(at, 1200)
  expect(await at.store.outbox.waiting(0)).toBe(0)
  await at.store.enrolment.put(ENROLLED)
  expect(await at.store.outbox.waiting(0)).toBe(1203)
  const cut = new AbortController()
  let steps = 0
  const quiet = async () => {
    if (++steps === 5) cut.abort()
  }
  await addOlder(at.store, quiet, cut.signal)
  const placed = (await at.store.outbox.after(0, 5000)).length
  expect(placed).toBeGreaterThan(3)
  expect(placed).toBeLessThan(1203)
  expect(await at.store.outbox.waiting(0)).toBe(1203)
  await addOlder(at.store, async () => {}, signal)
  const kinds = (await at.store.outbox.after(0, 5000)).map(({ kind }) => kind)
  expect(kinds).toEqual(['company', 'certificate', 'device', ...Array.from({ length: 1200 }, () => 'invoice')])
  while ((await at.push()) === 'moved');
  expect(at.sent.flatMap(({ records }) => records)).toHaveLength(1203)
})

test('thousands of rows are read a few at a time, and sales are let by before each of them', async () => {
  const at = await pushing(taken)
  await fill(at, 3000)
  let [turns, passed, largest, unasked] = [0, 0, 0, 0]
  const read = at.store.outbox.read
  let asked = false
  at.store.outbox.read = (entries, tenant) => {
    largest = Math.max(largest, entries.length)
    // Nothing else of the process can have run since the last one.
    if (!asked && turns === passed) unasked++
    ;[asked, passed] = [false, turns]
    return read(entries, tenant)
  }
  let going = true
  const turning = (async () => {
    for (; going; turns++) await setImmediate()
  })()
  const quiet = async () => {
    asked = true
  }
  for (let position = 0; ; ) {
    const batch = await nextBatch({ store: at.store, quiet }, { position, tenantId: DEFAULT_TENANT }, MOST)
    if (!batch) break
    position = batch.position
  }
  going = false
  await turning
  expect([largest, unasked]).toEqual([12, 0])
  expect(turns).toBeGreaterThan(3000 / 12)
})

const MOST = { rows: 500, bytes: 4_000_000 }
