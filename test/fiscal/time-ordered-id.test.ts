import { expect, test } from 'vitest'
import { timeOrderedId, timeOrderedUuid } from '../../src/fiscal/time-ordered-id.ts'

const NOW = Date.parse('2026-09-21T12:00:00Z')

test.each([
  ['an id', timeOrderedId, /^[0-9a-f]{32}$/],
  ['a UUID', timeOrderedUuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/],
])('%s made later sorts behind those made before, and no two are the same', (_what, make, form) => {
  const made = Array.from({ length: 5_000 }, (_, i) => make(NOW + i))
  expect(made).toEqual([...made].sort())
  expect(new Set(made).size).toBe(made.length)
  for (const one of made) expect(one).toMatch(form)
})

test('a hundred thousand UUIDs of one moment are all different', () => {
  expect(new Set(Array.from({ length: 100_000 }, () => timeOrderedUuid(NOW))).size).toBe(100_000)
})
