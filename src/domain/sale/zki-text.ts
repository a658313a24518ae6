import type { EpochMs } from '../instant.ts'
import { type Cents, formatMoney } from '../money.ts'
import { formatZagreb } from '../zagreb.ts'

/** The six fields of the issuer protection code (ZKI). */
export interface ZkiInput {
  companyOib: string
  occurredAt: EpochMs
  number: string
  premisesCode: string
  /** OznNapUr: the ISU number of a self-service machine, the register mark of a till. */
  registerMark: string
  totalCents: Cents
}

/**
 * The text whose signature becomes the ZKI (CIS specification, ch. 12). Order and formats are fixed there; nothing
 * separates the fields. The ZKI is the lowercase hex MD5 of the RSASSA-PKCS1-v1_5 SHA-256 signature of its UTF-8 bytes.
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
