import { expect, test } from 'vitest'
import { isClosed, isClosedAt, OFFICIAL_URLS } from '../../src/cis/service-windows.ts'

test.for([
  ['Monday 15:59:59 in summer', '2026-07-06T13:59:59Z', false],
  ['Monday 16:00 in summer', '2026-07-06T14:00:00Z', true],
  ['Friday 16:59:59 in summer', '2026-07-10T14:59:59Z', true],
  ['Friday 17:00 in summer', '2026-07-10T15:00:00Z', false],
  ['Monday 16:30 in winter', '2026-01-05T15:30:00Z', true],
  ['Saturday 16:30', '2026-07-11T14:30:00Z', false],
  ['Sunday 07:59:59', '2026-07-12T05:59:59Z', false],
  ['Sunday 08:00', '2026-07-12T06:00:00Z', true],
  ['Sunday 11:59:59', '2026-07-12T09:59:59Z', true],
  ['Sunday 12:00', '2026-07-12T10:00:00Z', false],
  ['Sunday 16:30', '2026-07-12T14:30:00Z', false],
] as const)('on %s the test service is closed: %s, %s', ([, at, closed]) => {
  expect(isClosed('test', Date.parse(at))).toBe(closed)
  expect(isClosed('live', Date.parse(at))).toBe(false)
})

test('a stand-in for the service keeps no hours', () => {
  const at = Date.parse('2026-07-06T14:00:00Z')
  expect(isClosedAt(OFFICIAL_URLS.test, 'test', at)).toBe(true)
  expect(isClosedAt('https://127.0.0.1:8449/FiskalizacijaServiceTest', 'test', at)).toBe(false)
})
