import { verify, type X509Certificate } from 'node:crypto'
import { BitString } from 'asn1js'
import { Certificate } from 'pkijs'
import { CaFileRefusal, subjectOf } from './ca-files.ts'
import type { ListOutline } from './revocation-list-outline.ts'

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

/**
 * The authority that signed a list.
 * @throws CaFileRefusal when no authority has the issuer's name, may sign lists, and signed this list
 */
export function signerOf(list: ListOutline, authorities: X509Certificate[]): X509Certificate {
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

function isIssuer({ raw }: X509Certificate, { issuer }: ListOutline): boolean {
  try {
    return Certificate.fromBER(raw).subject.isEqual(issuer)
  } catch {
    return false // what only one of two parsers reads issued nothing
  }
}

function signed({ publicKey }: X509Certificate, list: ListOutline, digest: string): boolean {
  try {
    return verify(digest, list.signed, publicKey, list.signature)
  } catch {
    return false // a key that makes no such signatures
  }
}

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
