import { isIP } from 'node:net'
import { type BaseBlock, BitString, OctetString, Utf8String } from 'asn1js'
import { AttributeTypeAndValue, Extension, GeneralName, RelativeDistinguishedNames, Time, TimeType } from 'pkijs'

/** Bits of keyUsage (RFC 5280, 4.2.1.3), the first bit is the highest. */
export const KeyUsage = { digitalSignature: 0x80, keyCertSign: 0x04, cRLSign: 0x02 } as const

export function keyUsage(bits: number): BitString {
  const unused = 31 - Math.clz32(bits & -bits) // DER drops the zero bits at the end
  return new BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: unused })
}

export function extension(extnID: string, value: BaseBlock, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: value.toBER() })
}

export function nameOf(commonName: string): RelativeDistinguishedNames {
  const attribute = new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value: commonName }) })
  return new RelativeDistinguishedNames({ typesAndValues: [attribute] })
}

/** A DNS name or an IP address as in subjectAltName. */
export function generalName(name: string): GeneralName {
  if (isIP(name) === 0) return new GeneralName({ type: 2, value: name })
  return new GeneralName({ type: 7, value: new OctetString({ valueHex: Uint8Array.from(addressBytes(name)).buffer }) })
}

/** @param at epoch milliseconds, cut to the second; years until 2049 are written with two digits (RFC 5280, 4.1.2.5) */
export function timeOf(at: number): Time {
  const value = new Date(Math.floor(at / 1000) * 1000)
  return new Time({ type: value.getUTCFullYear() < 2050 ? TimeType.UTCTime : TimeType.GeneralizedTime, value })
}

function addressBytes(address: string): number[] {
  if (isIP(address) === 4) return address.split('.').map(Number)
  // The URL parser normalises IPv6 addresses to one form, without an IPv4 tail.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const groups = (text: string) =>
    text
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16))
  const [front, back] = [groups(head), groups(tail ?? '')]
  const all = [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back]
  return all.flatMap((group) => [group >> 8, group & 0xff])
}
