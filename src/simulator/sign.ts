import { createHash, createSign, X509Certificate } from 'node:crypto'
import { XmlElement } from 'libxml2-wasm'
import type { KeyAndCertificate } from './x509.ts'
import { canonicalize, DSIG_NS, escapeXml, INCLUSIVE_C14N, withDocument } from './xml.ts'

/** The position of the signature. A comment, because canonical XML drops comments: the digest is the same without it. */
export const SIGNATURE_PLACE = '<!--potpis-->'

export type SignatureHash = 'sha256' | 'sha1'
export interface SignatureHashes {
  signature: SignatureHash
  digest: SignatureHash
}

const ALGORITHMS = {
  sha256: {
    signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
  },
  sha1: { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', digest: 'http://www.w3.org/2000/09/xmldsig#sha1' },
} as const

/**
 * Puts an enveloped signature into a whole document, as the service signs its answers: inclusive canonical XML in both
 * places, so that the namespaces inherited from the SOAP envelope are signed, too (docs/spec/cis.md, XML signature).
 * @param document XML text that contains `SIGNATURE_PLACE` once
 * @param id value of the `Id` attribute of the element to sign
 */
export function sign(
  document: string,
  id: string,
  signer: KeyAndCertificate,
  hash: SignatureHash | SignatureHashes = 'sha256',
): string {
  const hashes = typeof hash === 'string' ? { signature: hash, digest: hash } : hash
  const digest = createHash(hashes.digest)
    .update(canonicalOf(document, '//*[@Id=$id]', id))
    .digest('base64')
  const unsealed = document.replace(SIGNATURE_PLACE, () => signatureXml(id, digest, signer, hashes))
  const signedInfo = canonicalOf(unsealed, '//ds:SignedInfo', id)
  const value = createSign(`RSA-${hashes.signature.toUpperCase()}`).update(signedInfo).sign(signer.keyPem, 'base64')
  return unsealed.replace('<SignatureValue/>', `<SignatureValue>${value}</SignatureValue>`)
}

function canonicalOf(document: string, path: string, id: string): string {
  return withDocument(document, (parsed) => {
    const element = parsed.root.get(path.replace('$id', `"${id}"`), { ds: DSIG_NS })
    if (!(element instanceof XmlElement)) throw new Error(`nothing to sign at ${path} (${id})`)
    return canonicalize(element, INCLUSIVE_C14N)
  })
}

function signatureXml(id: string, digest: string, signer: KeyAndCertificate, hashes: SignatureHashes): string {
  const certificate = new X509Certificate(signer.certPem)
  // Node writes one attribute a line, most general first; the customary text is the other way round.
  const issuer = certificate.issuer.split('\n').reverse().join(', ')
  const serial = BigInt(`0x${certificate.serialNumber}`).toString()
  return [
    `<Signature xmlns="${DSIG_NS}"><SignedInfo>\n  `,
    `<CanonicalizationMethod Algorithm="${INCLUSIVE_C14N}"/>\n  `,
    `<SignatureMethod Algorithm="${ALGORITHMS[hashes.signature].signature}"/>\n  `,
    `<Reference URI="#${id}">\n    <Transforms>\n      `,
    '<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>\n      ',
    `<Transform Algorithm="${INCLUSIVE_C14N}"/>\n    `,
    `</Transforms>\n    <DigestMethod Algorithm="${ALGORITHMS[hashes.digest].digest}"/>\n    `,
    `<DigestValue>${digest}</DigestValue>\n  </Reference>\n</SignedInfo>`,
    '<SignatureValue/><KeyInfo><X509Data>',
    `<X509Certificate>${certificate.raw.toString('base64')}</X509Certificate>`,
    `<X509IssuerSerial><X509IssuerName>${escapeXml(issuer)}</X509IssuerName>`,
    `<X509SerialNumber>${serial}</X509SerialNumber></X509IssuerSerial>`,
    '</X509Data></KeyInfo></Signature>',
  ].join('')
}
