import { X509Certificate } from 'node:crypto'
import { attempt } from '../../domain/attempt.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { TrustedCertificate } from '../../fiscal/ports/trust.ts'
import { CIS_BOUNDS } from '../bounds.ts'
import { type ListOutline, outlineOf } from './revocation-list-outline.ts'

/** A file that cannot be trusted; the message says what is in it and what to bring instead. */
export class CaFileRefusal extends Error {}

/** The content of a file: authorities, and revocation lists that are not checked yet. */
export interface CaFile {
  authorities: X509Certificate[]
  lists: ListOutline[]
}

const [BEGIN, END] = ['-----BEGIN ', '-----END ']

/** One or many as PEM, or one as DER. @throws CaFileRefusal when it holds anything else: a leaf, a key, nothing */
export function readCaFile(file: Buffer): CaFile {
  const text = file.toString('latin1')
  const items = text.includes(BEGIN) ? readPem(text) : [readDer(file)]
  const authorities = items.filter((item) => item instanceof X509Certificate)
  for (const certificate of authorities) {
    if (certificate.ca) continue
    throw new CaFileRefusal(
      `${subjectOf(certificate)} is no certificate authority: add the certificates of its issuers, root and intermediate`,
    )
  }
  return { authorities, lists: items.filter((item): item is ListOutline => !(item instanceof X509Certificate)) }
}

/** @throws CaFileRefusal when a certificate has expired */
export function refuseExpired(certificates: X509Certificate[], now: EpochMs): void {
  const expired = certificates.find(({ validTo }) => Date.parse(validTo) < now)
  if (!expired) return
  const day = new Date(expired.validTo).toISOString().slice(0, 10)
  throw new CaFileRefusal(`${subjectOf(expired)} ran out on ${day}: bring the certificate that replaced it`)
}

export function describeCertificate(certificate: X509Certificate): TrustedCertificate {
  return {
    subject: subjectOf(certificate),
    fingerprint: certificate.fingerprint256.replaceAll(':', ''),
    notAfter: Date.parse(certificate.validTo),
  }
}

function readPem(text: string): (X509Certificate | ListOutline)[] {
  const [before = '', ...blocks] = text.split(BEGIN)
  if (before.includes(END) || blocks.some((block) => !block.includes(END))) throw cut()
  requireFew(blocks.length)
  return blocks.map((block, i) => {
    const kind = /^([A-Z0-9 ]{1,40})-----/.exec(block)?.[1]
    const [inside = '', after, ...more] = block.split(END)
    if (kind === undefined || !after?.startsWith(`${kind}-----`) || more.length > 0) throw cut()
    const what = `PEM block ${i + 1} in it`
    if (kind === 'X509 CRL') return parse(outlineOf, Buffer.from(inside.slice(kind.length + 5), 'base64'), what)
    if (kind !== 'CERTIFICATE')
      throw new CaFileRefusal(`a PEM block in it is a ${kind}, neither a CERTIFICATE nor an X509 CRL`)
    return parse(certificateOf, Buffer.from(`${BEGIN}${inside}${END}${kind}-----\n`, 'latin1'), what)
  })
}

/** @throws CaFileRefusal for more certificates and lists than are read in one go */
export function requireFew(count: number): void {
  const { most } = CIS_BOUNDS.authorities
  if (count <= most) return
  throw new CaFileRefusal(
    `with it there are more than ${most} certificates and revocation lists: leave out those of others`,
  )
}

function readDer(file: Buffer): X509Certificate | ListOutline {
  const list = attempt(() => outlineOf(file), null)
  if (list !== null) return list
  const certificate = parse(certificateOf, file, 'it')
  // The parser stops where the certificate ends.
  if (certificate.raw.length === file.length) return certificate
  throw new CaFileRefusal('something follows the certificate in it: bring several certificates as PEM, or one by one')
}

const cut = (): CaFileRefusal => new CaFileRefusal('it looks like PEM, but a block in it is not complete')

function parse<T>(read: (bytes: Buffer) => T, bytes: Buffer, what: string): T {
  try {
    return read(bytes)
  } catch {
    throw new CaFileRefusal(`${what} is not an X.509 certificate or revocation list in PEM or DER form`)
  }
}

const certificateOf = (bytes: Buffer): X509Certificate => new X509Certificate(bytes)

export const subjectOf = ({ subject }: X509Certificate): string => nameIn(subject)

/** A subject or issuer, most specific part first; Node writes one part per line, in the opposite order. */
export const nameIn = (name: string): string => name.split('\n').reverse().join(',')

/** The common name of a subject or issuer; the whole name when it has none. */
export const commonNameIn = (name: string): string => /^CN=(.*)$/m.exec(name)?.[1] ?? nameIn(name)
