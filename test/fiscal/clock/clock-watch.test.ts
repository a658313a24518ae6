import { expect, onTestFinished, test } from 'vitest'
import { type ClockWatch, type ClockWatchDeps, createClockWatch } from '../../../src/fiscal/clock/clock-watch.ts'
import type { TimeWord } from '../../../src/fiscal/ports/clock.ts'
import type { Store } from '../../../src/fiscal/ports/store.ts'
import { openStore } from '../../../src/store/store.ts'
import { freshDatabase } from '../../support/database.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** What the authority says is cut to its second and has been on its way for as long as an exchange may take. */
const WORD_AGE = 5 * SECOND

const NOON = Date.UTC(2026, 10, 21, 12)

/** A machine whose clock shows noon, and that was never started before. */
async function machine(changes: { shows?: number; synchronised?: boolean | null } = {}) {
  const store = await openStore(await freshDatabase(), NOON)
  onTestFinished(() => store.close())
  return {
    shows: NOON,
    synchronised: null as boolean | null,
    elapsed: 5000,
    store: store as Store,
    pass(ms: number) {
      this.shows += ms
      this.elapsed += ms
    },
    ...changes,
  }
}

const reports: string[] = []

/** What the header of an answer says of the time, and what is signed in one. */
const unsigned = (at: number): TimeWord => ({ at, isSigned: false })
const signed = (at: number): TimeWord => ({ at, isSigned: true })

/** Two signed answers that agree with each other. */
async function toldTwice(watch: ClockWatch, at: number): Promise<void> {
  await watch.heard(signed(at))
  await watch.heard(signed(at))
}

/** Starts the watch as the daemon does. */
async function start(on: Awaited<ReturnType<typeof machine>>, deps: Partial<ClockWatchDeps> = {}) {
  const statuses: string[] = []
  reports.length = 0
  const watch = createClockWatch({
    mode: 'live',
    system: { now: () => on.shows, elapsed: () => on.elapsed, synchronised: async () => on.synchronised },
    store: on.store,
    stored: await on.store.moments.load('live'),
    builtAt: null,
    onChange: ({ status }) => statuses.push(status),
    report: (problem) => reports.push(problem),
    ...deps,
  })
  await watch.ask()
  await watch.beat()
  return Object.assign(watch, { statuses })
}

/** Stores a key now. @returns whether it is over, at a time after its clock shows what it does now */
async function keyOf(store: Store, key: string, watch: ClockWatch) {
  await store.idempotency.insert(
    { scope: 's', key, requestHash: 'h', invoiceId: null, response: null },
    watch.keyTime(),
  )
  return async (at: number | null) => (await store.idempotency.get('s', key, at))?.isOver
}

test('a clock that nothing speaks against is shown, and relied on from when the tax authority confirms it', async () => {
  const watch = await start(await machine())
  expect(watch.state()).toMatchObject({ status: 'unsynchronised', trusted: false, synchronised: null, offsetMs: null })
  expect(watch.state().detail?.en).toBe(
    'no time server is known to set the clock, and the tax authority has not confirmed it yet',
  )
  expect(watch.now()).toBe(NOON)
  expect(watch.present()).toEqual({ now: NOON, earliest: 0, latest: Number.POSITIVE_INFINITY })
  await watch.heard(unsigned(NOON))
  expect(watch.state()).toMatchObject({ status: 'ok', trusted: true, synchronised: null, offsetMs: 0, detail: null })
  expect(watch.present()).toEqual({ now: NOON, earliest: NOON, latest: NOON + WORD_AGE })
  expect(watch.statuses).toEqual(['unsynchronised', 'ok'])
})

test.each([
  ['a minute and a second', 61 * SECOND, 'behind'],
  ['a minute', MINUTE, 'unsynchronised'],
  ['fifty years', 50 * 365 * DAY, 'behind'],
])('a clock %s behind the newest moment on record is %s', async (_how, behind, status) => {
  const pi = await machine()
  await start(pi)
  pi.shows -= behind
  const watch = await start(pi)
  expect(watch.state()).toMatchObject({ status, trusted: false, newestKnownAt: NOON })
})

