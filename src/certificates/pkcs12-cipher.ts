import { createDecipheriv } from 'node:crypto'
import forge from 'node-forge'
import { type Asn1Node, isInteger, members, octets, oid, Pkcs12Error, smallInteger } from './pkcs12-asn1.ts'
import { type EncodedPassphrase, type KeyWork, Purpose, pbkdf2, pkcs12Kdf } from './pkcs12-kdf.ts'

const PBES2 = '1.2.840.113549.1.5.13'
const PBKDF2 = '1.2.840.113549.1.5.12'

/** The ciphers of RFC 7292, appendix C, that tools have used; no tool used RC4. */
const OLD_CIPHERS: Record<string, { name: 'des-ede3' | 'rc2'; keyBytes: number }> = {
  '1.2.840.113549.1.12.1.3': { name: 'des-ede3', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { name: 'des-ede3', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2', keyBytes: 5 },
}

const PBES2_CIPHERS: Record<string, { name: string; keyBytes: number }> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
}

const HMAC_HASHES: Record<string, string> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

/** Decrypts what a password-based AlgorithmIdentifier protects. @throws Pkcs12Error if unknown or undecryptable */
export async function decrypt(
  algorithm: Asn1Node | undefined,
  encrypted: Buffer,
  passphrase: EncodedPassphrase,
  work: KeyWork,
): Promise<Buffer> {
  const [identifier, parameters] = members(algorithm)
  const scheme = oid(identifier)
  const old = OLD_CIPHERS[scheme]
  if (old) return decryptOld(old, members(parameters), encrypted, passphrase, work)
  if (scheme === PBES2) return decryptPbes2(members(parameters), encrypted, passphrase, work)
  throw unsupported('encryption', scheme)
}

async function decryptOld(
  cipher: { name: 'des-ede3' | 'rc2'; keyBytes: number },
  [salt, iterations]: Asn1Node[],
  encrypted: Buffer,
  passphrase: EncodedPassphrase,
  work: KeyWork,
): Promise<Buffer> {
  const derive = (purpose: number, length: number) =>
    pkcs12Kdf(purpose, {
      hashName: 'sha1',
      password: passphrase.bmp,
      salt: octets(salt),
      iterations: smallInteger(iterations),
      length,
      work,
    })
  const key = await derive(Purpose.key, cipher.keyBytes)
  const iv = await derive(Purpose.iv, 8)
  if (cipher.name === 'rc2') return decryptRc2(key, iv, encrypted)
  // Two-key 3DES uses its first key again as the third.
  return decryptCbc('des-ede3-cbc', Buffer.concat([key, key]).subarray(0, 24), iv, encrypted)
}

async function decryptPbes2(
  [derivation, encryption]: Asn1Node[],
  encrypted: Buffer,
  passphrase: EncodedPassphrase,
  work: KeyWork,
): Promise<Buffer> {
  const [derivationOid, derivationParameters] = members(derivation)
  if (oid(derivationOid) !== PBKDF2) throw unsupported('key derivation', oid(derivationOid))
  const [salt, iterations, ...rest] = members(derivationParameters)
  const prf = isInteger(rest[0]) ? rest[1] : rest[0] // skip the optional key length, which the cipher determines
  const prfOid = prf === undefined ? '1.2.840.113549.2.7' : oid(members(prf)[0])
  const hashName = HMAC_HASHES[prfOid]
  if (!hashName) throw unsupported('key derivation', prfOid)

  const [cipherOid, iv] = members(encryption)
  const cipher = PBES2_CIPHERS[oid(cipherOid)]
  if (!cipher) throw unsupported('encryption', oid(cipherOid))
  const key = await pbkdf2({
    hashName,
    password: passphrase.utf8,
    salt: octets(salt),
    iterations: smallInteger(iterations),
    length: cipher.keyBytes,
    work,
  })
  return decryptCbc(cipher.name, key, octets(iv), encrypted)
}

function decryptCbc(name: string, key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  try {
    const decipher = createDecipheriv(name, key, iv)
    return Buffer.concat([decipher.update(encrypted), decipher.final()])
  } catch {
    throw undecryptable()
  }
}

/** RC2 by node-forge: OpenSSL 3 has it only in a module that Node.js does not load. */
function decryptRc2(key: Buffer, iv: Buffer, encrypted: Buffer): Buffer {
  const cipher = forge.rc2.createDecryptionCipher(key.toString('latin1'), key.length * 8)
  cipher.start(iv.toString('latin1'))
  cipher.update(forge.util.createBuffer(encrypted.toString('latin1')))
  if (encrypted.length === 0 || encrypted.length % 8 !== 0 || !cipher.finish()) throw undecryptable()
  return Buffer.from(cipher.output.getBytes(), 'latin1')
}

function undecryptable(): Pkcs12Error {
  return new Pkcs12Error('it is damaged, or its parts are protected by different passphrases')
}

function unsupported(what: string, identifier: string): Pkcs12Error {
  return new Pkcs12Error(`its ${what} (${identifier}) is not supported; export it with AES-256 or 3DES`)
}
