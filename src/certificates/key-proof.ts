import { type KeyObject, sign, verify, type X509Certificate } from 'node:crypto'
import { attempt } from '../domain/attempt.ts'

const SAMPLE = Buffer.from('fiskd')

/**
 * Whether a private key belongs to a certificate. A test signature proves more than equal public numbers: it also fails
 * when the private part of the key is damaged. Signed as sales are, with RSA and SHA-256.
 */
export function belongsTogether(key: KeyObject, certificate: X509Certificate): boolean {
  const proves = () => verify('sha256', SAMPLE, certificate.publicKey, sign('sha256', SAMPLE, key))
  return attempt(() => certificate.checkPrivateKey(key) && proves(), false)
}
