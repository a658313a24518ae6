import { describe, expect, test } from 'vitest'
import {
  ALERT_KINDS,
  alertState,
  certificateStage,
  NOT_MAILED,
  severityOf,
  unconfirmedStage,
} from '../../src/domain/alert.ts'
import { alertWords } from '../../src/domain/alert-texts/alert-texts.ts'
import { explainCodes, RESTRICTIVE_CODES } from '../../src/domain/sale/refusal.ts'
import { legalCutoffOf, legalDeadlineOf } from '../../src/domain/working-days.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const SOLD = Date.parse('2026-04-02T12:00:00+02:00')
const stageAt = (now: number) => unconfirmedStage(SOLD, now, legalDeadlineOf(SOLD))

test('a sale is told of at the end of the second working day, over Easter too, and at days 21, 25 and 28', () => {
  // Maundy Thursday; Good Friday is a working day in Croatia, Easter Monday is not.
  expect(stageAt(Date.parse('2026-04-07T23:59:59+02:00'))).toBeUndefined()
  expect(stageAt(Date.parse('2026-04-08T00:00:00+02:00'))).toBe('unconfirmed_legal')
  expect(stageAt(SOLD + 21 * DAY - 1)).toBe('unconfirmed_legal')
  expect(stageAt(SOLD + 21 * DAY)).toBe('unconfirmed_21')
  expect(stageAt(SOLD + 25 * DAY)).toBe('unconfirmed_25')
  expect(stageAt(SOLD + 28 * DAY)).toBe('unconfirmed_28')
})

test('what is before the cutoff is just what is past its legal deadline, at every hour of a year with all its holidays', () => {
  const start = Date.parse('2026-01-01T00:30:00Z')
  for (let now = start; now < start + 366 * DAY; now += 7 * HOUR) {
    const cutoff = legalCutoffOf(now)
    expect(legalDeadlineOf(cutoff - 1)).toBeLessThanOrEqual(now)
    expect(legalDeadlineOf(cutoff)).toBeGreaterThan(now)
  }
})

test('a certificate is told of at 60, 30, 14, 7 and 1 days, and when it has ended', () => {
  const stages = [61, 60, 31, 30, 14, 7, 1, 0].map((days) => certificateStage(SOLD, SOLD - days * DAY))
  expect(stages).toEqual([
    ...[undefined, 'certificate_60', 'certificate_60', 'certificate_30', 'certificate_14', 'certificate_7'],
    ...['certificate_1', 'certificate_1'],
  ])
  expect(certificateStage(SOLD, SOLD + 1)).toBe('certificate_expired')
})

test('a silent gateway is urgent with sales that still want a JIR, and a disk that keeps something out', () => {
  expect(severityOf({ kind: 'gateway_silent', detail: { without_jir: 0 } })).toBe('warning')
  expect(severityOf({ kind: 'gateway_silent', detail: { without_jir: 3 } })).toBe('urgent')
  expect(severityOf({ kind: 'disk_short', detail: { left_out: 'logs' } })).toBe('warning')
  expect(severityOf({ kind: 'disk_short', detail: { left_out: 'sales' } })).toBe('urgent')
  expect(severityOf({ kind: 'from_the_future', detail: {} })).toBe('warning')
})

test('day 21 and mails that fail are for the dashboard alone', () => {
  expect(NOT_MAILED.sort()).toEqual(['mail_failed', 'unconfirmed_21'])
})

test('an alert that is over is resolved, whether anybody knew or not', () => {
  expect(alertState({ acknowledgedAt: null, resolvedAt: null })).toBe('open')
  expect(alertState({ acknowledgedAt: 1, resolvedAt: null })).toBe('acknowledged')
  expect(alertState({ acknowledgedAt: 1, resolvedAt: 2 })).toBe('resolved')
})

