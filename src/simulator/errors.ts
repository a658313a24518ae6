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
  s011: 'Podaci računa mogu se promijeniti samo na dan izdavanja računa.',
  s012: 'Podaci računa nisu jednaki podacima fiskaliziranog računa.',
  s013: 'Račun sadrži restriktivne pogreške.',
  v100: 'Provjera nije pronašla pogreške.',
}

const GENERAL_TEXTS: Readonly<Record<string, string>> = {
  s1: 'Neispravni podaci o radnom vremenu.',
  v1: 'Pogreška u podacima računa.',
}

/** The longest error text the answer's schema allows. */
const MAX_MESSAGE = 500

/** @param detail the exact fault, appended to the fixed text */
export function cisError(code: string, detail?: string): CisError {
  const text = ERROR_TEXTS[code] ?? GENERAL_TEXTS[code.slice(0, 2)] ?? 'Nepoznata pogreška.'
  return { code, message: (detail === undefined ? text : `${text} ${detail}`).slice(0, MAX_MESSAGE) }
}

/** `s013`, whose text lists the restrictive codes. */
export function restrictiveError(codes: readonly number[]): CisError {
  return cisError('s013', `Šifre pogrešaka: ${codes.join(', ')}`)
}
