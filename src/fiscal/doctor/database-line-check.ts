import { warning } from '../../domain/check.ts'
import { type Both, together } from '../../domain/texts/both.ts'
import type { HealthCheck } from './doctor.ts'

/** @param hosts of the database, where another machine may answer in their place */
export function databaseLineChecks(hosts: readonly string[]): HealthCheck[] {
  return hosts.length === 0 ? [] : [{ name: NAME, run: async () => [warning(NAME, unproven(hosts), PROVE)] }]
}

export const unproven = (hosts: readonly string[]): Both => together`${OPEN}${hosts.join(', ')}`

const NAME = { en: 'database connection', hr: 'veza s bazom podataka' }
const OPEN = {
  en: 'others on the way may read and change all that is sent, the password too: nothing proves who answers at ',
  hr: 'drugi na putu mogu čitati i mijenjati sve što se šalje, pa i lozinku: ništa ne dokazuje tko odgovara na ',
}
const PROVE = {
  en: 'give sslmode=verify-full in FISKD_DATABASE_URL, and in sslrootcert the file with the certificate of its authority',
  hr: 'u FISKD_DATABASE_URL upišite sslmode=verify-full, a u sslrootcert datoteku s certifikatom njezina izdavatelja',
}
