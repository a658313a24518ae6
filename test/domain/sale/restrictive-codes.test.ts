import { expect, test } from 'vitest'
import { canBeConfirmed, explainCodes, RESTRICTIVE_CODES } from '../../../src/domain/sale/refusal.ts'

/** docs/spec/cis.md, Error codes. */
const OF_SPECIFICATION = [176, 177, 178, 179, 180, 181, 182, 183, 184, 185]

test('the codes of the specification are explained, and no others', () => {
  expect(RESTRICTIVE_CODES).toEqual(OF_SPECIFICATION)
})

test.for(RESTRICTIVE_CODES)('%i says in both languages what it means and what to do, in whole sentences', (code) => {
  const [hr, en] = [explainCodes([code], 'hr'), explainCodes([code], 'en')]
  expect([hr.length, en.length]).toEqual([1, 1])
  expect([hr[0]?.label, en[0]?.label]).toEqual([`Šifra ${code}`, `Code ${code}`])
  for (const text of [hr[0]?.means, hr[0]?.fix, en[0]?.means, en[0]?.fix])
    expect(text).toMatch(/^\p{Lu}[^<&`]{15,}\.$/u)
  expect(hr[0]?.means).not.toBe(en[0]?.means)
  expect(hr[0]?.fix).not.toBe(en[0]?.fix)
})

test.for(['hr', 'en'] as const)(
  'in %s, 176 and 177 say how to check the clocks, and that the time of a sale stays',
  (language) => {
    for (const { fix } of explainCodes([176, 177], language)) {
      expect(fix).toMatch(/timedatectl.*timedatectl set-ntp true/)
      expect(fix).toMatch(/softveru uređaja|vending firmware/)
      expect(fix).toMatch(
        /(Vrijeme spremljenog računa|time of a stored sale) \(occurred_at\) (ne može se promijeniti|cannot be changed)/,
      )
    }
  },
)

test('codes are explained in their order, each once, and together where they mean the same', () => {
  expect(explainCodes([184, 176, 182, 182], 'en').map(({ label }) => label)).toEqual(['Code 176', 'Codes 182, 184'])
  expect(explainCodes([184, 182], 'hr').map(({ label }) => label)).toEqual(['Šifre 182, 184'])
  expect(explainCodes([], 'hr')).toEqual([])
})

test('a sale can be confirmed later only where the cause is not what is stored of it', () => {
  expect(RESTRICTIVE_CODES.filter(canBeConfirmed)).toEqual([177, 182, 183, 184])
})
