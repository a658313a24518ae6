import forge from 'node-forge'

type Node = forge.asn1.Asn1

const { Class, Type } = forge.asn1

declare module 'node-forge' {
  namespace asn1 {
    /** Options that node-forge accepts and its published types lack. */
    function fromDer(bytes: string, options: { strict: boolean; parseAllBytes: boolean }): Asn1
  }
}

/** The file is not valid PKCS#12 (RFC 7292). The message is for people and contains nothing from the file. */
export class Pkcs12Error extends Error {}

/** Parses one BER or DER value. node-forge limits the nesting, and no bytes may follow the value. */
export function parseAsn1(bytes: Buffer): Node {
  return parse(bytes, true)
}

/** As `parseAsn1`, for a whole file: a newline or padding from a transfer may follow the value. */
export function parseAsn1File(bytes: Buffer): Node {
  return parse(bytes, false)
}

function parse(bytes: Buffer, parseAllBytes: boolean): Node {
  try {
    return forge.asn1.fromDer(bytes.toString('latin1'), { strict: true, parseAllBytes })
  } catch {
    // node-forge attaches pieces of the file to its errors; these must not reach a log.
    throw new Pkcs12Error('it is damaged or cut short')
  }
}

const foreign = () => new Pkcs12Error('its structure is not that of PKCS#12')

/** The members of a SEQUENCE, a SET or an explicitly tagged value. */
export function members(node: Node | undefined): Node[] {
  if (node === undefined || !Array.isArray(node.value)) throw foreign()
  return node.value
}

/** The content of `[tag] EXPLICIT`. */
export function explicit(node: Node | undefined, tag: number): Node {
  const inner = node?.tagClass === Class.CONTEXT_SPECIFIC && Number(node.type) === tag ? members(node)[0] : undefined
  if (inner === undefined) throw foreign()
  return inner
}

/** An octet string, or an implicitly tagged one; BER may split long ones into pieces. */
export function octets(node: Node | undefined): Buffer {
  if (node === undefined) throw foreign()
  if (typeof node.value === 'string') return Buffer.from(node.value, 'latin1')
  return Buffer.concat(node.value.map(octets))
}

export function oid(node: Node | undefined): string {
  if (node?.type !== Type.OID || typeof node.value !== 'string') throw foreign()
  return forge.asn1.derToOid(node.value)
}

/** A small positive integer, such as an iteration count or a version. More than four bytes are refused. */
export function smallInteger(node: Node | undefined): number {
  if (node?.type !== Type.INTEGER || typeof node.value !== 'string') throw foreign()
  const bytes = Buffer.from(node.value, 'latin1')
  const tooLong = bytes.length > 5 || (bytes.length === 5 && bytes[0] !== 0)
  if (bytes.length === 0 || tooLong || (bytes[0] ?? 0) > 0x7f) throw new Pkcs12Error('it holds an absurd number')
  return bytes.readUIntBE(0, bytes.length)
}

export function derOf(node: Node): Buffer {
  return Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1')
}

export function isInteger(node: Node | undefined): boolean {
  return node?.tagClass === Class.UNIVERSAL && node.type === Type.INTEGER
}

export type { Node as Asn1Node }
