import { Certificate } from 'pkijs'

type Attribute = Certificate['issuer']['typesAndValues'][number]

/** The attribute types that RFC 2253, section 2.3, writes by name; every other one is written as its number. */
const NAMES: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
}

/**
 * The issuer's name and the serial number as XML signatures carry them: the name in RFC 2253 order (most specific part
 * first), the serial in decimal (XML Signature, 4.4.4).
 * @param der a certificate
 */
export function issuerAndSerial(der: Buffer): { issuerName: string; serialNumber: string } {
  const { issuer, serialNumber } = Certificate.fromBER(der)
  return {
    issuerName: issuer.typesAndValues.map(writeAttribute).reverse().join(','),
    serialNumber: BigInt(`0x${Buffer.from(serialNumber.valueBlock.valueHexView).toString('hex')}`).toString(),
  }
}

function writeAttribute({ type, value }: Attribute): string {
  const name = NAMES[type]
  // A type that has no name there is written with its encoded value: readers that do not know it must not guess.
  if (name === undefined) return `${type}=#${Buffer.from(value.toBER()).toString('hex')}`
  return `${name}=${escapeValue(String(value.valueBlock.value))}`
}

/** RFC 2253, section 2.4. */
function escapeValue(text: string): string {
  return text
    .replace(/[,+"\\<>;]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ')
}
