import { hash, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { type ZkiInput, zkiText } from '../../domain/sale/zki-text.ts'

const signAside = promisify(sign)

/**
 * Computes the ZKI: the MD5 of the RSASSA-PKCS1-v1_5 SHA-256 signature of the ZKI text, 32 lowercase hex characters
 * (CIS specification, ch. 12). MD5 is mandated; it is a fingerprint here, not a defence.
 */
export async function computeZki(sale: ZkiInput, privateKey: KeyObject): Promise<string> {
  const signature = await signAside('sha256', Buffer.from(zkiText(sale), 'utf8'), privateKey)
  return hash('md5', signature)
}
