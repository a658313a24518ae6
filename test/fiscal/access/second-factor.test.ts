import { expect, test } from 'vitest'
import { newSecret, stepOfCode } from '../../../src/fiscal/access/second-factor.ts'

/** RFC 6238, appendix B: the secret `12345678901234567890`, codes of SHA-1, their last six digits. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
]

test.each(VECTORS)('at %i s the code of the standard is right', async (seconds, code) => {
  expect(await stepOfCode(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30))
})

test('a code counts half a minute before and after, by the step it belongs to, and no longer', async () => {
  const [seconds, code] = [1111111111, '050471']
  const step = Math.floor(seconds / 30)
  const at = (shift: number) => stepOfCode(SECRET, code, (seconds + shift) * 1000)
  expect([await at(-30), await at(30)]).toEqual([step, step])
  expect([await at(-60), await at(60)]).toEqual([null, null])
})

test('spaces in a code are how phones show it; anything else is a wrong code', async () => {
  expect(await stepOfCode(SECRET, '050 471', 1111111111_000)).not.toBeNull()
  for (const code of ['', '05047', '0504711', 'abcdef', '-50471', '５０4711']) {
    expect([code, await stepOfCode(SECRET, code, 1111111111_000)]).toEqual([code, null])
  }
})

test('a new secret has 160 bits and an address that apps read', async () => {
  const { secret, uri } = await newSecret('ana@example.hr')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(uri).toMatch(new RegExp(`^otpauth://totp/fiskd:ana%40example.hr\\?.*secret=${secret}`))
  expect((await newSecret('ana@example.hr')).secret).not.toBe(secret)
})
