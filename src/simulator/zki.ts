import { createHash, createSign, type KeyObject } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import { textAt } from './xml.ts'

/**
 * Whether the protective code of a receipt is the one its company's key makes (CIS specification, ch. 12); null when
 * none of the company's keys is known here. The real service has no private key and cannot tell: this is for tests. A
 * code made with an earlier certificate's key stays right after a new one came, so any key of the company will do.
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
