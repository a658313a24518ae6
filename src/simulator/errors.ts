/** One `Greska` of an answer. */
export interface CisError {
  code: string
  message: string
}

/** The texts the service sends with its codes (CIS specification, error codes). */
const ERROR_TEXTS: Readonly<Record<string, string>> = {
  s001: 'Poruka nije u skladu s XML shemom.',
  s002: 'Certifikat nije izdan od izdavatelja s pouzdanog popisa, istekao je ili je opozvan.',
  s003: 'Certifikat ne sadrži propisane podatke.',
  s004: 'Neispravan digitalni potpis.',
  s005: 'OIB iz poruke zahtjeva nije jednak OIB-u iz certifikata.',
  s006: 'Sistemska pogreška prilikom obrade zahtjeva.',
  s013: 'Račun sadrži restriktivne pogreške.',
}

/** The longest error text the answer's schema allows. */
const MAX_MESSAGE = 500

/** @param detail the exact fault, appended to the fixed text */
export function cisError(code: string, detail?: string): CisError {
  const text = ERROR_TEXTS[code] ?? 'Nepoznata pogreška.'
  return { code, message: (detail === undefined ? text : `${text} ${detail}`).slice(0, MAX_MESSAGE) }
}

/** `s013`, whose text lists the restrictive codes. */
export function restrictiveError(codes: readonly number[]): CisError {
  return cisError('s013', `Šifre pogrešaka: ${codes.join(', ')}`)
}
