import { expect, test } from 'vitest'
import type { RegularSpan } from '../../../src/domain/hours/hours.ts'
import { deletionFaults, registrationFaults } from '../../../src/domain/hours/hours-rules.ts'
import { HOURS_CODES } from '../../../src/domain/hours/hours-texts.ts'
import { hoursAt, hoursCases } from '../../support/hours-cases.ts'

const TODAY = '2026-11-30'
const FACTS = { today: TODAY, operatorOib: '02994650199' }
const { regular } = hoursAt(TODAY)

test.each(hoursCases(TODAY))(
  '%s is told before hours are registered, where it holds alone',
  (code, found, notFound) => {
    expect(registrationFaults(found, FACTS).map((fault) => fault.code)).toContain(code)
    expect(registrationFaults(notFound, FACTS)).toEqual([])
  },
)

test('s121 is told of an OIB with a wrong check digit', () => {
  expect(registrationFaults(regular({}), { ...FACTS, operatorOib: '02994650190' })).toEqual([
    { code: 's121', param: 'operator_oib' },
  ])
})

test('two months ahead of the last day of a month is the last day of a shorter one', () => {
  const at = { ...FACTS, today: '2026-12-31' }
  const { exceptions } = hoursAt('2027-02-28')
  expect(registrationFaults(exceptions('0'), at)).toEqual([])
  expect(registrationFaults(exceptions('1'), at)).toMatchObject([{ code: 's108', param: 'exceptions[0]' }])
})

test('a fault names the hours that are wrong', () => {
  const hours = regular({}, { from: '2026-12-08', spans: [{ day: 2, from: '09:00', to: '08:00' }] })
  expect(registrationFaults(hours, FACTS)).toEqual([{ code: 's112', param: 'regular[1].spans[0].to' }])
})

test('the hours of one day may be split, and those of another not', () => {
  const spans: RegularSpan[] = [
    { day: 1, part: 1, from: '08:00', to: '12:00' },
    { day: 1, part: 2, from: '16:00', to: '20:00' },
    { day: 6, part: 1, from: '08:00', to: '14:00' },
  ]
  expect(registrationFaults(regular({ kind: 'split', spans }), FACTS)).toEqual([])
})

test.each([
  ['s105', { regular: ['2026-12-08', '2026-12-08'], exceptions: [] }, { regular: ['2026-12-08'], exceptions: [] }],
  ['s108', { regular: [], exceptions: ['2026-11-29'] }, { regular: [], exceptions: ['2026-11-30'] }],
  ['s108', { regular: [], exceptions: ['2027-01-31'] }, { regular: [], exceptions: ['2027-01-30'] }],
  ['s109', { regular: [], exceptions: ['2026-12-24', '2026-12-24'] }, { regular: [], exceptions: ['2026-12-24'] }],
  ['s123', { regular: [], exceptions: [] }, { regular: ['2026-12-08'], exceptions: [] }],
])('%s is told before hours are deleted', (code, found, notFound) => {
  expect(deletionFaults(found, FACTS).map((fault) => fault.code)).toContain(code)
  expect(deletionFaults(notFound, FACTS)).toEqual([])
})

test('s121 is told before hours are deleted', () => {
  const dates = { regular: ['2026-12-08'], exceptions: [] }
  expect(deletionFaults(dates, { ...FACTS, operatorOib: '1' })).toEqual([{ code: 's121', param: 'operator_oib' }])
})

test('each code that can be told before sending has its texts', () => {
  const codes = [
    's103',
    's104',
    's105',
    's106',
    's108',
    's109',
    's112',
    's113',
    's114',
    's115',
    's116',
    's117',
    's121',
    's123',
    's124',
  ]
  expect(Object.keys(HOURS_CODES)).toEqual(codes)
  for (const { en, hr } of Object.values(HOURS_CODES)) expect(`${en} ${hr}`).not.toMatch(/^[A-Z]|\.$/)
})
