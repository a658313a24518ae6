/** Whether a text is an OIB: eleven digits, the last one is the ISO 7064 MOD 11,10 check digit. */
export function hasCheckDigit(oib: string): boolean {
  if (!/^\d{11}$/.test(oib)) return false
  const digits = [...oib].map(Number)
  const rest = digits.slice(0, 10).reduce((carry, digit) => (((carry + digit) % 10 || 10) * 2) % 11, 10)
  return (11 - rest) % 10 === digits[10]
}
