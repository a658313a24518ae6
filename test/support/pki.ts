import { inject } from 'vitest'
import { type CompanyCertificate, loadPki, type Pki } from '../../src/simulator/pki.ts'

/** The PKI of this test run. */
export const pki: Pki = loadPki(JSON.parse(inject('pkiFiles')))

/** Three companies with correct check digits; the first one is who sells unless a test says otherwise. */
export const OIBS = ['02994650199', '18683136487', '85821130368'] as const

const issued = new Map<string, Promise<CompanyCertificate>>()

/** The certificate of a company, made once per test file. */
export function certificateOf(oib: string): Promise<CompanyCertificate> {
  const made = issued.get(oib) ?? pki.issueCompany({ oib })
  issued.set(oib, made)
  return made
}