test('a clock behind the date of the build is behind, however empty the database is', async () => {
  const pi = await machine({ shows: 0 })
  const watch = await start(pi, { builtAt: NOON })
  expect(watch.state()).toMatchObject({ status: 'behind', newestKnownAt: NOON })
  expect(watch.state().detail?.en).toBe('the clock shows 1970-01-01 00:00 UTC, but it is 2026-11-21 12:00 UTC or later')
  pi.pass(HOUR)
  expect(watch.now()).toBe(NOON + HOUR)
  expect(watch.present()).toMatchObject({ now: NOON + HOUR, latest: Number.POSITIVE_INFINITY })
  expect(watch.present().earliest).toBe(0)
  // Nothing expires by what a build machine thought of the date.
  expect(watch.proven()).toBe(HOUR)
})

test('the newest moment on record goes only up, however often a clock behind it is stored', async () => {
  const pi = await machine()
  await start(pi)
  pi.shows -= 3 * DAY
  const watch = await start(pi)
  await watch.beat()
  expect((await pi.store.moments.load('live')).newestAt).toBe(NOON)
})

test('a synchronised clock behind the newest moment on record proves that one wrong, and says so', async () => {
  const pi = await machine({ shows: NOON + 3 * DAY })
  await start(pi)
  Object.assign(pi, { shows: NOON, synchronised: true })
  const watch = await start(pi)
  expect(reports).toEqual(['the newest moment on record is 3 days ahead of the time: it was stored by a wrong clock'])
  expect(watch.state()).toMatchObject({ status: 'ok', newestKnownAt: NOON })
  expect(await pi.store.moments.load('live')).toEqual({ newestAt: NOON, provenAt: NOON, exactAt: NOON })
})

test('a clock that the system calls unsynchronised is shown and not relied on', async () => {
  const pi = await machine({ synchronised: false })
  const watch = await start(pi)
  expect(watch.state()).toMatchObject({ status: 'unsynchronised', trusted: false, synchronised: false })
  expect(watch.now()).toBe(NOON)
  pi.synchronised = true
  await watch.ask()
  expect(watch.statuses).toEqual(['unsynchronised', 'ok'])
})

test.each([
  ['forward', 'jumped', HOUR + SECOND],
  ['back', 'behind', -HOUR - SECOND],
])(
  'the clock is set %s by an hour while it is watched: it is found %s, and time goes on as before',
  async (_, status, by) => {
    const pi = await machine()
    const watch = await start(pi)
    pi.shows += by
    pi.pass(MINUTE)
    expect(watch.now()).toBe(NOON + MINUTE)
    expect(watch.present()).toMatchObject({ now: NOON + MINUTE, latest: Number.POSITIVE_INFINITY })
    expect(watch.state()).toMatchObject({ status, trusted: false })
    pi.shows -= by
    expect(watch.state()).toMatchObject({ status: 'unsynchronised' })
    expect(watch.statuses).toEqual(['unsynchronised', status, 'unsynchronised'])
  },
)

test('a clock that jumps is asked about at once, and what a time server set is right', async () => {
  const pi = await machine({ shows: 0, synchronised: false })
  const watch = await start(pi, { builtAt: NOON - DAY })
  expect(watch.state().status).toBe('behind')
  Object.assign(pi, { shows: NOON, synchronised: true })
  watch.now()
  await watch.ask()
  expect(watch.state()).toMatchObject({ status: 'ok', trusted: true, offsetMs: 0 })
  expect(watch.present()).toEqual({ now: NOON, earliest: NOON, latest: NOON })
})

