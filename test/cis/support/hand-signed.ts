import { createHash, createSign } from 'node:crypto'
import { XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm'
import { ALGORITHMS } from '../../../src/cis/namespaces.ts'
import { pki } from '../../support/pki.ts'
import { F73, SOAP } from './answers.ts'

export interface HandSigning {
  /** Identifier of the signature method. */
  method?: string
  /** Identifier of the digest method. */
  digestMethod?: string
  /** The digest itself, over the canonical answer. */
  digest?: (content: string) => string
  /** The signature value, over the canonical SignedInfo. */
  value?: (signedInfo: string) => string
  uri?: string
  transforms?: string
  /** Put into the SignedInfo, behind the reference. */
  more?: string
  c14n?: string
  keyInfo?: string
}

const NAMESPACES = { soap: SOAP, tns: F73, ds: 'http://www.w3.org/2000/09/xmldsig#' }
const x509 = (pem: string) =>
  `<X509Data><X509Certificate>${pem.replace(/-----[A-Z ]+-----|\s/g, '')}</X509Certificate></X509Data>`
const hashed = (hash: string) => (content: string) => createHash(hash).update(content).digest('base64')
const rsa = (hash: string) => (signedInfo: string) =>
  createSign(`RSA-${hash}`).update(signedInfo).sign(pki.signer.keyPem, 'base64')

const TRANSFORMS =
  `<Transform Algorithm="${ALGORITHMS.envelopedSignature}"/>` + `<Transform Algorithm="${ALGORITHMS.inclusiveC14n}"/>`

/** Signs the answer in a document with whatever algorithms are wanted, right or wrong, in place. */
export function handSigned(document: string, signing: HandSigning = {}): string {
  const { method = ALGORITHMS.rsaSha256, digestMethod = ALGORITHMS.sha256, digest = hashed('sha256') } = signing
  const { value = rsa('sha256'), uri = '#G1', transforms = TRANSFORMS, more = '' } = signing
  const { c14n = ALGORITHMS.inclusiveC14n, keyInfo = x509(pki.signer.certPem) } = signing
  const digested = digest(canonical(document, '//tns:RacunOdgovor'))
  const unsigned = document.replace(
    '</tns:RacunOdgovor>',
    `<Signature xmlns="${NAMESPACES.ds}"><SignedInfo><CanonicalizationMethod Algorithm="${c14n}"/>` +
      `<SignatureMethod Algorithm="${method}"/><Reference${uri === '' ? '' : ` URI="${uri}"`}>` +
      `<Transforms>${transforms}</Transforms><DigestMethod Algorithm="${digestMethod}"/>` +
      `<DigestValue>${digested}</DigestValue></Reference>${more}</SignedInfo><SignatureValue/>` +
      `<KeyInfo>${keyInfo}</KeyInfo></Signature>$&`,
  )
  const signedInfo = canonical(unsigned, '//ds:SignedInfo')
  return unsigned.replace('<SignatureValue/>', `<SignatureValue>${value(signedInfo)}</SignatureValue>`)
}

/** Signed with SHA-1 throughout, as the service did in 2023. */
export const SHA1: HandSigning = {
  method: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
  digestMethod: 'http://www.w3.org/2000/09/xmldsig#sha1',
  digest: hashed('sha1'),
  value: rsa('sha1'),
}

export { hashed, rsa }

function canonical(document: string, path: string): string {
  const parsed = XmlDocument.fromString(document)
  try {
    return (parsed.root.get(path, NAMESPACES) as XmlElement).canonicalizeToString({ mode: XmlC14NMode.XML_C14N_1_0 })
  } finally {
    parsed.dispose()
  }
}