describe.each(['hr', 'en'] as const)('in %s', (language) => {
  test.each([...ALERT_KINDS, 'from_the_future'])('%s says what is wrong and what to do, in whole sentences', (kind) => {
    const detail = {
      company: 'Kava d.o.o.',
      device: 'Kavomat 1',
      gateway: 'kiosk',
      mode: 'live',
      count: 3,
      code: 'x',
      oldest_at: '2026-04-02T10:00:00.000Z',
      deadline_at: '2026-05-02T10:00:00.000Z',
      not_after: '2026-05-02T10:00:00.000Z',
      since: '2026-04-02T10:00:00.000Z',
      working_days: 5,
      year: 2027,
      last_at: null,
      what: 'label',
      value: 'Kavomat 1',
      recipient: 'ana@example.hr',
      answer: '550 No.',
      isu_number: '101',
      address: '192.168.1.20:8443',
      premises_code: 'POSL1',
      number: '99999999999999999999',
      invoice_id: 'inv_1',
      highest: '7',
      left: '3',
      premises: 'POSL1',
      first: '3',
      last: '4',
    }
    const { title, what, todo } = alertWords({ kind, detail }, language)
    expect(title).not.toMatch(/\.$/)
    for (const text of [what, todo]) expect(text).toMatch(/^\p{Lu}.*[.?]$/u)
    for (const text of [title, what, todo]) expect(text).not.toMatch(/undefined|null|NaN|\[object| - | {2}|ZKI/)
  })
})

test('the two languages never say the same', () => {
  for (const kind of ALERT_KINDS) {
    expect(alertWords({ kind, detail: {} }, 'hr').what).not.toBe(alertWords({ kind, detail: {} }, 'en').what)
  }
})

test('test sales are called so', () => {
  const words = alertWords({ kind: 'unconfirmed_25', detail: { mode: 'test', company: 'Kava' } }, 'hr')
  expect(words.title).toContain('(Kava, test)')
  expect(words.what).toContain('Riječ je o testnim računima.')
})

test('times are those of Zagreb', () => {
  const detail = { company: 'Kava', not_after: '2026-07-02T22:30:00.000Z' }
  expect(alertWords({ kind: 'certificate_7', detail }, 'hr').what).toContain('vrijedi do 3. 7. 2026. u 0:30.')
})

test('whatever a gateway has written there, words stay one line of bounded length', () => {
  const hostile = ['a\r\nBcc: all@example.hr', 'x'.repeat(10_000), { toString: 'x' }, 7, null, '\u202e\u0000 gnp.exe']
  for (const company of hostile) {
    const detail = { company, count: -1, oldest_at: company, deadline_at: '9999-99-99' }
    for (const kind of ALERT_KINDS) {
      const { title, what } = alertWords({ kind, detail: detail as never }, 'hr')
      expect(title).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      expect(title.length).toBeLessThan(400)
      expect(what.length).toBeLessThan(1000)
    }
  }
})

const REFUSED = { company: 'Kava d.o.o.', mode: 'live', count: 3, code: 'upstream_rejected' }
const refused = (restrictive_codes: unknown, language: 'hr' | 'en') =>
  alertWords({ kind: 'invoices_failed', detail: { ...REFUSED, restrictive_codes } }, language)

test.for(['hr', 'en'] as const)(
  'in %s, refused sales say what each restrictive code means and what to do',
  (language) => {
    for (const { label, means, fix } of RESTRICTIVE_CODES.flatMap((code) => explainCodes([code], language, 'office'))) {
      const { what, todo } = refused([Number(/\d+/.exec(label)?.[0])], language)
      expect(what).toContain(`${label}: ${means}`)
      expect(todo).toContain(`${label}: ${fix}`)
      for (const text of [what, todo]) expect(text).toMatch(/^\p{Lu}.*\.$/u)
    }
  },
)

test('refused sales are said to be sent again only where one of them can still be confirmed', () => {
  expect(refused([182], 'en').todo).toContain('choose “Send again”')
  expect(refused([176, 182], 'en').todo).toContain('choose “Send again”')
  expect(refused([176, 179], 'en').todo).not.toContain('choose “Send again”')
})

test('codes that are unknown, or no codes, change nothing in what refused sales say', () => {
  const usual = refused(undefined, 'hr')
  for (const codes of [[], [186, '182', null, { 182: 182 }, [182]], '182', 182, { length: 1, 0: 182 }]) {
    expect(refused(codes, 'hr')).toEqual(usual)
  }
  const all = Array.from({ length: 10_000 }, (_, i) => 176 + (i % 20))
  expect(refused(all, 'hr')).toEqual(refused(RESTRICTIVE_CODES, 'hr'))
})

test.each([
  ['hr', 'Sat računala ili uređaja'],
  ['en', 'of the computer or of the device'],
] as const)('numbers of a future year may come from either clock, in %s', (language, words) => {
  const { what } = alertWords({ kind: 'numbers_of_future', detail: {} } as never, language)
  expect(what).toContain(words)
})
