import { expect, test } from 'vitest'
import { FiskError } from '../../../src/domain/errors.ts'
import { readHours, type StatedHours, statedHours, weekText } from '../../../src/domain/hours/hours-text.ts'

const read = (hours: string) => readHours({ regular: [{ from: '2026-12-01', hours }], exceptions: [] })
const weekOf = (hours: string) => {
  const [week] = read(hours).regular
  if (!week) throw new Error('nothing was read')
  return week
}
/** The field that is at fault, and why; null without one. */
function faultOf(stated: Partial<StatedHours>): [string | null, string | null] | null {
  try {
    readHours({ regular: [], exceptions: [], ...stated })
    return null
  } catch (fault) {
    if (!(fault instanceof FiskError)) throw fault
    return [fault.param, fault.reason]
  }
}

test.each([
  ['mon-fri 08:00-20:00; sat 08:00-14:00; holidays 09:00-12:00', 'single'],
  ['mon-fri 08:00-12:00 16:00-20:00; sat 08:00-14:00', 'split'],
  ['mon,wed 08:00-20:00', 'single'],
  ['daily 00:00-24:00', 'single'],
  ['mon odd 08:00-12:00; mon even 14:00-20:00', 'odd_even'],
  ['by arrangement', 'by_arrangement'],
])('%s is read, and written the same', (text, kind) => {
  const week = weekOf(text)
  expect(week.kind).toBe(kind)
  expect(weekText(week, 'en')).toBe(text)
})

test('Croatian words are read as well, and written where they are asked for', () => {
  for (const text of [
    'pon-pet,praznici 08:00-20:00',
    'čet neparni 08:00-12:00',
    'svakodnevno 00:00-24:00',
    'po dogovoru',
  ]) {
    expect(weekText(weekOf(text), 'hr')).toBe(text)
  }
})

test.each([
  '',
  'mon',
  'mon 08:00',
  'mon 8:00-20:00',
  'mon 08:00-20:61',
  'xyz 08:00-20:00',
  'fri-mon 08:00-20:00',
  'mon 08:00-10:00 11:00-12:00 13:00-14:00',
  'mon 08:00-20:00; mon 09:00-10:00',
  'mon odd 08:00-12:00; tue 08:00-12:00',
  'pon-pet 08:00-12:00 16:00-20:00; sub parni 08:00-14:00',
])('%j is refused, with the way to write it', (text) => {
  expect(faultOf({ regular: [{ from: '2026-12-01', hours: text }] })).toEqual(['regular[0].hours', 'hours_unreadable'])
})

test('exceptions are single or split; a day that does not exist is refused', () => {
  const exceptions = [
    { date: '24. 12. 2026.', hours: '08:00-12:00' },
    { date: '2026-12-31', hours: '08:00-12:00 16:00-20:00' },
  ]
  const hours = readHours({ regular: [], exceptions })
  expect(statedHours(hours).exceptions).toEqual([
    { date: '2026-12-24', hours: '08:00-12:00' },
    { date: '2026-12-31', hours: '08:00-12:00 16:00-20:00' },
  ])
  const lost = { date: '2026-02-30', hours: '08:00-12:00' }
  expect(faultOf({ exceptions: [lost] })).toEqual(['exceptions[0].date', 'hours_day'])
})

test('more than a message holds is refused, and so is a note of more than 200 characters', () => {
  const one = { from: '2026-12-01', hours: 'daily 00:00-24:00' }
  expect(faultOf({ regular: [one, one, one, one] })).toEqual(['regular', 'hours_too_many'])
  expect(faultOf({ regular: [{ ...one, note: 'x'.repeat(200) }] })).toBeNull()
  expect(faultOf({ regular: [{ ...one, note: 'x'.repeat(201) }] })).toEqual(['regular[0].note', 'hours_note'])
})
