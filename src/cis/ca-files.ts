import { X509Certificate } from 'node:crypto'
import type { EpochMs } from '../domain/instant.ts'
import type { TrustedCertificate } from '../fiscal/ports.ts'

/** A file that cannot be trusted; the message says what is in it and what to bring instead. */
export class CaFileRefusal extends Error {}

const [BEGIN, END] = ['-----BEGIN ', '-----END ']

/**
 * Reads the CA certificates of a PEM file, one or many, or of a DER file.
 * @throws CaFileRefusal when it holds anything else: a leaf, a key, a container, nothing
 */
export function readCaFile(file: Buffer): X509Certificate[] {
  const text = file.toString('latin1')
  const certificates = text.includes(BEGIN) ? readPem(text) : [readDer(file)]
  for (const certificate of certificates) {
    if (certificate.ca) continue
    throw new CaFileRefusal(
      `${subjectOf(certificate)} is no certificate authority: add the certificates of its issuers, root and intermediate`,
    )
  }
  return certificates
}

/** @throws CaFileRefusal when one of them has run out */
export function refuseExpired(certificates: X509Certificate[], now: EpochMs): void {
  const expired = certificates.find(({ validTo }) => Date.parse(validTo) < now)
  if (!expired) return
  const day = new Date(expired.validTo).toISOString().slice(0, 10)
  throw new CaFileRefusal(`${subjectOf(expired)} ran out on ${day}: bring the certificate that replaced it`)
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
  const [before = '', ...blocks] = text.split(BEGIN)
  if (before.includes(END)) throw cut()
  return blocks.map((block, i) => {
    const kind = /^([A-Z0-9 ]{1,40})-----/.exec(block)?.[1]
    const [inside = '', after, ...more] = block.split(END)
    if (kind === undefined || !after?.startsWith(`${kind}-----`) || more.length > 0) throw cut()
    if (kind !== 'CERTIFICATE') throw new CaFileRefusal(`a PEM block in it is a ${kind}, not a CERTIFICATE`)
    return parse(Buffer.from(`${BEGIN}${inside}${END}${kind}-----\n`, 'latin1'), `PEM block ${i + 1} in it`)
  })
}

function readDer(file: Buffer): X509Certificate {
  const certificate = parse(file, 'it')
  // The parser stops where the certificate ends.
  if (certificate.raw.length === file.length) return certificate
  throw new CaFileRefusal('something follows the certificate in it: bring several certificates as PEM, or one by one')
}

function cut(): CaFileRefusal {
  return new CaFileRefusal('it looks like PEM, but a block in it is not complete')
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
