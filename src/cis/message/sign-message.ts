import { hash, sign } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningIdentity } from '../../fiscal/ports/certificates.ts'
import { readDer, TAG } from '../../x509/der.ts'
import { formatName, RFC_2253_NAMES } from '../../x509/distinguished-name.ts'
import { ALGORITHMS, SIGNATURE_NAMESPACE } from '../namespaces.ts'
import type { UnsignedMessage } from './invoice-message.ts'
import { canonicalText, escapeText } from './xml-writer.ts'

/** Signs on the thread pool, so that other sales continue. */
const signAside = promisify(sign)

/**
 * Signs a message with an enveloped signature on its root (CIS specification, ch. 7). The signature goes in as the last
 * child, without a prefix; every other byte of the message stays as it was written. Message and SignedInfo are written
 * in canonical form, so nothing is parsed or canonicalized here: the tests let two other programs do that, and agree.
 * @returns the bytes that are sent: as one text it would be in memory twice
 */
export async function signMessage(message: UnsignedMessage, identity: SigningIdentity): Promise<Buffer> {
  const digest = hash('sha256', canonicalText(message.xml), 'base64')
  // In canonical form: no empty-element tags, and an element that stands alone declares its namespace.
  const signedInfo = `${ALONE}${BEFORE_ID}${message.id}${BEFORE_DIGEST}${digest}</DigestValue></Reference></SignedInfo>`
  const signed = Buffer.from(signedInfo)
  const value = await signAside('sha256', signed, identity.privateKey)
  const end = message.xml.lastIndexOf('</')
  return Buffer.concat([
    Buffer.from(message.xml.slice(0, end)),
    BEFORE_SIGNED_INFO,
    signed.subarray(ALONE.length),
    BEFORE_VALUE,
    Buffer.from(value.toString('base64')),
    behindValue(identity.certificateDer),
    Buffer.from(message.xml.slice(end)),
  ])
}

const ALONE = `<SignedInfo xmlns="${SIGNATURE_NAMESPACE}">`
const BEFORE_SIGNED_INFO = Buffer.from(`<Signature xmlns="${SIGNATURE_NAMESPACE}"><SignedInfo>`)
const BEFORE_VALUE = Buffer.from('<SignatureValue>')

const method = (name: string, algorithm: string) => `<${name} Algorithm="${algorithm}"></${name}>`

const BEFORE_ID = `${method('CanonicalizationMethod', ALGORITHMS.exclusiveC14n)}${method('SignatureMethod', ALGORITHMS.rsaSha256)}<Reference URI="#`
const BEFORE_DIGEST =
  `"><Transforms>${method('Transform', ALGORITHMS.envelopedSignature)}${method('Transform', ALGORITHMS.exclusiveC14n)}` +
  `</Transforms>${method('DigestMethod', ALGORITHMS.sha256)}<DigestValue>`

/** With the KeyInfo, per certificate buffer, which stays the same object while the certificate is in use. */
const ends = new WeakMap<Buffer, Buffer>()

/** The signature from the end of its value on. */
function behindValue(certificateDer: Buffer): Buffer {
  const known = ends.get(certificateDer)
  if (known !== undefined) return known
  const { issuerName, serialNumber } = issuerAndSerial(certificateDer)
  const written = Buffer.from(
    `</SignatureValue><KeyInfo><X509Data><X509Certificate>${certificateDer.toString('base64')}</X509Certificate>` +
      `<X509IssuerSerial><X509IssuerName>${escapeText(issuerName)}</X509IssuerName>` +
      `<X509SerialNumber>${serialNumber}</X509SerialNumber></X509IssuerSerial></X509Data></KeyInfo></Signature>`,
  )
  ends.set(certificateDer, written)
  return written
}

/**
 * Those of RFC 2253, and one that the messages of other implementations have with which the service gave a JIR: `xmlsec1`
 * cannot read the hexadecimal form that RFC 2253 has for all others.
 */
const NAMES = { ...RFC_2253_NAMES, '2.5.4.97': 'organizationIdentifier' }

/** The version of a certificate, which only the first one leaves out (RFC 5280, 4.1). */
const VERSION = 0xa0

/**
 * As XML signatures carry them (XML Signature, 4.4.4): the name in RFC 2253 order, the serial in decimal. An attribute type
 * without a name in RFC 2253 is written as its OID with the encoded value, so that readers need not know it. Nothing else
 * is read: parsing a whole certificate takes a tenth of the first sale after a start.
 */
export function issuerAndSerial(der: Buffer): { issuerName: string; serialNumber: string } {
  const certificate = readDer(readDer(der).take(TAG.sequence).content)
  const toBeSigned = readDer(certificate.take(TAG.sequence).content)
  toBeSigned.takeIf(VERSION)
  const serial = toBeSigned.take(TAG.integer).content
  toBeSigned.take(TAG.sequence) // the algorithm of the signature
  const issuer = toBeSigned.take(TAG.sequence).raw
  return {
    issuerName: formatName({ valueBeforeDecode: Uint8Array.from(issuer).buffer }, NAMES),
    serialNumber: BigInt(`0x${serial.toString('hex')}`).toString(),
  }
}
