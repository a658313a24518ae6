import { Certificate } from 'pkijs'
import { formatName, RFC_2253_NAMES } from '../../x509/distinguished-name.ts'

/**
 * The issuer's name and the serial number as XML signatures carry them: the name in RFC 2253 order (most specific part
 * first), the serial in decimal (XML Signature, 4.4.4). An attribute type without a name in RFC 2253 is written as its
 * OID with the encoded value, so that readers need not know it.
 * @param der a certificate
 */
export function issuerAndSerial(der: Buffer): { issuerName: string; serialNumber: string } {
  const { issuer, serialNumber } = Certificate.fromBER(der)
  return {
    issuerName: formatName(issuer, RFC_2253_NAMES),
    serialNumber: BigInt(`0x${Buffer.from(serialNumber.valueBlock.valueHexView).toString('hex')}`).toString(),
  }
}
