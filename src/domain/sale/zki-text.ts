import { type Cents, formatMoney } from '../money.ts'
import { formatZagreb } from '../zagreb.ts'
import type { FiscalDocument } from './sale.ts'

export type ZkiInput = Pick<
  FiscalDocument,
  'companyOib' | 'occurredAt' | 'number' | 'premisesCode' | 'registerMark'
> & { totalCents: Cents }

/**
 * The text whose signature becomes the ZKI (CIS specification, ch. 12, which fixes order and formats): the lowercase hex
 * MD5 of the RSASSA-PKCS1-v1_5 SHA-256 signature of its UTF-8 bytes.
 */
export function zkiText(sale: ZkiInput): string {
  return [
    sale.companyOib,
    formatZagreb(sale.occurredAt, 'dd.MM.yyyy HH:mm:ss'), // a space here, a T in the message
    sale.number,
    sale.premisesCode,
    sale.registerMark,
    formatMoney(sale.totalCents),
  ].join('')
}
