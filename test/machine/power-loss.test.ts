import { expect, test } from 'vitest'
import { survivorsOf } from '../../scripts/machine/power-loss.ts'

const waiting = Array.from({ length: 40 }, (_, i) => ({ offset: i * 8192, data: Buffer.alloc(8192, i) }))
const torn = (sector?: number) =>
  survivorsOf(waiting, { keep: 'all', torn: true, seed: 7, ...(sector !== undefined && { sector }) })

test('a card whose sectors are larger tears no block of that size', () => {
  const lengths = (sector?: number) => new Set(torn(sector).writes.map(({ data }) => data.length))
  expect(lengths()).toEqual(new Set([8192, 512]))
  expect(lengths(4096)).toEqual(new Set([8192, 4096]))
  expect(torn(4096).lost).toBeGreaterThan(0)
})
