import { createHash, createSign, type KeyObject } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import { textAt } from './xml.ts'

/**
 * Whether the ZKI of a receipt matches a key of its company (CIS specification, ch. 12); null when no key of the
 * company is known. The real service has no private keys and cannot check this. A ZKI made with the key of an earlier
 * certificate stays valid, so any key of the company is accepted.
 */
export function zkiMatches(receipt: XmlElement, companyKeys: readonly KeyObject[]): boolean | null {
  if (companyKeys.length === 0) return null
  const text = protectedText(receipt)
  // RSASSA-PKCS1-v1_5 has no randomness: the same text and key give the same signature.
  const codes = companyKeys.map((key) => createHash('md5').update(createSign('RSA-SHA256').update(text).sign(key)))
  return codes.some((code) => code.digest('hex') === textAt(receipt, 'ZastKod'))
}

function protectedText(receipt: XmlElement): string {
  const read = (...path: string[]) => textAt(receipt, ...path) ?? ''
  const moment = read('DatVrijeme').replace('T', ' ')
  const number = read('BrRac', 'BrOznRac') + read('BrRac', 'OznPosPr') + read('BrRac', 'OznNapUr')
  return read('Oib') + moment + number + read('IznosUkupno').replace('+', '')
}
