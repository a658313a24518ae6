import { inject } from 'vitest'
import { type CompanyCertificate, loadPki, type Pki } from '../../src/simulator/pki.ts'

/** The PKI of this test run. */
export const pki: Pki = loadPki(JSON.parse(inject('pkiFiles')))

export { OIBS } from './oibs.ts'

const issued = new Map<string, Promise<CompanyCertificate>>()

/** The certificate of a company, made once per test file. */
export function certificateOf(oib: string): Promise<CompanyCertificate> {
  const made = issued.get(oib) ?? pki.issueCompany({ oib })
  issued.set(oib, made)
  return made
}