test('the tax authority confirms a clock that has jumped, and from then on knows how late it is', async () => {
  const pi = await machine()
  const watch = await start(pi)
  pi.shows += 2 * DAY
  expect(watch.state().status).toBe('jumped')
  await watch.heard(signed(NOON + 2 * DAY + 9 * MINUTE))
  expect(watch.state()).toMatchObject({ status: 'ok', offsetMs: -9 * MINUTE })
  // What a slow clock takes for the future is not.
  expect(watch.present().latest).toBe(NOON + 2 * DAY + 9 * MINUTE + WORD_AGE)

  pi.shows += 2 * DAY
  expect(watch.state()).toMatchObject({ status: 'off', trusted: false, offsetMs: 2 * DAY - 9 * MINUTE })
  expect(watch.state().detail?.en).toBe('the clock is 2 days ahead')
  pi.pass(HOUR)
  expect(watch.now()).toBe(NOON + 2 * DAY + 9 * MINUTE + HOUR)
})

test.each([
  [9, 'ok'],
  [-9, 'ok'],
  [11, 'off'],
  [-11, 'off'],
])('a clock %i minutes ahead of the one of the tax authority is %s', async (minutes, status) => {
  const pi = await machine()
  const watch = await start(pi)
  await toldTwice(watch, NOON - minutes * MINUTE)
  expect(watch.state()).toMatchObject({ status, offsetMs: minutes * MINUTE })
})

test('a time server is believed more than the tax authority', async () => {
  const watch = await start(await machine({ synchronised: true }))
  await toldTwice(watch, NOON + DAY)
  expect(watch.state()).toMatchObject({ status: 'ok', offsetMs: 0 })
  expect(watch.proven()).toBe(NOON)
})

test('the newest moment that a wrong clock has stored is lowered to what the tax authority says', async () => {
  const pi = await machine({ shows: NOON + 3 * DAY })
  await start(pi)
  pi.shows = NOON
  const watch = await start(pi)
  expect(watch.state().status).toBe('behind')
  await watch.heard(unsigned(NOON - SECOND))
  expect(watch.state()).toMatchObject({ status: 'ok', newestKnownAt: NOON })
  expect(reports).toHaveLength(1)
})

test('proven is what has elapsed and what was proven, never what a clock shows that nobody confirms', async () => {
  const pi = await machine({ synchronised: true })
  const watch = await start(pi)
  expect(watch.proven()).toBe(NOON)
  pi.synchronised = null
  await watch.ask()
  pi.shows += 3 * DAY
  pi.pass(HOUR)
  expect(watch.proven()).toBe(NOON + HOUR)
  await watch.beat()

  const next = await start(pi)
  expect(next.proven()).toBe(NOON + HOUR)
  pi.shows -= 20 * DAY
  pi.pass(HOUR)
  expect(next.proven()).toBe(NOON + 2 * HOUR)
  await toldTwice(next, NOON + 5 * HOUR)
  expect(next.proven()).toBe(NOON + 2 * HOUR)
})

test('of two clocks that differ the earlier one proves that time has passed', async () => {
  const pi = await machine({ shows: NOON + 3 * DAY })
  const watch = await start(pi)
  await toldTwice(watch, NOON + DAY)
  expect(watch.proven()).toBe(NOON + DAY)
  await toldTwice(watch, NOON + 30 * DAY)
  expect(watch.proven()).toBe(NOON + 3 * DAY)
  // What was proven too late is taken back.
  await toldTwice(watch, NOON + DAY)
  expect(watch.proven()).toBe(NOON + DAY)
})

test('keys from before a proof are dated by it, and those whose age is known are not', async () => {
  const pi = await machine({ synchronised: true })
  const known = await keyOf(pi.store, 'known', await start(pi))

  // Off for three days, of which nobody knows: no key is over, however long it runs.
  Object.assign(pi, { shows: NOON + 3 * DAY, elapsed: 0, synchronised: null })
  const watch = await start(pi)
  const unknown = await keyOf(pi.store, 'unknown', watch)
  pi.pass(2 * DAY)
  expect([watch.keyTime(), await known(watch.keyTime()), await unknown(watch.keyTime())]).toEqual([null, false, false])
  await watch.heard(unsigned(NOON + 5 * DAY))
  expect([await known(watch.keyTime()), await unknown(watch.keyTime())]).toEqual([true, false])
  await watch.beat()
  pi.pass(DAY - 1)
  expect(await unknown(watch.keyTime())).toBe(false)
  pi.pass(1)
  expect(await unknown(watch.keyTime())).toBe(true)
})

