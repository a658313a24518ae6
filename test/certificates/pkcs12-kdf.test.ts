import { expect, onTestFinished, test } from 'vitest'
import { createKeyDerivation } from '../../src/certificates/key-derivation.ts'
import { createKeyWork, Purpose, pbkdf2, pkcs12Kdf } from '../../src/certificates/pkcs12-kdf.ts'
import { whileTicking } from './support/ticks.ts'

/** Test vectors that circulate with implementations of PKCS#12: the passphrases "smeg" and "queeg" as BMPString. */
const SMEG = Buffer.from('0073006D006500670000', 'hex')

const newWork = (rounds?: number) => {
  const derivation = createKeyDerivation()
  onTestFinished(derivation.stop)
  return createKeyWork(derivation, rounds)
}

const derive = async (salt: string, iterations: number, length: number, purpose: number) => {
  const derived = await pkcs12Kdf(purpose, {
    hashName: 'sha1',
    password: SMEG,
    salt: Buffer.from(salt, 'hex'),
    iterations,
    length,
    work: newWork(),
  })
  return derived.toString('hex')
}

test('keys, initial vectors and MAC keys are derived as PKCS#12 says', async () => {
  expect(await derive('0A58CF64530D823F', 1, 24, Purpose.key)).toBe('8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3')
  expect(await derive('0A58CF64530D823F', 1, 8, Purpose.iv)).toBe('79993dfe048d3b76')
  expect(await derive('3D83C0E4546AC140', 1, 20, Purpose.mac)).toBe('8d967d88f6caa9d714800ab3d48051d63f73a312')
})

test('all derivations of one file spend from one budget', async () => {
  const work = newWork(100)
  const o = { hashName: 'sha256', password: SMEG, salt: Buffer.of(1), iterations: 30, length: 32, work }
  await pkcs12Kdf(Purpose.mac, o)
  await pbkdf2(o)
  await pkcs12Kdf(Purpose.key, o)
  await expect(pbkdf2(o)).rejects.toThrow(/iteration counts are far above/)
})

test('the budget of a file covers the 600,000 iterations that tools spend on each of three parts, and no fourth', () => {
  const work = newWork()
  for (let part = 0; part < 3; part++) work.spend(600_000, 1)
  expect(() => work.spend(600_000, 1)).toThrow(/iteration counts are far above/)
})

test.each([
  ["PKCS#12's own derivation", (o: Parameters<typeof pbkdf2>[0]) => pkcs12Kdf(Purpose.mac, o)],
  ['PBKDF2', pbkdf2],
])('other work goes on during 600,000 iterations of %s', async (_name, deriveKey) => {
  const o = { hashName: 'sha256', password: SMEG, salt: Buffer.of(1), iterations: 600_000, length: 32 }
  const key = await whileTicking(() => deriveKey({ ...o, work: newWork() }))
  expect(key.length).toBe(32)
})

test('a derivation without an iteration is refused', async () => {
  await expect(derive('01', 0, 20, Purpose.mac)).rejects.toThrow(/iteration count is 0/)
})
