import { createHmac, timingSafeEqual } from 'node:crypto'
import { CERTIFICATE_BOUNDS } from './bounds.ts'
import type { KeyDerivation } from './key-derivation.ts'
import {
  type Asn1Node,
  derOf,
  explicit,
  members,
  octets,
  oid,
  Pkcs12Error,
  parseAsn1,
  parseAsn1File,
  smallInteger,
} from './pkcs12-asn1.ts'
import { decrypt } from './pkcs12-cipher.ts'
import {
  createKeyWork,
  type EncodedPassphrase,
  type KeyWork,
  Purpose,
  passphraseEncodings,
  pkcs12Kdf,
} from './pkcs12-kdf.ts'

const DATA = '1.2.840.113549.1.7.1'
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6'
const X509_CERTIFICATE = '1.2.840.113549.1.9.22.1'

const BAG = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  nested: '1.2.840.113549.1.12.10.1.6',
}

const MAC_HASHES: Record<string, string> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** The passphrase does not verify the container's MAC. */
export class WrongPassphrase extends Error {}

/** The contents of a container, in no order. */
export interface Pkcs12Contents {
  /** PKCS#8 DER, decrypted. */
  keys: Buffer[]
  /** X.509 DER. */
  certificates: Buffer[]
}

/**
 * Reads a PKCS#12 container (RFC 7292); verifies its MAC before it decrypts anything.
 * @throws WrongPassphrase, DerivationFailed; Pkcs12Error for everything else, with the fault of the file
 */
export async function readContainer(
  file: Buffer,
  passphrase: string,
  derivation: KeyDerivation,
): Promise<Pkcs12Contents> {
  const [version, authSafe, macData] = members(parseAsn1File(file))
  if (smallInteger(version) !== 3) throw new Pkcs12Error('it is not a PKCS#12 file')
  const [contentType, content] = members(authSafe)
  if (oid(contentType) !== DATA || macData === undefined) {
    throw new Pkcs12Error('no passphrase protects it against changes; export it again with a passphrase')
  }
  const safes = octets(explicit(content, 0))
  const work = createKeyWork(derivation)
  const encoded = await verifyMac(safes, members(macData), passphrase, work)

  const contents: Pkcs12Contents = { keys: [], certificates: [] }
  for (const safe of members(parseAsn1(safes))) {
    const bags = parseAsn1(await openSafe(safe, encoded, work))
    for (const bag of members(bags)) await readBag(bag, encoded, work, contents)
  }
  return contents
}

async function verifyMac(
  safes: Buffer,
  [digestInfo, salt, iterations]: Asn1Node[],
  passphrase: string,
  work: KeyWork,
): Promise<EncodedPassphrase> {
  const [algorithm, digest] = members(digestInfo)
  const identifier = oid(members(algorithm)[0])
  const hashName = MAC_HASHES[identifier]
  if (!hashName) throw new Pkcs12Error(`its MAC (${identifier}) is not supported; export it with a SHA-256 MAC`)
  const expected = octets(digest)
  if (expected.length > CERTIFICATE_BOUNDS.mac.most) throw new Pkcs12Error('it is damaged or cut short')
  for (const encoded of passphraseEncodings(passphrase)) {
    const key = await pkcs12Kdf(Purpose.mac, {
      hashName,
      password: encoded.bmp,
      salt: octets(salt),
      iterations: iterations === undefined ? 1 : smallInteger(iterations),
      length: expected.length,
      work,
    })
    const mac = createHmac(hashName, key).update(safes).digest()
    if (mac.length === expected.length && timingSafeEqual(mac, expected)) return encoded
  }
  throw new WrongPassphrase()
}

/** The SafeContents of one ContentInfo, decrypted when they are encrypted. */
async function openSafe(safe: Asn1Node, passphrase: EncodedPassphrase, work: KeyWork): Promise<Buffer> {
  const [contentType, content] = members(safe)
  const type = oid(contentType)
  if (type === DATA) return octets(explicit(content, 0))
  if (type !== ENCRYPTED_DATA) throw new Pkcs12Error('a public key protects its content; export it with a passphrase')
  const [, encryptedContentInfo] = members(explicit(content, 0))
  const [, algorithm, encrypted] = members(encryptedContentInfo)
  return decrypt(algorithm, octets(encrypted), passphrase, work)
}

async function readBag(
  bag: Asn1Node,
  passphrase: EncodedPassphrase,
  work: KeyWork,
  contents: Pkcs12Contents,
): Promise<void> {
  const [bagId, bagValue] = members(bag)
  switch (oid(bagId)) {
    case BAG.key:
      contents.keys.push(derOf(explicit(bagValue, 0)))
      return
    case BAG.shroudedKey: {
      const [algorithm, encrypted] = members(explicit(bagValue, 0))
      contents.keys.push(await decrypt(algorithm, octets(encrypted), passphrase, work))
      return
    }
    case BAG.certificate: {
      const [type, value] = members(explicit(bagValue, 0))
      if (oid(type) === X509_CERTIFICATE) contents.certificates.push(octets(explicit(value, 0)))
      return
    }
    case BAG.nested:
      // A key inside it would not be counted.
      throw new Pkcs12Error('it holds a container inside the container; export the key and its certificates alone')
    default: // CRLs and other secrets are ignored
  }
}