test.each([40, -40])('a key of this run is no older when the time is proven to be %i days later', async (days) => {
  const pi = await machine({ synchronised: true })
  const watch = await start(pi)
  const key = await keyOf(pi.store, 'key', watch)
  pi.pass(MINUTE)
  await watch.beat()
  pi.synchronised = null
  await watch.ask()
  for (const by of [days * DAY, -days * DAY]) {
    pi.shows += by
    await toldTwice(watch, pi.shows)
    await watch.beat()
    expect([watch.proven(), watch.keyTime(), await key(watch.keyTime())]).toEqual([pi.shows, NOON + MINUTE, false])
  }
  pi.pass(DAY)
  expect(await key(watch.keyTime())).toBe(true)
})

test('a clock that the authority has moved dates keys, though it agrees with no other', async () => {
  const pi = await machine()
  const watch = await start(pi)
  await toldTwice(watch, NOON + 3 * DAY)
  expect([watch.proven(), watch.keyTime()]).toEqual([NOON, NOON + 3 * DAY])
})

test('keys from a time that was proven wrong are not remembered for as long as it was wrong', async () => {
  const pi = await machine({ shows: NOON + 365 * DAY, synchronised: true })
  const key = await keyOf(pi.store, 'key', await start(pi))
  pi.shows = NOON
  const watch = await start(pi)
  expect(watch.keyTime()).toBe(NOON)
  expect([await key(NOON + DAY - 1), await key(NOON + DAY)]).toEqual([false, true])
})

test('keys that could not be dated are dated a minute later', async () => {
  const pi = await machine()
  const watch = await start(pi)
  const key = await keyOf(pi.store, 'key', watch)
  await watch.heard(unsigned(NOON))
  const { prove } = pi.store.idempotency
  pi.store.idempotency.prove = () => Promise.reject(new Error('disk full'))
  await expect(watch.beat()).rejects.toThrow('disk full')
  expect(await key(NOON + 2 * DAY)).toBe(false)
  pi.store.idempotency.prove = prove
  await watch.beat()
  expect(await key(NOON + 2 * DAY)).toBe(true)
})

test('a word from before the program was built is not believed, however often it comes', async () => {
  const watch = await start(await machine(), { builtAt: NOON - HOUR })
  await toldTwice(watch, NOON - DAY)
  expect(watch.state()).toMatchObject({ status: 'unsynchronised', offsetMs: null })
  expect([watch.now(), watch.isWitnessed()]).toEqual([NOON, false])
})

const MOVED = NOON + 39 * DAY

test.each<[string, TimeWord[], number]>([
  ['a signed word', [signed(MOVED)], NOON],
  ['any number of unsigned ones', [unsigned(MOVED), unsigned(MOVED), unsigned(MOVED)], NOON],
  ['two signed ones that differ', [signed(MOVED), signed(MOVED + DAY)], NOON],
  [
    'two signed ones with an unsigned one between that confirms the clock',
    [signed(MOVED), unsigned(NOON), signed(MOVED)],
    MOVED,
  ],
  ['a signed one and another of another time between', [signed(MOVED), unsigned(NOON + DAY), signed(MOVED)], MOVED],
  ['an unsigned one that a signed one confirms', [unsigned(MOVED + MINUTE), signed(MOVED)], MOVED],
  ['a signed one that an unsigned one confirms', [signed(MOVED), unsigned(MOVED + MINUTE)], MOVED],
])('the time is moved by two words that agree, one of them signed: %s', async (_what, words, time) => {
  const watch = await start(await machine())
  for (const one of words) await watch.heard(one)
  expect(watch.now()).toBe(time)
  expect(watch.state().status).toBe(time === NOON ? 'unsynchronised' : 'off')
})

