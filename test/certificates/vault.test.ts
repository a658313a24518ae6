import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVault } from '../../src/certificates/vault.ts'

const key = randomBytes(32)
const secret = Buffer.from('a private key')

test('a sealed secret opens with the same key and context, after a restart too', () => {
  const sealed = createVault(key).seal(secret, 'certificate 1')
  expect(createVault(Buffer.from(key)).open(sealed, 'certificate 1').equals(secret)).toBe(true)
  expect(sealed.includes(secret)).toBe(false)
})

test('a sealed secret is version, nonce, tag and ciphertext, and no two are alike', () => {
  const vault = createVault(key)
  const [a, b] = [vault.seal(secret, 'c'), vault.seal(secret, 'c')]
  expect(a.length).toBe(1 + 12 + 16 + secret.length)
  expect(a[0]).toBe(1)
  expect(a.subarray(1, 13).equals(b.subarray(1, 13))).toBe(false)
})

test('an empty secret can be sealed', () => {
  const vault = createVault(key)
  expect(vault.open(vault.seal(Buffer.alloc(0), 'c'), 'c').length).toBe(0)
})

test('a secret of another row does not open', () => {
  const vault = createVault(key)
  expect(() => vault.open(vault.seal(secret, 'certificate 1'), 'certificate 2')).toThrow(/certificate 2 does not open/)
})

test('another vault key does not open a secret', () => {
  expect(() => createVault(randomBytes(32)).open(createVault(key).seal(secret, 'c'), 'c')).toThrow(/does not open/)
})

test('no byte of a sealed secret can be changed, and none can be left out', () => {
  const vault = createVault(key)
  const sealed = vault.seal(secret, 'c')
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(() => vault.open(changed, 'c')).toThrow()
    expect(() => vault.open(sealed.subarray(0, i), 'c')).toThrow()
  }
})

test('a key of another length is no vault key', () => {
  expect(() => createVault(randomBytes(16))).toThrow(/32 bytes/)
})
