import type { EpochMs } from '../domain/instant.ts'
import { formatName } from '../x509/distinguished-name.ts'
import { isSelfIssued, type ParsedCertificate } from '../x509/parsed-certificate.ts'
import { CERTIFICATE_BOUNDS } from './bounds.ts'
import { nameOf, refusalAsIssuer, refusalOfCertificate, refusalOfSignature } from './chain-rules.ts'

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

function unknownIssuer(certificate: ParsedCertificate): string {
  return `no certificate of the trust bundle issued ${nameOf(certificate)}; its issuer is ${formatName(certificate.pki.issuer)}`
}

function signed(certificate: ParsedCertificate, issuer: ParsedCertificate): boolean {
  try {
    return certificate.openssl.verify(issuer.openssl.publicKey)
  } catch {
    return false // a kind of key that OpenSSL does not support
  }
}
