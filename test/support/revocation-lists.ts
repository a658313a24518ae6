import { createPrivateKey, sign, X509Certificate } from 'node:crypto'
import { Certificate } from 'pkijs'

/** A certificate authority that signs lists, both PEM. */
export interface ListIssuer {
  certPem: string
  keyPem: string
}

/** An extension: its object identifier, its value in DER, hex. */
export interface ExtensionOrder {
  id: string
  der: string
  critical?: boolean
}

export interface EntryOrder {
  /** Of the certificate. */
  serial: Buffer
  at: Date
  /** RFC 5280, section 5.3.1; left out: no reason is given. */
  reason?: number
  extensions?: ExtensionOrder[]
}

export interface ListOrder {
  by: ListIssuer
  entries?: EntryOrder[]
  /** Default: an hour ago. */
  thisUpdate?: Date
  /** Default: tomorrow; null: it does not say. */
  nextUpdate?: Date | null
  extensions?: ExtensionOrder[]
  digest?: 'sha1' | 'sha256' | 'sha384' | 'sha512'
}

const DAY_MS = 86_400_000
const NULL = der(0x05)
/** Signatures with RSA, PKCS #1 object identifiers. */
const SIGNATURES = { sha1: 5, sha256: 11, sha384: 12, sha512: 13 }

/** A certificate revocation list, signed with RSA, DER. */
export function makeList(order: ListOrder): Buffer {
  const { by, entries = [], nextUpdate = new Date(Date.now() + DAY_MS), extensions = [], digest = 'sha256' } = order
  const { subject } = Certificate.fromBER(new X509Certificate(by.certPem).raw)
  const algorithm = der(0x30, oid(`1.2.840.113549.1.1.${SIGNATURES[digest]}`), NULL)
  const signed = der(
    0x30,
    der(0x02, Buffer.from([1])),
    algorithm,
    Buffer.from(subject.valueBeforeDecode),
    time(order.thisUpdate ?? new Date(Date.now() - 3_600_000)),
    ...(nextUpdate ? [time(nextUpdate)] : []),
    ...(entries.length > 0 ? [der(0x30, ...entries.map(entryOf))] : []),
    ...(extensions.length > 0 ? [der(0xa0, extensionsOf(extensions))] : []),
  )
  const signature = sign(digest, signed, createPrivateKey(by.keyPem))
  return der(0x30, signed, algorithm, der(0x03, Buffer.from([0]), signature))
}

/** An entry about a certificate, revoked at a moment. */
export function entryFor(certificateDer: Buffer, at: Date, more: Omit<EntryOrder, 'serial' | 'at'> = {}): EntryOrder {
  return { serial: Buffer.from(new X509Certificate(certificateDer).serialNumber, 'hex'), at, ...more }
}

export function listPem(list: Buffer): string {
  const lines = list.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN X509 CRL-----\n${lines.join('\n')}\n-----END X509 CRL-----\n`
}

function entryOf({ serial, at, reason, extensions = [] }: EntryOrder): Buffer {
  const why = reason === undefined ? [] : [{ id: '2.5.29.21', der: der(0x0a, Buffer.from([reason])).toString('hex') }]
  const all = [...why, ...extensions]
  return der(0x30, der(0x02, serial), time(at), ...(all.length > 0 ? [extensionsOf(all)] : []))
}

function extensionsOf(orders: ExtensionOrder[]): Buffer {
  const extensions = orders.map(({ id, der: value, critical }) =>
    der(0x30, oid(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, Buffer.from(value, 'hex'))),
  )
  return der(0x30, ...extensions)
}

/** In two digits for the year until 2049, in four after that (RFC 5280, section 5.1.2.4). */
function time(at: Date): Buffer {
  const text = at.toISOString().replace(/\.\d+|[-:T]/g, '')
  return text < '205' ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((part) => {
    const digits = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return der(0x06, Buffer.from(bytes))
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const used = length.subarray(length.findIndex((byte) => byte > 0))
  const written = content.length < 0x80 ? [content.length] : [0x80 + used.length, ...used]
  return Buffer.concat([Buffer.from([tag, ...written]), content])
}
