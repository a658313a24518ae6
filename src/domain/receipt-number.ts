const NUMBER = /^[1-9]\d{0,19}$/

/** Tells whether a value is a receipt number (BrOznRac): up to 20 digits, no leading zeros, not `0`. */
export function isReceiptNumber(value: unknown): value is string {
  return typeof value === 'string' && NUMBER.test(value)
}

/** The mark of a device or register (OznNapUr, the ISU number included): up to 20 digits, no leading zeros, not `0`. */
export const isRegisterMark = isReceiptNumber

/** OznPosPr: the business premises code as registered with the tax authority. */
export function isPremisesCode(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-zA-Z]{1,20}$/.test(value)
}

/**
 * The number after the highest one used, `1` at the start of a year.
 * @returns `undefined` when the 20 digits that CIS allows are used up.
 */
export function nextReceiptNumber(highest: string | undefined): string | undefined {
  const next = (BigInt(highest ?? 0) + 1n).toString()
  return isReceiptNumber(next) ? next : undefined
}

/** The higher one of two receipt numbers; numbers have no leading zeros, so the longer one is higher. */
export function higherReceiptNumber(a: string | undefined, b: string): string {
  return a !== undefined && BigInt(a) > BigInt(b) ? a : b
}

/** How numbers are counted: `P` one sequence per premises, `N` one per register (OznSlijed). */
export type SequenceMark = 'P' | 'N'

/** What a buyer sees as the number: `number/premises/register`. */
export function printedNumber(number: string, premisesCode: string, registerMark: string): string {
  return `${number}/${premisesCode}/${registerMark}`
}
