import { type KeyObject, sign, verify, type X509Certificate } from 'node:crypto'

/**
 * Whether a private key belongs to a certificate. A test signature proves more than equal public numbers: it also fails
 * when the private part of the key is damaged. Signed as sales are, with RSA and SHA-256.
 */
export function belongsTogether(key: KeyObject, certificate: X509Certificate): boolean {
  try {
    if (!certificate.checkPrivateKey(key)) return false
    const sample = Buffer.from('fiskd')
    return verify('sha256', sample, certificate.publicKey, sign('sha256', sample, key))
  } catch {
    return false
  }
}
