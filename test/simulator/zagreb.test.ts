import { expect, test } from 'vitest'
import { messageTime, momentsOf } from '../../src/simulator/zagreb.ts'

test('a moment is written in Zagreb time, summer and winter', () => {
  expect(messageTime(Date.UTC(2026, 6, 15, 22, 30, 5))).toBe('16.07.2026T00:30:05')
  expect(messageTime(Date.UTC(2026, 0, 15, 22, 30, 5))).toBe('15.01.2026T23:30:05')
})

test('a local time reads back as the one moment it means', () => {
  const moment = Date.UTC(2026, 0, 15, 11, 0, 0)
  expect(momentsOf('15.01.2026T12:00:00')).toEqual({ earliest: moment, latest: moment })
})

test('the hour that October repeats means two moments', () => {
  const first = Date.UTC(2026, 9, 25, 0, 30, 0)
  expect(momentsOf('25.10.2026T02:30:00')).toEqual({ earliest: first, latest: first + 3_600_000 })
})

test('the hour that March skips is taken as summer time', () => {
  const moment = Date.UTC(2026, 2, 29, 0, 30, 0)
  expect(momentsOf('29.03.2026T02:30:00')).toEqual({ earliest: moment, latest: moment })
})

test.each(['31.06.2026T10:00:00', '29.02.2026T10:00:00', '01.01.2026T24:00:00', '01.01.2026 10:00:00'])(
  '%s is no moment',
  (text) => {
    expect(momentsOf(text)).toBeNull()
  },
)
