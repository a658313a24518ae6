import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createVault } from '../../../src/certificates/vault.ts'
import { createCommandSigner } from '../../../src/fiscal/gateways/command-delivery.ts'
import { openStore } from '../../../src/store/store.ts'
import { tempDir } from '../../support/temp-dir.ts'

const vault = createVault(randomBytes(32))

test('processes that make the key at once end with one, which later ones find', async () => {
  const path = join(await tempDir(), 'fiskd.db')
  const stores = [await openStore(path, 1), await openStore(path, 1), await openStore(path, 1)]
  onTestFinished(async () => {
    for (const store of stores) await store.close()
  })
  const signers = stores.map(({ meta }) => createCommandSigner(meta, vault))
  const [key, ...others] = await Promise.all(signers.map((signer) => signer.publicKey()))
  expect(others).toEqual([key, key])
  const bytes = Buffer.from('a command')
  const signatures = await Promise.all(signers.map(async (signer) => (await signer.signing())(bytes)))
  const publicKey = createPublicKey({ key: Buffer.from(String(key), 'base64url'), format: 'der', type: 'spki' })
  for (const signature of signatures) {
    expect(verify(null, bytes, publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
  }
})

test('the key is in the database only sealed, and opens with the vault key alone', async () => {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  onTestFinished(() => store.close())
  await createCommandSigner(store.meta, vault).publicKey()
  // How every Ed25519 key begins in PKCS#8 (RFC 8410).
  const head = Buffer.from('302e020100300506032b6570', 'hex')
  expect(Buffer.concat([readFileSync(path), readFileSync(`${path}-wal`)]).includes(head)).toBe(false)
  await expect(createCommandSigner(store.meta, createVault(randomBytes(32))).publicKey()).rejects.toThrow('vault key')
})
