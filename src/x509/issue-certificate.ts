import { createPrivateKey, createPublicKey, randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import { type BaseBlock, BitString, Integer, OctetString, Utf8String } from 'asn1js'
import {
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CryptoEngine,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
  RelativeDistinguishedNames,
  Time,
  TimeType,
} from 'pkijs'
import { pemOf } from './pem.ts'

/** Passed explicitly, so that the global engine of pkijs, which other code may change, is not used. */
const engine = new CryptoEngine({ name: 'node', crypto: webcrypto })

const P256 = { name: 'ECDSA', namedCurve: 'P-256' }
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'

export interface KeyAndCertificate {
  certPem: string
  /** PKCS#8. */
  keyPem: string
}

interface Order {
  commonName: string
  /** Epoch milliseconds. */
  notBefore: number
  /** Epoch milliseconds. */
  notAfter: number
}

/** A new EC P-256 private key, PKCS#8 PEM. */
export async function newKeyPem(): Promise<string> {
  const { privateKey } = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify'])
  return pemOf([new Uint8Array(await webcrypto.subtle.exportKey('pkcs8', privateKey))], 'PRIVATE KEY')
}

/** A self-signed certificate authority for the key; it may issue leaves but no authorities. */
export async function issueAuthority(order: Order & { keyPem: string }): Promise<KeyAndCertificate> {
  const certificate = await draft(order, order.keyPem)
  certificate.issuer = certificate.subject
  certificate.extensions = [
    extension('2.5.29.19', new BasicConstraints({ cA: true, pathLenConstraint: 0 }).toSchema(), true),
    extension('2.5.29.15', keyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign), true),
    extension('2.5.29.14', new OctetString({ valueHex: await keyIdOf(certificate) })),
  ]
  return { certPem: await sign(certificate, order.keyPem), keyPem: order.keyPem }
}

/** A TLS server certificate with a new key. @param order.names DNS names in ASCII and IP addresses */
export async function issueServer(
  order: Order & { names: string[]; authority: KeyAndCertificate },
): Promise<KeyAndCertificate> {
  const authority = readPem(order.authority.certPem)
  const keyPem = await newKeyPem()
  const certificate = await draft(order, keyPem)
  certificate.issuer = authority.subject
  const authorityKey = new OctetString({ valueHex: await keyIdOf(authority) })
  certificate.extensions = [
    extension('2.5.29.19', new BasicConstraints({ cA: false }).toSchema(), true),
    extension('2.5.29.15', keyUsage(KeyUsage.digitalSignature), true),
    extension('2.5.29.37', new ExtKeyUsage({ keyPurposes: [SERVER_AUTH] }).toSchema()),
    extension('2.5.29.17', new GeneralNames({ names: order.names.map(generalName) }).toSchema()),
    extension('2.5.29.14', new OctetString({ valueHex: await keyIdOf(certificate) })),
    extension('2.5.29.35', new AuthorityKeyIdentifier({ keyIdentifier: authorityKey }).toSchema()),
  ]
  return { certPem: await sign(certificate, order.authority.keyPem), keyPem }
}

async function draft(order: Order, keyPem: string): Promise<Certificate> {
  const serial = randomBytes(16)
  serial.writeUInt8((serial.readUInt8(0) & 0x3f) | 0x40, 0) // positive, and without leading zeros
  const certificate = new Certificate({
    version: 2, // X.509 v3
    serialNumber: new Integer({ valueHex: Uint8Array.from(serial).buffer }),
    subject: nameOf(order.commonName),
    notBefore: timeOf(order.notBefore),
    notAfter: timeOf(order.notAfter),
  })
  const spki = createPublicKey(keyPem).export({ type: 'spki', format: 'der' })
  const publicKey = await webcrypto.subtle.importKey('spki', spki, P256, true, ['verify'])
  await certificate.subjectPublicKeyInfo.importKey(publicKey, engine)
  return certificate
}

async function sign(certificate: Certificate, keyPem: string): Promise<string> {
  const pkcs8 = createPrivateKey(keyPem).export({ type: 'pkcs8', format: 'der' })
  const key = await webcrypto.subtle.importKey('pkcs8', pkcs8, P256, false, ['sign'])
  await certificate.sign(key, 'SHA-256', engine)
  return pemOf([new Uint8Array(certificate.toSchema(true).toBER())])
}

/** The key identifier of RFC 5280, 4.2.1.2; it depends only on the key. */
function keyIdOf(certificate: Certificate): Promise<ArrayBuffer> {
  return certificate.getKeyHash('SHA-1', engine)
}

function readPem(text: string): Certificate {
  return Certificate.fromBER(Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64'))
}

/** Bits of keyUsage (RFC 5280, 4.2.1.3), the first bit is the highest. */
const KeyUsage = { digitalSignature: 0x80, keyCertSign: 0x04, cRLSign: 0x02 } as const

function keyUsage(bits: number): BitString {
  const unused = 31 - Math.clz32(bits & -bits) // DER drops the zero bits at the end
  return new BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: unused })
}

function extension(extnID: string, value: BaseBlock, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: value.toBER() })
}

function nameOf(commonName: string): RelativeDistinguishedNames {
  const attribute = new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value: commonName }) })
  return new RelativeDistinguishedNames({ typesAndValues: [attribute] })
}

/** A DNS name or an IP address as in subjectAltName. */
function generalName(name: string): GeneralName {
  if (isIP(name) === 0) return new GeneralName({ type: 2, value: name })
  return new GeneralName({ type: 7, value: new OctetString({ valueHex: Uint8Array.from(addressBytes(name)).buffer }) })
}

/** @param at epoch milliseconds, cut to the second; years until 2049 are written with two digits (RFC 5280, 4.1.2.5) */
function timeOf(at: number): Time {
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
