import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Vault } from '../fiscal/ports/certificates.ts'

export const VAULT_KEY_BYTES = 32

/** The first byte of every sealed secret, the format version. */
const VERSION = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** How much longer than a secret its `encrypted` form is. */
export const OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES

/** AES-256-GCM, bound to a context, as `nonce | tag | ciphertext`. */
export function encrypted(key: Buffer, secret: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const content = Buffer.concat([cipher.update(secret), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), content])
}

/** @throws Error with another key or context, and for changed bytes */
export function decrypted(key: Buffer, bytes: Buffer, context: string): Buffer {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, OVERHEAD_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(OVERHEAD_BYTES)), decipher.final()])
}

/** Seals secrets with AES-256-GCM as `version | nonce | tag | ciphertext`, bound to a context. @param key 32 bytes */
export function createVault(key: Buffer): Vault {
  if (key.length !== VAULT_KEY_BYTES)
    throw new Error(`a vault key has ${VAULT_KEY_BYTES} bytes, this one ${key.length}`)
  return {
    seal: (secret, context) => Buffer.concat([Buffer.of(VERSION), encrypted(key, secret, context)]),

    open(sealed, context) {
      if (sealed.length < 1 + OVERHEAD_BYTES) throw new Error('the sealed secret is cut short')
      if (sealed[0] !== VERSION)
        throw new Error(`the sealed secret has version ${sealed[0]}, this fiskd knows ${VERSION}`)
      try {
        return decrypted(key, sealed.subarray(1), context)
      } catch (cause) {
        const why = 'the vault key is not the one it was sealed with, or it was changed or moved to another place'
        throw new Error(`the secret of ${context} does not open: ${why}`, { cause })
      }
    },
  }
}
