import { readDer, TAG } from '../../x509/der.ts'
import { formatName, RFC_2253_NAMES } from '../../x509/distinguished-name.ts'

/** The version of a certificate, which only the first one leaves out (RFC 5280, 4.1). */
const VERSION = 0xa0

/**
 * The issuer's name and the serial number as XML signatures carry them: the name in RFC 2253 order (most specific part
 * first), the serial in decimal (XML Signature, 4.4.4). An attribute type without a name in RFC 2253 is written as its
 * OID with the encoded value, so that readers need not know it. Nothing else of the certificate is read: a whole one takes
 * a tenth of the first sale after a start.
 * @param der a certificate
 */
export function issuerAndSerial(der: Buffer): { issuerName: string; serialNumber: string } {
  const certificate = readDer(readDer(der).take(TAG.sequence).content)
  const toBeSigned = readDer(certificate.take(TAG.sequence).content)
  toBeSigned.takeIf(VERSION)
  const serial = toBeSigned.take(TAG.integer).content
  toBeSigned.take(TAG.sequence) // the algorithm of the signature
  const issuer = toBeSigned.take(TAG.sequence).raw
  return {
    issuerName: formatName({ valueBeforeDecode: Uint8Array.from(issuer).buffer }, RFC_2253_NAMES),
    serialNumber: BigInt(`0x${serial.toString('hex')}`).toString(),
  }
}
