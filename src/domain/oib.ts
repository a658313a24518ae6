/** 11 digits, the last one the ISO 7064 MOD 11,10 check digit of the others. */
export function isOib(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{11}$/.test(value)) return false
  return oibCheckDigit(value.slice(0, 10)) === Number(value[10])
}

export function oibCheckDigit(firstTen: string): number {
  let rest = 10
  for (const digit of firstTen) {
    const sum = (rest + Number(digit)) % 10 || 10
    rest = (sum * 2) % 11
  }
  return (11 - rest) % 10
}

/** Which digits of a typed OIB are missing or wrong; null when it is an OIB. */
export function oibFault(typed: string): string | null {
  const characters = [...typed]
  const odd = characters.findIndex((character) => !/^[0-9]$/.test(character))
  if (odd >= 0) return `An OIB has 11 digits: "${characters[odd]}" at place ${odd + 1} is no digit.`
  const { length } = characters
  if (length !== 11) {
    const apart = Math.abs(11 - length)
    const many = length < 11 ? `${apart} ${apart === 1 ? 'is' : 'are'} missing` : `${apart} too many`
    return `An OIB has 11 digits, and these are ${length}: ${many}.`
  }
  const right = oibCheckDigit(typed.slice(0, 10))
  if (right === Number(typed[10])) return null
  return `This is not an OIB: its last digit is a check digit, and after ${typed.slice(0, 10)} it would be ${right}, not ${typed[10]}. One of the 11 digits is mistyped.`
}