test('a clock that differs from what the authority says is told by how much', async () => {
  const watch = await start(await machine())
  await watch.heard(unsigned(MOVED))
  expect(watch.state().detail?.en).toMatch(/, and it is 39 days behind that of the tax authority$/)
})

test('unsigned words do not move a clock that is behind what was stored either', async () => {
  const pi = await machine({ shows: 0 })
  const watch = await start(pi, { builtAt: NOON - 30 * DAY })
  for (let i = 0; i < 3; i++) await watch.heard(unsigned(NOON))
  expect(watch.now()).toBe(NOON - 30 * DAY)
  await watch.heard(signed(NOON))
  expect(watch.now()).toBe(NOON)
})

test('unsigned words that each agree with the time do not shift it step by step', async () => {
  const watch = await start(await machine())
  for (const minutes of [9, 18, 27, 36]) await watch.heard(unsigned(NOON + minutes * MINUTE))
  expect([watch.now(), watch.state().trusted]).toEqual([NOON, false])
})

test('a clock that unsigned words have confirmed is doubted when they contradict it, and relied on when they agree again', async () => {
  const watch = await start(await machine())
  await watch.heard(unsigned(NOON))
  await watch.heard(unsigned(NOON + DAY))
  expect(watch.state().status).toBe('ok')
  await watch.heard(unsigned(NOON + DAY))
  expect([watch.now(), watch.state().status]).toEqual([NOON, 'unsynchronised'])
  await watch.heard(unsigned(NOON))
  expect(watch.state().status).toBe('ok')
})

test('one signed word is enough to doubt what only unsigned ones have confirmed', async () => {
  const watch = await start(await machine())
  await watch.heard(unsigned(NOON))
  await watch.heard(signed(NOON - DAY))
  expect([watch.now(), watch.state().status]).toEqual([NOON, 'unsynchronised'])
  await watch.heard(unsigned(NOON))
  expect(watch.state().status).toBe('unsynchronised')
  await watch.heard(signed(NOON))
  expect(watch.state().status).toBe('ok')
})

test('unsigned words shake no clock that a signed one has confirmed', async () => {
  const watch = await start(await machine())
  await watch.heard(signed(NOON))
  for (let i = 0; i < 3; i++) await watch.heard(unsigned(NOON + DAY))
  expect([watch.now(), watch.state().status, watch.isContradicted()]).toEqual([NOON, 'ok', true])
})

test('five minutes behind its own past, a clock is not moved by what headers say', async () => {
  const pi = await machine()
  await start(pi)
  pi.shows -= 5 * MINUTE
  const watch = await start(pi)
  for (let i = 0; i < 3; i++) await watch.heard(unsigned(NOON + 15 * MINUTE))
  expect([watch.now(), watch.state().status]).toEqual([NOON, 'behind'])
  await watch.heard(signed(NOON - 5 * MINUTE))
  expect([watch.now(), watch.state().status]).toEqual([NOON - 5 * MINUTE, 'ok'])
})

test('the authority is asked while nobody vouches for the clock, again after an hour, and at once for a second word', async () => {
  const pi = await machine()
  const watch = await start(pi)
  expect(watch.wantsWord()).toBe(true)
  await watch.heard(unsigned(NOON))
  expect(watch.wantsWord()).toBe(false)
  pi.pass(HOUR)
  expect(watch.wantsWord()).toBe(true)
  await watch.heard(unsigned(NOON + HOUR + DAY))
  expect(watch.wantsWord()).toBe(true)
  pi.synchronised = true
  await watch.ask()
  expect(watch.wantsWord()).toBe(false)
})

