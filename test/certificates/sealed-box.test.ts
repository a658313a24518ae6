import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sealedBoxes } from '../../src/certificates/sealed-box.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const SECRET = Buffer.from('the passphrase of žuta čizma')

function reader() {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
  }
}

const open =
  (key: Buffer, box: Buffer, context = 'here') =>
  () =>
    sealedBoxes.open(key, box, context)

test('what is sealed to a reader opens with its key in its place, whatever its size', () => {
  const { publicKey, privateKey } = reader()
  for (const secret of [Buffer.alloc(0), SECRET, randomBytes(300_000)]) {
    expect(open(privateKey, sealedBoxes.seal(publicKey, secret, 'here'))().equals(secret)).toBe(true)
  }
})

test('a box opens for no other reader and in no other place, and two boxes of one secret differ', () => {
  const [one, other] = [reader(), reader()]
  const box = sealedBoxes.seal(one.publicKey, SECRET, 'here')
  expect(open(other.privateKey, box)).toThrow('does not open')
  expect(open(one.privateKey, box, 'there')).toThrow('does not open')
  expect(sealedBoxes.seal(one.publicKey, SECRET, 'here').equals(box)).toBe(false)
  expect(box.includes(SECRET)).toBe(false)
})

test('a box with any byte changed, left out or added does not open', () => {
  const { publicKey, privateKey } = reader()
  const box = sealedBoxes.seal(publicKey, SECRET, 'here')
  for (let at = 0; at < box.length; at++) {
    const changed = Buffer.from(box)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    // The highest bit of a point says nothing (RFC 7748, 5), but it is a part of the key.
    expect(open(privateKey, changed), `byte ${at}`).toThrow()
    expect(open(privateKey, box.subarray(0, at)), `${at} bytes`).toThrow()
  }
  expect(open(privateKey, Buffer.concat([box, Buffer.of(0)]))).toThrow('does not open')
})

test('points that make the same secret with every key open nothing', () => {
  const { privateKey } = reader()
  const points = ['00'.repeat(32), `01${'00'.repeat(31)}`, `ec${'ff'.repeat(30)}7f`, `ed${'ff'.repeat(30)}7f`]
  for (const point of points) {
    const box = Buffer.concat([Buffer.of(1), Buffer.from(point, 'hex'), randomBytes(28 + 40)])
    expect(open(privateKey, box)).toThrow('does not open')
  }
})

test('random bytes open nothing, and keys of another kind are refused', () => {
  const { privateKey, publicKey } = reader()
  for (let length = 0; length < 200; length++) expect(open(privateKey, randomBytes(length))).toThrow()
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ed = generateKeyPairSync('ed25519')
  for (const key of [rsa, ed]) {
    const spki = key.publicKey.export({ format: 'der', type: 'spki' }).toString('base64url')
    expect(() => sealedBoxes.seal(spki, SECRET, 'here')).toThrow('not X25519')
    const pkcs8 = key.privateKey.export({ format: 'der', type: 'pkcs8' })
    expect(open(pkcs8, sealedBoxes.seal(publicKey, SECRET, 'here'))).toThrow('not X25519')
  }
  expect(() => sealedBoxes.seal('bm8ga2V5', SECRET, 'here')).toThrow()
})

test.skipIf(skipWithout('openssl'))('keys that openssl has made are as good as our own', async () => {
  const dir = await tempDir()
  const [privatePath, publicPath] = [join(dir, 'key.der'), join(dir, 'public.der')]
  execFileSync('openssl', ['genpkey', '-algorithm', 'X25519', '-outform', 'DER', '-out', privatePath], {
    stdio: 'pipe',
  })
  const out = ['-pubout', '-outform', 'DER', '-out', publicPath]
  execFileSync('openssl', ['pkey', '-inform', 'DER', '-in', privatePath, ...out], { stdio: 'pipe' })
  const box = sealedBoxes.seal(readFileSync(publicPath).toString('base64url'), SECRET, 'here')
  expect(open(readFileSync(privatePath), box)()).toEqual(SECRET)
})
