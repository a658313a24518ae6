import { X509Certificate } from 'node:crypto'
import { Certificate } from 'pkijs'

/** A certificate parsed by both parsers: OpenSSL's for keys and signatures, pkijs for names and extensions. */
export interface ParsedCertificate {
  der: Buffer
  openssl: X509Certificate
  pki: Certificate
}

/** Both parsers must accept it, so that they cannot disagree. @throws Error also when it contains an extension twice */
export function parseCertificate(der: Buffer): ParsedCertificate {
  const openssl = new X509Certificate(der)
  if (!openssl.raw.equals(der)) throw new Error('bytes follow the certificate')
  const pki = Certificate.fromBER(der)
  const extensions = pki.extensions?.map((extension) => extension.extnID) ?? []
  if (new Set(extensions).size !== extensions.length) throw new Error('the certificate holds an extension twice')
  if (Number.isNaN(pki.notBefore.value.getTime()) || Number.isNaN(pki.notAfter.value.getTime())) {
    throw new Error('the certificate has an impossible date')
  }
  return { der, openssl, pki }
}

export function tryParseCertificate(der: Buffer): ParsedCertificate | null {
  try {
    return parseCertificate(der)
  } catch {
    return null
  }
}

/** Whether subject and issuer are the same name, as in every self-signed certificate. */
export function isSelfIssued(certificate: ParsedCertificate): boolean {
  return certificate.pki.subject.isEqual(certificate.pki.issuer)
}
