import { expect, test } from 'vitest'
import { AGES, ageOf, ageSpans } from '../../../src/domain/sale/invoice-age.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')

test('the ages follow each other without a gap, and each sale is of one age', () => {
  const spans = ageSpans(NOW)
  for (const [i, age] of AGES.entries()) {
    const { from, to } = spans[age]
    const older = AGES[i + 1]
    if (older !== undefined) expect(spans[older].to).toBe(from)
    expect(ageOf(from ?? 0, NOW)).toBe(age)
    expect(ageOf((to ?? NOW + 1) - 1, NOW)).toBe(age)
  }
})
