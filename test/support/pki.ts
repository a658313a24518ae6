import { X509Certificate } from 'node:crypto'
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

/** The same certificate with a key of a kind that nobody knows. */
export function withUnknownKey(certPem: string): string {
  const hex = new X509Certificate(certPem).raw.toString('hex')
  const der = Buffer.from(hex.replace('2a864886f70d010101', '2a864886f70d01017f'), 'hex')
  return new X509Certificate(der).toString()
}
