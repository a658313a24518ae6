/**
 * Tells whether a value is an OIB: 11 digits, the last one being the ISO 7064 MOD 11,10 check digit.
 */
export function isOib(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{11}$/.test(value)) return false
  return oibCheckDigit(value.slice(0, 10)) === Number(value[10])
}

/** The check digit of the first ten digits of an OIB (ISO 7064 MOD 11,10). */
export function oibCheckDigit(firstTen: string): number {
  let rest = 10
  for (const digit of firstTen) {
    const sum = (rest + Number(digit)) % 10 || 10
    rest = (sum * 2) % 11
  }
  return (11 - rest) % 10
}
