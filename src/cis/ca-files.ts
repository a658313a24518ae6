import { X509Certificate } from 'node:crypto'
import type { TrustedCertificate } from '../fiscal/ports.ts'

/** A file that cannot be trusted; the message says what is in it and what to bring instead. */
export class CaFileRefusal extends Error {}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g

/**
 * Reads the CA certificates of a PEM file, one or many, or of a DER file.
 * @throws CaFileRefusal when it holds anything else: a leaf, a key, a container, nothing
 */
export function readCaFile(file: Buffer): X509Certificate[] {
  const text = file.toString('latin1')
  const certificates = text.includes('-----BEGIN') ? readPem(text) : [parse(file, 'it')]
  for (const certificate of certificates) {
    if (certificate.ca) continue
    throw new CaFileRefusal(
      `${subjectOf(certificate)} is no certificate authority: add the certificates of its issuers, root and intermediate`,
    )
  }
  return certificates
}

/** How a trusted certificate is shown to people. */
export function describeCertificate(certificate: X509Certificate): TrustedCertificate {
  return {
    subject: subjectOf(certificate),
    fingerprint: certificate.fingerprint256.replaceAll(':', ''),
    notAfter: Date.parse(certificate.validTo),
  }
}

function readPem(text: string): X509Certificate[] {
  return (text.match(BLOCK) ?? [cut()]).map((block, i) => {
    const kind = block.slice('-----BEGIN '.length, block.indexOf('-----', 1))
    if (kind !== 'CERTIFICATE') throw new CaFileRefusal(`a PEM block in it is a ${kind}, not a CERTIFICATE`)
    return parse(Buffer.from(block, 'latin1'), `PEM block ${i + 1} in it`)
  })
}

function cut(): never {
  throw new CaFileRefusal('it looks like PEM, but no block in it is complete')
}

function parse(bytes: Buffer, what: string): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch {
    throw new CaFileRefusal(`${what} is not an X.509 certificate in PEM or DER form`)
  }
}

/** Most specific part first; Node writes one part a line, the other way round. */
function subjectOf(certificate: X509Certificate): string {
  return certificate.subject.split('\n').reverse().join(',')
}
