import { SignedXml } from 'xml-crypto'
import type { SigningIdentity } from '../fiscal/ports.ts'
import { ALGORITHMS } from './algorithms.ts'
import { issuerAndSerial } from './distinguished-name.ts'
import type { UnsignedMessage } from './message.ts'
import { escapeText } from './xml-writer.ts'

/**
 * Signs a message with an enveloped signature on its root (CIS specification, ch. 7). The signature goes in as the last
 * child, without a prefix; every other byte of the message stays as it was written.
 */
export function signMessage(message: UnsignedMessage, identity: SigningIdentity): string {
  const signer = new SignedXml({
    privateKey: identity.privateKey,
    canonicalizationAlgorithm: ALGORITHMS.exclusiveC14n,
    signatureAlgorithm: ALGORITHMS.rsaSha256,
    getKeyInfoContent: () => keyInfoOf(identity.certificateDer),
  })
  signer.addReference({
    xpath: '/*',
    uri: `#${message.id}`,
    transforms: [ALGORITHMS.envelopedSignature, ALGORITHMS.exclusiveC14n],
    digestAlgorithm: ALGORITHMS.sha256,
  })
  signer.computeSignature(message.xml)
  const end = message.xml.lastIndexOf('</')
  return message.xml.slice(0, end) + signer.getSignatureXml() + message.xml.slice(end)
}

/** A certificate is held as one buffer for as long as it signs, so its description is written once. */
const keyInfos = new WeakMap<Buffer, string>()

function keyInfoOf(certificateDer: Buffer): string {
  const known = keyInfos.get(certificateDer)
  if (known !== undefined) return known
  const { issuerName, serialNumber } = issuerAndSerial(certificateDer)
  const written =
    `<X509Data><X509Certificate>${certificateDer.toString('base64')}</X509Certificate>` +
    `<X509IssuerSerial><X509IssuerName>${escapeText(issuerName)}</X509IssuerName>` +
    `<X509SerialNumber>${serialNumber}</X509SerialNumber></X509IssuerSerial></X509Data>`
  keyInfos.set(certificateDer, written)
  return written
}
