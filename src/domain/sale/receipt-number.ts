/** The limits of CIS. */
export const NUMBER_DIGITS = 20
export const PREMISES_CODE_LENGTH = 20

const NUMBER = new RegExp(`^[1-9]\\d{0,${NUMBER_DIGITS - 1}}$`)
const PREMISES_CODE = new RegExp(`^[0-9a-zA-Z]{1,${PREMISES_CODE_LENGTH}}$`)

/** Tells whether a value is a receipt number (BrOznRac): up to 20 digits, no leading zeros, not `0`. */
export function isReceiptNumber(value: unknown): value is string {
  return typeof value === 'string' && NUMBER.test(value)
}

/** The mark of a device or register (OznNapUr, the ISU number included): up to 20 digits, no leading zeros, not `0`. */
export const isRegisterMark = isReceiptNumber

/** OznPosPr: the business premises code as registered with the tax authority. */
export function isPremisesCode(value: unknown): value is string {
  return typeof value === 'string' && PREMISES_CODE.test(value)
}

/** `1` at the start of a year; undefined when the 20 digits that CIS allows are used up. */
export function nextReceiptNumber(highest: string | undefined): string | undefined {
  const next = (BigInt(highest ?? 0) + 1n).toString()
  return isReceiptNumber(next) ? next : undefined
}

/** The higher one of two receipt numbers; numbers have no leading zeros, so the longer one is higher. */
export function higherReceiptNumber(a: string | undefined, b: string): string {
  return a !== undefined && BigInt(a) > BigInt(b) ? a : b
}

/** The counting follows a number at most this far above the highest number of its sequence. */
export const REACH = 1_000_000n
/** The reach in an empty sequence: a machine may come from another system in the middle of a year. */
export const REACH_OF_EMPTY = 10_000_000n

/** Whether the counting follows a number. Following a number farther ahead would soon leave none to count with. */
export function isWithinReach(number: string, highest: string | undefined): boolean {
  return BigInt(number) <= (highest === undefined ? REACH_OF_EMPTY : BigInt(highest) + REACH)
}

/**
 * The highest number if the counting had followed only those within reach, of numbers in no order.
 * @returns undefined when there is none, or the smallest one is already too far ahead
 */
export function highestWithinReach(numbers: readonly string[]): string | undefined {
  const inOrder = numbers.map(BigInt).sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  let highest: string | undefined
  for (const number of inOrder.map(String)) {
    if (!isWithinReach(number, highest)) return highest
    highest = number
  }
  return highest
}

/** The highest number that a receipt can have: CIS accepts 20 digits. */
const HIGHEST_NUMBER = '9'.repeat(20)
/** A sequence with fewer numbers left is close to its end: no machine makes this many sales in a year. */
export const FEW_NUMBERS = 1_000_000n
/** A sequence that has reached this number is close to its end. */
export const NEAR_THE_END = String(BigInt(HIGHEST_NUMBER) - FEW_NUMBERS + 1n)

export function numbersLeft(highest: string): bigint {
  return BigInt(HIGHEST_NUMBER) - BigInt(highest)
}

/** How numbers are counted: `P` one sequence per premises, `N` one per register (OznSlijed). */
export type SequenceMark = 'P' | 'N'

/** The register of a sequence; the empty text where a premises has one sequence. */
export function sequenceRegister(of: { sequenceMark: SequenceMark; registerMark: string }): string {
  return of.sequenceMark === 'N' ? of.registerMark : ''
}

/** The number on a receipt: `number/premises/register`. */
export function printedNumber(number: string, premisesCode: string, registerMark: string): string {
  return `${number}/${premisesCode}/${registerMark}`
}

/** A customer knows the PDF file by what stands on the receipt: letters and digits. */
export function receiptFileName(of: { number: string; premisesCode: string; registerMark: string }): string {
  return `Racun-${of.number}-${of.premisesCode}-${of.registerMark}.pdf`
}
