import { RelativeDistinguishedNames } from 'pkijs'
import type { EpochMs } from '../../domain/instant.ts'
import { type DerElement, readDer, TAG } from '../../x509/der.ts'
import { CIS_BOUNDS } from '../bounds.ts'

/** The outer fields of a certificate revocation list (RFC 5280, section 5): issuer and times. Not trusted yet. */
export interface ListOutline {
  der: Buffer
  /** The bytes that are signed. */
  signed: Buffer
  /** Object identifier of the signature's algorithm, hex. */
  algorithm: string
  signature: Buffer
  issuer: RelativeDistinguishedNames
  thisUpdate: EpochMs
  nextUpdate: EpochMs | null
  /** The entries, one after the other, DER; not parsed. */
  entries: Buffer
  /** The extensions of the whole list, one after the other, DER; not parsed. */
  extensions: Buffer
}

const NONE = Buffer.alloc(0)
const EXTENSIONS = 0xa0

/** @throws Error when the bytes are not exactly one revocation list */
export function outlineOf(der: Buffer): ListOutline {
  const file = readDer(der)
  const list = readDer(file.take(TAG.sequence).content)
  file.end()
  const signed = list.take(TAG.sequence)
  const algorithm = list.take(TAG.sequence)
  const signature = list.take(TAG.bitString).content
  list.end()

  const inside = readDer(signed.content)
  inside.takeIf(TAG.integer) // the version
  const sameAlgorithm = inside.take(TAG.sequence).raw.equals(algorithm.raw)
  const issuer = inside.take(TAG.sequence).raw
  const thisUpdate = timeIn(inside.take(TAG.utcTime, TAG.generalizedTime))
  const nextUpdate = inside.takeIf(TAG.utcTime, TAG.generalizedTime)
  const entries = inside.takeIf(TAG.sequence)?.content ?? NONE
  const extensions = inside.takeIf(EXTENSIONS)
  inside.end()
  if (!sameAlgorithm || signature[0] !== 0 || issuer.length > CIS_BOUNDS.issuerName.most)
    throw new Error('no revocation list')
  return {
    der,
    signed: signed.raw,
    algorithm: readDer(algorithm.content).take(TAG.objectIdentifier).content.toString('hex'),
    signature: signature.subarray(1),
    issuer: RelativeDistinguishedNames.fromBER(issuer),
    thisUpdate,
    nextUpdate: nextUpdate ? timeIn(nextUpdate) : null,
    entries,
    extensions: extensions ? readDer(extensions.content).take(TAG.sequence).content : NONE,
  }
}

const timeIn = ({ tag, content }: DerElement) => timeOf(tag, content.toString('latin1'))

/** RFC 5280, section 4.1.2.5: always in UTC and with seconds; a year of two digits is between 1950 and 2049. */
export function timeOf(tag: number, text: string): EpochMs {
  const full = tag === TAG.utcTime ? `${text < '5' ? '20' : '19'}${text}` : text
  const [day, hour, minute] = [full.slice(6, 8), full.slice(8, 10), full.slice(10, 12)]
  const at = Date.parse(`${full.slice(0, 4)}-${full.slice(4, 6)}-${day}T${hour}:${minute}:${full.slice(12)}`)
  // 30 February would be another day. A pattern with groups takes four times as long, for each of up to 50,000 entries.
  if (!/^\d{14}Z$/.test(full) || new Date(at).getUTCDate() !== Number(day)) throw new Error('a time in it is no time')
  return at
}
