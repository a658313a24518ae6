/** An amount in euro cents. Money is never a float here. */
export type Cents = bigint

/** The digits before the dot. */
export const MONEY_DIGITS = 15

const MONEY = new RegExp(`^-?(?:0|[1-9]\\d{0,${MONEY_DIGITS - 1}})\\.\\d{2}$`)

/**
 * Reads the only accepted form of money: exactly two decimals after a dot, no plus sign, no leading zeros, no `-0.00`,
 * at most 15 digits before the dot (docs/spec/interface.md, Data formats; the CIS schema's limit).
 */
export function parseMoney(value: unknown): Cents | undefined {
  if (typeof value !== 'string' || !MONEY.test(value) || value === '-0.00') return undefined
  return BigInt(value.replace('.', ''))
}

/** Of an amount that was checked before it was stored. @throws Error when it is no amount, as in a damaged database */
export function centsOf(money: string): Cents {
  const cents = parseMoney(money)
  if (cents === undefined) throw new Error(`${money} is no amount`)
  return cents
}

/** Formats cents as in all documents: `4.50`, `0.00`, `-105.50`. */
export function formatMoney(cents: Cents): string {
  const sign = cents < 0n ? '-' : ''
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
