import { CERTIFICATE_BOUNDS } from './bounds.ts'
import type { KeyDerivation, Pbkdf2 } from './key-derivation.ts'
import { Pkcs12Error } from './pkcs12-asn1.ts'

/** Derives the keys of one file within a budget of hash rounds. */
export interface KeyWork {
  /** Reserves rounds before the work starts. @throws Pkcs12Error when the file needs more than the budget */
  spend(iterations: number, blocks: number): void
  derivation: Pick<KeyDerivation, 'hashRepeatedly' | 'pbkdf2'>
}

export function createKeyWork(
  derivation: KeyWork['derivation'],
  rounds: number = CERTIFICATE_BOUNDS.rounds.most,
): KeyWork {
  let left = rounds
  return {
    derivation,
    spend(iterations, blocks) {
      if (iterations < 1) throw new Pkcs12Error('its iteration count is 0')
      left -= iterations * blocks
      if (left < 0) throw new Pkcs12Error('its iteration counts are far above what any tool uses')
    },
  }
}

const HASHES: Record<string, { output: number; block: number }> = {
  md5: { output: 16, block: 64 },
  sha1: { output: 20, block: 64 },
  sha224: { output: 28, block: 64 },
  sha256: { output: 32, block: 64 },
  sha384: { output: 48, block: 128 },
  sha512: { output: 64, block: 128 },
}

/** The purpose of a derived key (RFC 7292, B.3). */
export const Purpose = { key: 1, iv: 2, mac: 3 } as const

type Derivation = Pbkdf2 & { work: KeyWork }

/** The key derivation of PKCS#12 (RFC 7292, B.2). @throws Pkcs12Error beyond the budget of a file; DerivationFailed */
export async function pkcs12Kdf(purpose: number, o: Derivation): Promise<Buffer> {
  const size = sizeOf(o.hashName)
  const blocks = Math.ceil(o.length / size.output)
  o.work.spend(o.iterations, blocks)
  const diversifier = Buffer.alloc(size.block, purpose)
  let input = Buffer.concat([repeatToBlocks(o.salt, size.block), repeatToBlocks(o.password, size.block)])
  const out: Buffer[] = []
  for (let block = 0; block < blocks; block++) {
    const bytes = Buffer.concat([diversifier, input])
    const digest = await o.work.derivation.hashRepeatedly(o.hashName, bytes, o.iterations)
    out.push(digest)
    input = addToEachBlock(input, repeatToBlocks(digest, size.block).subarray(0, size.block))
  }
  return Buffer.concat(out).subarray(0, o.length)
}

/** PBKDF2 of PBES2 (RFC 8018). @throws Pkcs12Error when it exceeds the budget of the file; DerivationFailed */
export async function pbkdf2(o: Derivation): Promise<Buffer> {
  o.work.spend(o.iterations, Math.ceil(o.length / sizeOf(o.hashName).output))
  return o.work.derivation.pbkdf2(o)
}

function sizeOf(hashName: string): { output: number; block: number } {
  const size = HASHES[hashName]
  if (!size) throw new Pkcs12Error(`it uses the hash ${hashName}, which PKCS#12 does not know`)
  return size
}

function repeatToBlocks(bytes: Buffer, block: number): Buffer {
  if (bytes.length === 0) return Buffer.alloc(0)
  return Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes)
}

/** I = I + B + 1 in every block, modulo the block's size (RFC 7292, B.2, step 6C). */
function addToEachBlock(input: Buffer, addend: Buffer): Buffer<ArrayBuffer> {
  const sum = Buffer.alloc(input.length)
  for (let start = 0; start < input.length; start += addend.length) {
    let carry = 1
    for (let i = addend.length - 1; i >= 0; i--) {
      carry += (input[start + i] ?? 0) + (addend[i] ?? 0)
      sum[start + i] = carry & 0xff
      carry >>= 8
    }
  }
  return sum
}

/** A passphrase in the two encodings that one PKCS#12 file may use. */
export interface EncodedPassphrase {
  /** For the MAC and the old ciphers: UTF-16BE with a terminator (RFC 7292, B.1). */
  bmp: Buffer
  /** For PBES2: UTF-8, no terminator. */
  utf8: Buffer
}

/**
 * The encodings of a passphrase that tools have used, the correct one first. Some encode an empty passphrase as a
 * terminator, others as no bytes. OpenSSL before 1.1 encoded every byte of the UTF-8 text as one character.
 */
export function passphraseEncodings(passphrase: string): EncodedPassphrase[] {
  const utf8 = Buffer.from(passphrase, 'utf8')
  const encodings = [{ bmp: bmpString(passphrase), utf8 }]
  if (passphrase === '') encodings.push({ bmp: Buffer.alloc(0), utf8 })
  if (utf8.length !== passphrase.length) encodings.push({ bmp: bmpString(utf8.toString('latin1')), utf8 })
  return encodings
}

function bmpString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16()
}
