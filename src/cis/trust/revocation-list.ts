import { verify, type X509Certificate } from 'node:crypto'
import { BitString } from 'asn1js'
import { Certificate } from 'pkijs'
import { attempt } from '../../domain/attempt.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { RevocationListSummary } from '../../fiscal/ports/trust.ts'
import { readDer, spanAt, TAG } from '../../x509/der.ts'
import { CIS_BOUNDS } from '../bounds.ts'
import { CaFileRefusal, subjectOf } from './ca-files.ts'
import { type ListOutline, timeOf } from './revocation-list-outline.ts'

/** A revocation list whose signature was checked. */
export interface RevocationList extends Pick<ListOutline, 'der' | 'issuer' | 'thisUpdate' | 'nextUpdate'> {
  issuerName: string
  signer: X509Certificate
  /** Which part of the issuer's certificates the list covers; empty for all. */
  part: string
  revoked: ReadonlyMap<string, EpochMs>
}

/** Object identifiers of the extensions that are understood, hex. */
const OF_LISTS = { delta: '551d1b', distributionPoint: '551d1c' }
const OF_ENTRIES = { reason: '551d15', invalidityDate: '551d18', certificateIssuer: '551d1d' }

const REMOVE_FROM_CRL = 8
const NONE = Buffer.alloc(0)
const FOREIGN = 'it lists certificates of other issuers'

/** Tags in a distribution point for an indirect list, or a list of attribute certificates only. */
const OF_OTHER_THINGS = [0x84, 0x85]

/** @throws CaFileRefusal when no authority signed the list, or it has content besides revoked certificates */
export function acceptList(outline: ListOutline, authorities: X509Certificate[]): RevocationList {
  const signer = signerOf(outline, authorities)
  const issuerName = subjectOf(signer)
  const { der, issuer, thisUpdate, nextUpdate } = outline
  try {
    const part = partOf(outline.extensions)
    return { der, issuer, issuerName, signer, thisUpdate, nextUpdate, part, revoked: readEntries(outline.entries) }
  } catch (error) {
    throw new CaFileRefusal(`the revocation list of ${issuerName} cannot be used: ${(error as Error).message}`)
  }
}

/** The newest list of each issuer and part. */
export function newestLists(lists: RevocationList[]): RevocationList[] {
  const isSame = (a: RevocationList, b: RevocationList) => a.part === b.part && a.issuer.isEqual(b.issuer)
  return lists.filter(
    (list, i) =>
      !lists.some((other, j) => {
        if (i === j || !isSame(list, other)) return false
        return other.thisUpdate > list.thisUpdate || (other.thisUpdate === list.thisUpdate && j < i)
      }),
  )
}

/** The time from which a list revokes the certificate, by issuer and serial number; null when no list does. */
export function listedSince(lists: RevocationList[], certificate: Buffer): EpochMs | null {
  if (lists.length === 0) return null
  const { issuer, serialNumber } = Certificate.fromBER(certificate)
  const serial = serialOf(Buffer.from(serialNumber.valueBlock.valueHexView))
  const found = lists.flatMap((list) => (list.issuer.isEqual(issuer) ? (list.revoked.get(serial) ?? []) : []))
  return found.length === 0 ? null : Math.min(...found)
}

export function describeList({ issuerName, thisUpdate, nextUpdate, revoked }: RevocationList): RevocationListSummary {
  return { issuer: issuerName, thisUpdate, nextUpdate, entries: revoked.size }
}

function partOf(der: Buffer): string {
  const extensions = readExtensions(der, OF_LISTS)
  if (extensions.has(OF_LISTS.delta)) throw new Error('it is a delta list: bring the complete one')
  const point = extensions.get(OF_LISTS.distributionPoint) ?? NONE
  const members = readDer(point.length === 0 ? NONE : readDer(point).take(TAG.sequence).content)
  while (members.more()) {
    const { tag, content } = members.take()
    if (OF_OTHER_THINGS.includes(tag) && content[0] !== 0) throw new Error(FOREIGN)
  }
  return point.toString('hex')
}