test('a machine that was off for a week knows how late it is as soon as the authority has confirmed its clock', async () => {
  const pi = await machine({ synchronised: true })
  const before = await start(pi)
  const key = await keyOf(pi.store, 'key', before)
  pi.pass(10 * MINUTE)
  await before.ask()
  await before.beat()
  Object.assign(pi, { shows: NOON + 7 * DAY, elapsed: 0, synchronised: false })
  const watch = await start(pi)
  expect(watch.proven()).toBe(NOON + 10 * MINUTE)
  await watch.heard(unsigned(NOON + 7 * DAY))
  expect(watch.proven()).toBe(NOON + 7 * DAY)
  expect(watch.present()).toEqual({ now: NOON + 7 * DAY, earliest: NOON + 7 * DAY, latest: NOON + 7 * DAY + WORD_AGE })
  expect(await key(watch.keyTime())).toBe(true)
})

/** A `Date` of the authority that came by a connection. */
const date = (at: number, connection: number): TimeWord => ({ at, isSigned: false, connection })

/** Hears them one after the other, so many milliseconds apart. @returns the latest that the time can be then */
async function latestAfter(words: TimeWord[], { aheadMs = 39 * DAY, apartMs = SECOND } = {}) {
  const pi = await machine({ shows: NOON + aheadMs })
  const watch = await start(pi)
  for (const word of words) {
    await watch.heard(word)
    pi.pass(apartMs)
  }
  const { now, latest } = watch.present()
  return { watch, pi, now: now - pi.shows, latest: latest - (NOON + words.length * apartMs) }
}

test('two Dates of two connections that agree move no clock, and tell what lies in the future', async () => {
  const { watch, pi, now, latest } = await latestAfter([date(NOON, 1), date(NOON + SECOND, 2)])
  expect([now, latest]).toEqual([0, WORD_AGE])
  expect(watch.state()).toMatchObject({ status: 'unsynchronised', trusted: false })
  pi.pass(DAY)
  expect(watch.present().latest).toBe(NOON + 2 * SECOND + DAY + WORD_AGE)
  // Somebody sets the clock right: nothing contradicts it any more.
  pi.shows -= 39 * DAY
  expect(watch.present().latest).toBe(Number.POSITIVE_INFINITY)
})

test.each<[string, TimeWord[], Parameters<typeof latestAfter>[1]]>([
  ['one alone', [date(NOON, 1)], {}],
  ['two of one connection', [date(NOON, 1), date(NOON + SECOND, 1)], {}],
  ['two within a second', [date(NOON, 1), date(NOON, 2)], { apartMs: SECOND - 1 }],
  ['two that differ', [date(NOON, 1), date(NOON - DAY, 2)], {}],
  ['two that differ from the clock by an hour', [date(NOON, 1), date(NOON, 2)], { aheadMs: HOUR - SECOND }],
  ['two, and one that agrees with the clock', [date(NOON, 1), date(NOON + SECOND, 2), date(NOON + 39 * DAY, 3)], {}],
])('no Date tells what lies in the future: %s', async (_what, words, options) => {
  expect((await latestAfter(words, options)).latest).not.toBe(WORD_AGE)
})

test('what lies in the future is told again by two that agree after one that did not', async () => {
  const words = [date(NOON - DAY, 1), date(NOON + SECOND, 2), date(NOON + 2 * SECOND, 3)]
  expect((await latestAfter(words)).latest).toBe(WORD_AGE)
})

test('two words that have moved the time tell what lies in the future as well', async () => {
  const pi = await machine({ shows: NOON + 39 * DAY })
  const watch = await start(pi)
  await watch.heard(date(NOON, 1))
  await watch.heard({ ...signed(NOON), connection: 1 })
  expect(watch.state().status).toBe('off')
  expect(watch.present()).toMatchObject({ now: NOON, latest: NOON + WORD_AGE })
})

test('where a time server is followed no Date tells what lies in the future', async () => {
  const pi = await machine({ shows: NOON + 39 * DAY, synchronised: true })
  const watch = await start(pi)
  for (const connection of [1, 2, 3]) {
    await watch.heard(date(NOON, connection))
    pi.pass(SECOND)
  }
  expect(watch.present().latest).toBe(pi.shows)
})
