import { type KeyObject, sign, verify, type X509Certificate } from 'node:crypto'
import { attempt } from '../domain/attempt.ts'

const SAMPLE = Buffer.from('fiskd')

/** A test signature, as of a sale: unlike equal public numbers it also proves that the private part is undamaged. */
export function belongsTogether(key: KeyObject, certificate: X509Certificate): boolean {
  const proves = () => verify('sha256', SAMPLE, certificate.publicKey, sign('sha256', SAMPLE, key))
  return attempt(() => certificate.checkPrivateKey(key) && proves(), false)
}
