import { X509Certificate } from 'node:crypto'
import { type CisError, cisError } from './errors.ts'
import type { Pki } from './pki.ts'

/**
 * `s002` when the certificate does not chain to the PKI or is not valid now, `s003` when it contains no OIB, `s005`
 * when one of its OIBs is not the message's.
 */
export function judgeCertificate(certificate: X509Certificate, oib: string, pki: Pki, now: number): CisError | null {
  if (!chains(certificate, pki, now)) return cisError('s002')
  const oibs = oibsIn(certificate)
  if (oibs.length === 0) return cisError('s003')
  return oibs.every((one) => one === oib) ? null : cisError('s005')
}

function chains(leaf: X509Certificate, pki: Pki, now: number): boolean {
  const [root, issuing] = pki.bundleDer.map((der) => new X509Certificate(der))
  if (root === undefined || issuing === undefined) return false
  const inTime = [leaf, issuing, root].every((c) => Date.parse(c.validFrom) <= now && now <= Date.parse(c.validTo))
  return inTime && !leaf.ca && leaf.checkIssued(issuing) && leaf.verify(issuing.publicKey)
}

/** The OIBs in both places of the subject: at the end of `O`, and in `organizationIdentifier` (docs/spec/cis.md). */
function oibsIn(certificate: X509Certificate): string[] {
  const parts = certificate.subject.split('\n')
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const found = [
    ...valuesOf('O').map((text) => /(?:^|\s)HR(\d{11})$/.exec(text)?.[1]),
    ...valuesOf('organizationIdentifier').map((text) => /^(?:HR|VATHR-)(\d{11})$/.exec(text)?.[1]),
  ]
  return found.filter((oib) => oib !== undefined)
}
