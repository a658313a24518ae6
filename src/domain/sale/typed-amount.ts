import { type Cents, parseMoney } from '../money.ts'

const PLAIN = /^(-?)(\d{1,15})(?:[.,](\d{1,2}))?$/
/** Points between thousands and a comma before the cents, or commas and a point. */
const GROUPED = /^(-?)(\d{1,3}(?:([.,])\d{3})(?:\3\d{3})*)(?:(?!\3)[.,](\d{2}))?$/

/**
 * An amount as people type it: `12`, `12,5`, `12.50 €`, `1.234,50`; undefined for anything else. A single separator
 * with three digits behind it stands between thousands.
 */
export function readTypedAmount(text: string): Cents | undefined {
  const typed = text.replace(/[\s\u20ac]/g, '').replace('\u2212', '-')
  const [, sign = '', euros = '', cents = ''] = PLAIN.exec(typed) ?? []
  const [, groupedSign = '', groups = '', , groupedCents = ''] = GROUPED.exec(typed) ?? []
  const [minus, digits, rest] = euros === '' ? [groupedSign, groups, groupedCents] : [sign, euros, cents]
  if (digits === '') return undefined
  const whole = BigInt(digits.replace(/[.,]/g, ''))
  const amount = parseMoney(`${whole}.${rest.padEnd(2, '0')}`)
  return amount === undefined ? undefined : minus === '-' ? -amount : amount
}
