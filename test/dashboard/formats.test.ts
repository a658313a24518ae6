import { expect, test } from 'vitest'
import { createFormats } from '../../src/dashboard/formats.ts'

const HOUR = 3_600_000
/** 08:00 in Zagreb. */
const NOW = Date.UTC(2026, 10, 25, 7)
const ago = (hours: number) => createFormats(() => NOW)('hr').ago(NOW - hours * HOUR)

test('a month is a heading, so it begins with a capital; a day has no leading zeros', () => {
  const f = createFormats(() => NOW)('hr')
  expect(f.month({ year: 2026, month: 11 })).toBe('Studeni 2026.')
  expect(f.dateOf('2026-12-09')).toBe('9. 12. 2026.')
})

test.each([
  [20, 'prije 20 sati'],
  [25, 'jučer'],
  [31, 'jučer'],
  [33, 'prekjučer'],
  [47, 'prekjučer'],
  [24 * 5, 'prije 5 dana'],
  [-26, 'sutra'],
])('what was %d hours ago in the morning was %s', (hours, said) => {
  expect(ago(hours)).toBe(said)
})
