import { createPublicKey, verify } from 'node:crypto'

/**
 * False also for what is no key or signature. @param signature base64url @param serverKey Ed25519, SPKI DER as
 * base64url
 */
export function isSignatureOf(bytes: Buffer, signature: string, serverKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(serverKey, 'base64url'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
