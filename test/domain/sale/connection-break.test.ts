import { expect, test } from 'vitest'
import {
  breaksAfter,
  type ConnectionBreak,
  lateBefore,
  legalDeadlineIn,
} from '../../../src/domain/sale/connection-break.ts'
import { legalDeadlineOf } from '../../../src/domain/working-days.ts'

const HOUR = 3_600_000
const at = (text: string) => Date.parse(text)
const SALE = { mode: 'live', companyId: 'ours', status: 'retrying' } as const
const deadline = (occurredAt: string, breaks: ConnectionBreak[], changes: object = {}) =>
  new Date(legalDeadlineIn({ ...SALE, occurredAt: at(occurredAt), ...changes }, breaks).at).toISOString()

/** From the Wednesday before Christmas until the Monday after it: Friday and Saturday are holidays. */
const CHRISTMAS: ConnectionBreak = {
  mode: 'live',
  from: at('2026-12-23T10:00:00+01:00'),
  until: null,
  extended: [],
}
const END_OF_28 = '2026-12-28T23:00:00.000Z'

test.each([
  ['on the day of the break, before anybody noticed it', '2026-12-23T09:59:00+01:00'],
  ['on that day', '2026-12-23T23:59:59+01:00'],
  ['on the holiday', '2026-12-25T12:00:00+01:00'],
  ['on the Sunday', '2026-12-27T12:00:00+01:00'],
  ['after the deadline has passed', '2026-12-29T08:00:00+01:00'],
])(
  'in an outage over a weekend and a holiday the two working days count from its first day: a sale %s',
  (_when, sold) => {
    expect(deadline(sold, [CHRISTMAS])).toBe(END_OF_28)
  },
)

test.each<[string, string, ConnectionBreak, object]>([
  ['was made before it', '2026-12-22T23:59:59+01:00', CHRISTMAS, {}],
  ['was refused', '2026-12-27T12:00:00+01:00', CHRISTMAS, { status: 'failed' }],
  ['is of the other mode', '2026-12-27T12:00:00+01:00', CHRISTMAS, { mode: 'test' }],
  ['was made after it', '2026-12-28T12:00:01+01:00', { ...CHRISTMAS, until: at('2026-12-28T12:00:00+01:00') }, {}],
])('a sale that %s counts from its own day', (_what, sold, broken, changes) => {
  expect(deadline(sold, [broken], changes)).toBe(new Date(legalDeadlineOf(at(sold))).toISOString())
})

test('a company whose deadline was extended has five working days, the others have two', () => {
  const extended = [{ ...CHRISTMAS, extended: ['ours'] }]
  expect(deadline('2026-12-27T12:00:00+01:00', extended)).toBe('2026-12-31T23:00:00.000Z')
  expect(deadline('2026-12-27T12:00:00+01:00', extended, { companyId: 'theirs' })).toBe(END_OF_28)
})

test.each<[string, Partial<ConnectionBreak>]>([
  ['lasts', {}],
  ['has ended', { until: at('2026-12-29T12:00:00+01:00') }],
  ['is extended', { extended: ['ours'] }],
  ['is extended and has ended', { extended: ['ours'], until: at('2026-12-29T12:00:00+01:00') }],
])('nothing that is past its deadline is left out, in every hour around a break that %s', (_what, changes) => {
  const breaks = [{ ...CHRISTMAS, ...changes }]
  for (let now = at('2026-12-20T00:30:00Z'); now < at('2027-01-12T00:00:00Z'); now += 5 * HOUR) {
    const before = lateBefore(now, breaks)
    for (let sold = at('2026-12-18T00:10:00Z'); sold <= now; sold += 3 * HOUR) {
      const isLate = legalDeadlineIn({ ...SALE, occurredAt: sold }, breaks).at <= now
      if (isLate && sold >= before) expect.unreachable(`${new Date(now)}: ${new Date(sold)}`)
    }
  }
})

const DAYS = ['2026-11-23', '2026-11-24', '2026-11-25'].map((day) => at(`${day}T09:00:00Z`))
const [MONDAY = 0, TUESDAY = 0, WEDNESDAY = 0] = DAYS
/** One contact, just now. */
const reach = (reached: boolean, now: number, changes: object = {}) => ({
  ...{ mode: 'live' as const, reached, since: now, latest: now, now },
  ...changes,
})
const BROKEN: ConnectionBreak = { mode: 'live', from: MONDAY, until: null, extended: [] }

test('a break begins with the first message that reaches nobody, and ends with the first one that does', () => {
  expect(breaksAfter([], reach(true, MONDAY))).toBeUndefined()
  expect(breaksAfter([], reach(false, TUESDAY, { since: MONDAY }))).toEqual([BROKEN])
  expect(breaksAfter([BROKEN], reach(false, TUESDAY))).toBeUndefined()
  // The other mode has a service of its own.
  expect(breaksAfter([BROKEN], reach(true, TUESDAY, { mode: 'test' }))).toBeUndefined()
  const over = [{ ...BROKEN, until: TUESDAY }]
  expect(breaksAfter([BROKEN], reach(true, WEDNESDAY, { since: TUESDAY }))).toEqual(over)
  expect(breaksAfter(over, reach(true, WEDNESDAY, { since: TUESDAY }))).toBeUndefined()
  expect(breaksAfter(over, reach(false, WEDNESDAY + 40 * 24 * HOUR))).toHaveLength(1)
})

test('of breaks that end on their first day only the latest is kept, unless one was extended', () => {
  const short = { ...BROKEN, until: MONDAY + HOUR }
  expect(breaksAfter([short], reach(false, TUESDAY))).toEqual([{ ...BROKEN, from: TUESDAY }])
  const extended = { ...short, extended: ['ours'] }
  expect(breaksAfter([extended], reach(false, TUESDAY))).toEqual([extended, { ...BROKEN, from: TUESDAY }])
})

test('where processes share the database the latest contact of all decides, and no break is noted twice', () => {
  // One that has been answered all along ends the break of another one, but not by an older answer.
  expect(breaksAfter([BROKEN], reach(true, TUESDAY, { since: MONDAY - HOUR }))).toEqual([{ ...BROKEN, until: TUESDAY }])
  expect(breaksAfter([BROKEN], reach(true, TUESDAY, { since: MONDAY - HOUR, latest: MONDAY - 1 }))).toBeUndefined()
  // The other one says again what it knows: then it fails once more.
  const over = [{ ...BROKEN, until: TUESDAY }]
  expect(breaksAfter(over, reach(false, TUESDAY + HOUR, { since: MONDAY, latest: TUESDAY - 1 }))).toBeUndefined()
  const again = breaksAfter(over, reach(false, TUESDAY + HOUR, { since: MONDAY }))
  expect(again).toEqual([...over, { ...BROKEN, from: TUESDAY + HOUR }])
})

test('what a clock noted that was ahead is forgotten', () => {
  const ahead = { ...BROKEN, until: WEDNESDAY }
  expect(breaksAfter([ahead], reach(true, TUESDAY))).toEqual([])
  expect(breaksAfter([ahead], reach(false, TUESDAY))).toEqual([{ ...BROKEN, from: TUESDAY }])
})
