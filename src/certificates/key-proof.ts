import { type KeyObject, sign, verify, type X509Certificate } from 'node:crypto'

/**
 * Whether a private key is that of a certificate. A signature tells more than equal numbers: it also fails for a key
 * whose secret half was damaged. Signed as sales are: RSA with SHA-256.
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
