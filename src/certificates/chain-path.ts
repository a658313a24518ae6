import { BitString } from 'asn1js'
import { BasicConstraints, RSASSAPSSParams } from 'pkijs'
import { attempt } from '../domain/attempt.ts'
import type { EpochMs } from '../domain/instant.ts'
import { formatName } from '../x509/distinguished-name.ts'
import { isSelfIssued, type ParsedCertificate } from '../x509/parsed-certificate.ts'
import { CERTIFICATE_BOUNDS } from './bounds.ts'

export interface ChainMaterial {
  anchors: ParsedCertificate[]
  /** Possible intermediate certificates, trusted or not. */
  others: ParsedCertificate[]
}

/** The self-signed certificates of a bundle. Only these can end a chain. */
export function anchorsOf(bundle: ParsedCertificate[]): ParsedCertificate[] {
  return bundle.filter((certificate) => isSelfIssued(certificate) && signed(certificate, certificate))
}

/**
 * Finds a chain from the leaf to an anchor in which every certificate may have its role at the moment. pkijs can
 * search, too, but only along the shortest chain, without path lengths, and endlessly when certificates sign each other
 * in a circle. Therefore it only validates the finished chain.
 * @returns the chain, the leaf first and the anchor last, or the reason why there is none
 */
export function findPath(
  leaf: ParsedCertificate,
  material: ChainMaterial,
  at: EpochMs,
): ParsedCertificate[] | { reason: string } {
  if (material.anchors.some((anchor) => anchor.der.equals(leaf.der))) {
    return { reason: `${nameOf(leaf)} is itself a root of the trust bundle; it was not issued by one` }
  }
  const refusal = refusalOfCertificate(leaf, at) ?? refusalOfSignature(leaf)
  if (refusal) return { reason: refusal }

  let signatures = 0
  let reason: string | undefined
  const search = (path: ParsedCertificate[]): ParsedCertificate[] | null => {
    const last = path.at(-1)
    if (!last || path.length >= CERTIFICATE_BOUNDS.path.most) return null
    for (const [candidates, anchor] of [
      [material.anchors, true],
      [material.others, false],
    ] as const) {
      for (const issuer of candidates) {
        if (path.includes(issuer) || !issuer.pki.subject.isEqual(last.pki.issuer)) continue
        if (++signatures > CERTIFICATE_BOUNDS.signatures.most || !signed(last, issuer)) continue
        const refused =
          refusalOfCertificate(issuer, at) ??
          (anchor ? null : refusalOfSignature(issuer)) ??
          refusalAsIssuer(issuer, path, anchor)
        if (refused) {
          reason ??= refused
          continue
        }
        const found = anchor ? [...path, issuer] : search([...path, issuer])
        if (found) return found
        reason ??= unknownIssuer(issuer)
      }
    }
    return null
  }
  return search([leaf]) ?? { reason: reason ?? unknownIssuer(leaf) }
}

const unknownIssuer = (certificate: ParsedCertificate): string =>
  `no certificate of the trust bundle issued ${nameOf(certificate)}; its issuer is ${formatName(certificate.pki.issuer)}`

// a kind of key that OpenSSL does not support
const signed = (certificate: ParsedCertificate, issuer: ParsedCertificate): boolean =>
  attempt(() => certificate.openssl.verify(issuer.openssl.publicKey), false)

const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const KEY_CERT_SIGN = 0x04
const RSA_PSS = '1.2.840.113549.1.1.10'

/** Accepted signature algorithms with SHA-2; signatures with MD5 and SHA-1 can be forged. */
const SIGNATURES = new Set([
  '1.2.840.113549.1.1.11', // sha256WithRSAEncryption
  '1.2.840.113549.1.1.12', // sha384WithRSAEncryption
  '1.2.840.113549.1.1.13', // sha512WithRSAEncryption
  '1.2.840.10045.4.3.2', // ecdsa-with-SHA256
  '1.2.840.10045.4.3.3', // ecdsa-with-SHA384
  '1.2.840.10045.4.3.4', // ecdsa-with-SHA512
])
const SHA2 = new Set(['2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3'])

/** Critical extensions that this check or pkijs processes; any other one refuses the chain (RFC 5280, 4.2). */
const UNDERSTOOD = new Set([
  BASIC_CONSTRAINTS,
  KEY_USAGE,
  '2.5.29.17', // subject alternative name
  '2.5.29.30', // name constraints
  '2.5.29.32', // certificate policies
  '2.5.29.33', // policy mappings
  '2.5.29.36', // policy constraints
  '2.5.29.37', // extended key usage
  '2.5.29.54', // inhibit anyPolicy
])

/** Why a certificate is not acceptable at a moment, at any place in a chain; null when it is. */
function refusalOfCertificate(certificate: ParsedCertificate, at: EpochMs): string | null {
  const { pki } = certificate
  const name = nameOf(certificate)
  if (at < pki.notBefore.value.getTime()) return `${name} is not valid before ${pki.notBefore.value.toISOString()}`
  if (at > pki.notAfter.value.getTime()) return `${name} expired at ${pki.notAfter.value.toISOString()}`
  for (const { critical, extnID, parsedValue } of pki.extensions ?? []) {
    const unreadable = !parsedValue || 'parsingError' in parsedValue
    if (critical && (unreadable || !UNDERSTOOD.has(extnID))) {
      return `${name} has a critical extension that is not understood (${extnID})`
    }
  }
  return null
}

/** Why a certificate's own signature is too weak. Anchors are trusted without this check. */
function refusalOfSignature(certificate: ParsedCertificate): string | null {
  const { algorithmId, algorithmParams } = certificate.pki.signatureAlgorithm
  if (SIGNATURES.has(algorithmId)) return null
  if (algorithmId === RSA_PSS) {
    const { hashAlgorithm } = new RSASSAPSSParams({ schema: algorithmParams })
    if (SHA2.has(hashAlgorithm.algorithmId)) return null
  }
  return `${nameOf(certificate)} carries a signature that is too weak or unknown (${algorithmId}), such as MD5 or SHA-1`
}

/** Why a certificate may not have issued the last one of `below` (the leaf first); null when it may. */
function refusalAsIssuer(issuer: ParsedCertificate, below: ParsedCertificate[], anchor: boolean): string | null {
  const name = nameOf(issuer)
  const constraints = extensionOf(issuer, BASIC_CONSTRAINTS)
  if (!(constraints instanceof BasicConstraints) || !constraints.cA) return `${name} is not a certificate authority`
  const usage = extensionOf(issuer, KEY_USAGE)
  const maySign = usage instanceof BitString && ((usage.valueBlock.valueHexView[0] ?? 0) & KEY_CERT_SIGN) !== 0
  // Old roots have no key usage; authorities below a root must have it since RFC 3280.
  if (!maySign && !(anchor && usage === undefined)) return `${name} may not issue certificates (key usage)`
  const limit = constraints.pathLenConstraint
  const between = below.slice(1).filter((certificate) => !isSelfIssued(certificate)).length
  if (limit !== undefined && between > Number(limit)) {
    return `${name} allows ${String(limit)} authorities below it, the chain has ${between}`
  }
  return null
}

const nameOf = (certificate: ParsedCertificate): string => `the certificate ${formatName(certificate.pki.subject)}`

const extensionOf = (certificate: ParsedCertificate, id: string): unknown =>
  certificate.pki.extensions?.find((extension) => extension.extnID === id)?.parsedValue