function readEntries(der: Buffer): Map<string, EpochMs> {
  const revoked = new Map<string, EpochMs>()
  const { most } = CIS_BOUNDS.listed
  let [at, count] = [0, 0]
  // Most entries give one of a few reasons, and nothing else.
  const known = new Map<string, Map<string, Buffer>>()
  while (at < der.length) {
    if (++count > most) throw new Error(`it has more than ${most} entries`)
    const entry = spanAt(der, at, TAG.sequence)
    const serial = spanAt(der, entry.begin, TAG.integer)
    const since = spanAt(der, serial.end, TAG.utcTime, TAG.generalizedTime)
    if (since.end > entry.end) throw new Error('an element is cut off')
    const key = der.toString('latin1', since.end, entry.end)
    const extensions = known.get(key) ?? extensionsOf(der.subarray(since.end, entry.end))
    known.set(key, extensions)
    if (extensions.has(OF_ENTRIES.certificateIssuer)) throw new Error(FOREIGN)
    const isRemoved = extensions.get(OF_ENTRIES.reason)?.at(-1) === REMOVE_FROM_CRL
    const time = timeOf(since.tag, der.toString('latin1', since.begin, since.end))
    if (!isRemoved) revoked.set(serialOf(der.subarray(serial.begin, serial.end)), time)
    at = entry.end
  }
  return revoked
}

/** @param rest of an entry, behind its time */
function extensionsOf(rest: Buffer): Map<string, Buffer> {
  const reader = readDer(rest)
  const said = reader.takeIf(TAG.sequence)?.content ?? NONE
  reader.end()
  return readExtensions(said, OF_ENTRIES)
}

/** The values of extensions. @throws Error for an unknown critical extension, which may change the meaning */
function readExtensions(der: Buffer, understood: Record<string, string>): Map<string, Buffer> {
  const extensions = new Map<string, Buffer>()
  const all = readDer(der)
  while (all.more()) {
    const extension = readDer(all.take(TAG.sequence).content)
    const id = extension.take(TAG.objectIdentifier).content.toString('hex')
    const critical = (extension.takeIf(TAG.boolean)?.content[0] ?? 0) !== 0
    if (extensions.has(id)) throw new Error('it has an extension twice')
    if (critical && !Object.values(understood).includes(id)) {
      throw new Error(`a critical extension is not understood (${id})`)
    }
    extensions.set(id, extension.take(TAG.octetString).content)
  }
  return extensions
}

/** The serial number without leading zeros, because some issuers write one too many. */
function serialOf(bytes: Buffer): string {
  let zeros = 0
  while (bytes[zeros] === 0 && zeros < bytes.length - 1) zeros++
  return bytes.toString('hex', zeros)
}

const KEY_USAGE = '2.5.29.15'
const CRL_SIGN = 0x02
const COMMON_NAME = '2.5.4.3'

/** Digests of list signatures, by object identifier in hex; without MD5 and SHA-1, which can be forged. */
const DIGESTS: Record<string, string> = {
  '2a864886f70d01010b': 'sha256', // sha256WithRSAEncryption
  '2a864886f70d01010c': 'sha384',
  '2a864886f70d01010d': 'sha512',
  '2a8648ce3d040302': 'sha256', // ecdsa-with-SHA256
  '2a8648ce3d040303': 'sha384',
  '2a8648ce3d040304': 'sha512',
}

/** @throws CaFileRefusal when no authority has the issuer's name, may sign lists, and signed this one */
function signerOf(list: ListOutline, authorities: X509Certificate[]): X509Certificate {
  const refuse = (why: string) => new CaFileRefusal(`the revocation list of ${callIssuer(list)} ${why}`)
  const named = authorities.filter((authority) => isIssuer(authority, list))
  const [first] = named
  if (!first) throw refuse('was issued by nobody in the trust bundle: add the certificate of its issuer first')
  const digest = DIGESTS[list.algorithm]
  if (!digest) throw refuse('carries a signature that is too weak or unknown, such as MD5 or SHA-1')
  const signer = named.find((authority) => signed(authority, list, digest))
  if (!signer) throw refuse(`was not signed by ${subjectOf(first)}: it is damaged or forged`)
  if (!maySignLists(signer)) throw refuse('was signed by a certificate that may not sign such lists (key usage)')
  return signer
}

// what only one of two parsers reads issued nothing
const isIssuer = ({ raw }: X509Certificate, { issuer }: ListOutline): boolean =>
  attempt(() => Certificate.fromBER(raw).subject.isEqual(issuer), false)

// a key that makes no such signatures
const signed = ({ publicKey }: X509Certificate, list: ListOutline, digest: string): boolean =>
  attempt(() => verify(digest, list.signed, publicKey, list.signature), false)

/** Certificates of old authorities have no key usage. */
function maySignLists({ raw }: X509Certificate): boolean {
  const usage = Certificate.fromBER(raw).extensions?.find(({ extnID }) => extnID === KEY_USAGE)?.parsedValue
  return (
    usage === undefined || (usage instanceof BitString && ((usage.valueBlock.valueHexView[0] ?? 0) & CRL_SIGN) !== 0)
  )
}

function callIssuer({ issuer }: ListOutline): string {
  const name = issuer.typesAndValues.findLast(({ type }) => type === COMMON_NAME)?.value
  return String(name?.valueBlock.value ?? 'an issuer without a common name')
}
