import { expect, test } from 'vitest'
import { createWorkBudget, Purpose, pbkdf2, pkcs12Kdf } from '../../src/certificates/pkcs12-kdf.ts'

/** Test vectors that circulate with implementations of PKCS#12: the passphrases "smeg" and "queeg" as BMPString. */
const SMEG = Buffer.from('0073006D006500670000', 'hex')

const derive = (salt: string, iterations: number, length: number, purpose: number) =>
  pkcs12Kdf(purpose, {
    hashName: 'sha1',
    password: SMEG,
    salt: Buffer.from(salt, 'hex'),
    iterations,
    length,
    budget: createWorkBudget(),
  }).toString('hex')

test('keys, initial vectors and MAC keys are derived as PKCS#12 says', () => {
  expect(derive('0A58CF64530D823F', 1, 24, Purpose.key)).toBe('8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3')
  expect(derive('0A58CF64530D823F', 1, 8, Purpose.iv)).toBe('79993dfe048d3b76')
  expect(derive('3D83C0E4546AC140', 1, 20, Purpose.mac)).toBe('8d967d88f6caa9d714800ab3d48051d63f73a312')
})

test('all derivations of one file spend from one budget', () => {
  const budget = createWorkBudget(100)
  const o = { hashName: 'sha256', password: SMEG, salt: Buffer.of(1), iterations: 30, length: 32, budget }
  pkcs12Kdf(Purpose.mac, o)
  pbkdf2(o)
  pkcs12Kdf(Purpose.key, o)
  expect(() => pbkdf2(o)).toThrow(/iteration counts are far above/)
})

test('a derivation without an iteration is refused', () => {
  expect(() => derive('01', 0, 20, Purpose.mac)).toThrow(/iteration count is 0/)
})
