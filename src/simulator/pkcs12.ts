import forge from 'node-forge'
import { derOf } from './x509.ts'

const { asn1 } = forge
const { Class, Type } = asn1

/** `aes256` as in current tools (PBES2 with PBKDF2-SHA256, a SHA-256 MAC), `3des` as in older ones (SHA-1). */
export type ContainerAlgorithm = 'aes256' | '3des'

export interface ContainerContents {
  /** Private keys, PEM; the first one belongs to the first certificate. */
  keyPems: string[]
  /** Certificates, PEM, leaf first. */
  certPems: string[]
  passphrase: string
  algorithm: ContainerAlgorithm
}

const ITERATIONS = 2048
const OIDS = {
  data: '1.2.840.113549.1.7.1',
  encryptedData: '1.2.840.113549.1.7.6',
  certBag: '1.2.840.113549.1.12.10.1.3',
  shroudedKeyBag: '1.2.840.113549.1.12.10.1.2',
  x509Certificate: '1.2.840.113549.1.9.22.1',
  localKeyId: '1.2.840.113549.1.9.21',
  sha1: '1.3.14.3.2.26',
  sha256: '2.16.840.1.101.3.4.2.1',
}

/**
 * A PKCS#12 file (RFC 7292) as usual tools write it: encrypted certificates, shrouded keys, one MAC over all. The
 * library's own writer takes only one key, and encodes a non-ASCII passphrase incorrectly under PBES2.
 */
export function makePkcs12(contents: ContainerContents): Buffer {
  const certificates = contents.certPems.map((pem, index) => certificateBag(pem, index === 0))
  const keys = contents.keyPems.map((pem, index) => keyBag(pem, index === 0, contents))
  const safe = der(
    sequence(
      sequence(oid(OIDS.encryptedData), tagged(0, encryptedData(sequence(...certificates), contents))),
      sequence(oid(OIDS.data), tagged(0, octets(der(sequence(...keys))))),
    ),
  )
  const file = sequence(integer(3), sequence(oid(OIDS.data), tagged(0, octets(safe))), macOf(safe, contents))
  return Buffer.from(der(file), 'binary')
}

function certificateBag(pem: string, isLeaf: boolean): forge.asn1.Asn1 {
  // As it is: the library reads no EC keys.
  const certificate = derOf(pem).toString('latin1')
  const value = sequence(oid(OIDS.x509Certificate), tagged(0, octets(certificate)))
  return bag(OIDS.certBag, value, isLeaf)
}

function keyBag(pem: string, isFirst: boolean, contents: ContainerContents): forge.asn1.Asn1 {
  const info = forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(forge.pki.privateKeyFromPem(pem)))
  return bag(OIDS.shroudedKeyBag, encrypt(info, contents), isFirst)
}

/** The leaf and its key have the same localKeyId, by which readers pair them. */
function bag(type: string, value: forge.asn1.Asn1, paired: boolean): forge.asn1.Asn1 {
  const id = sequence(oid(OIDS.localKeyId), set(octets('\x01')))
  return paired ? sequence(oid(type), tagged(0, value), set(id)) : sequence(oid(type), tagged(0, value))
}

function encrypt(plain: forge.asn1.Asn1, { passphrase, algorithm }: ContainerContents): forge.asn1.Asn1 {
  // PBES2 needs the passphrase as UTF-8 bytes; the older derivation needs a BMPString, which the library makes itself.
  const secret = algorithm === 'aes256' ? forge.util.encodeUtf8(passphrase) : passphrase
  const options = { algorithm, count: ITERATIONS, saltSize: 16, prfAlgorithm: 'sha256' as const }
  return forge.pki.encryptPrivateKeyInfo(plain, secret, options)
}

/** EncryptedData differs from an encrypted key only in its wrapping: the same algorithm, with the octets tagged [0]. */
function encryptedData(plain: forge.asn1.Asn1, contents: ContainerContents): forge.asn1.Asn1 {
  const [algorithm, sealed] = encrypt(plain, contents).value as [forge.asn1.Asn1, forge.asn1.Asn1]
  const implicit = asn1.create(Class.CONTEXT_SPECIFIC, Type.NONE, false, sealed.value)
  return sequence(integer(0), sequence(oid(OIDS.data), algorithm, implicit))
}

function macOf(safe: string, { passphrase, algorithm }: ContainerContents): forge.asn1.Asn1 {
  const modern = algorithm === 'aes256'
  const digest = modern ? forge.md.sha256.create() : forge.md.sha1.create()
  const salt = forge.random.getBytesSync(16)
  const saltBuffer = forge.util.createBuffer(salt)
  const key = forge.pkcs12.generateKey(passphrase, saltBuffer, 3, ITERATIONS, modern ? 32 : 20, digest)
  const hmac = forge.hmac.create()
  hmac.start(modern ? 'sha256' : 'sha1', key)
  hmac.update(safe)
  const digestInfo = sequence(
    sequence(oid(modern ? OIDS.sha256 : OIDS.sha1), asn1.create(Class.UNIVERSAL, Type.NULL, false, '')),
    octets(hmac.digest().getBytes()),
  )
  return sequence(digestInfo, octets(salt), integer(ITERATIONS))
}

const der = (node: forge.asn1.Asn1): string => asn1.toDer(node).getBytes()
const sequence = (...parts: forge.asn1.Asn1[]) => asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, parts)
const set = (...parts: forge.asn1.Asn1[]) => asn1.create(Class.UNIVERSAL, Type.SET, true, parts)
const octets = (bytes: string) => asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes)
const oid = (dotted: string) => asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(dotted).getBytes())
const integer = (n: number) => asn1.create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(n).getBytes())
/** Explicit context tag [n]. */
const tagged = (n: number, inner: forge.asn1.Asn1) =>
  asn1.create(Class.CONTEXT_SPECIFIC, n as forge.asn1.Type, true, [inner])
