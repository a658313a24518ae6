import { hash, pbkdf2 as pbkdf2WithCallback } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Pkcs12Error } from './pkcs12-asn1.ts'

/**
 * What the key derivations of one file may cost together, in hash rounds. The dearest files of real tools spend 600,000
 * on each of the MAC, the certificates and the key; a hostile file could ask for years.
 */
const MAX_ROUNDS = 2_000_000

/** How long a file may keep the event loop to itself: machines go on selling while a certificate is uploaded. */
const SLICE_MS = 3

/** Rounds between two looks at the clock, well under a millisecond's worth on a small machine. */
const ROUNDS_PER_LOOK = 64

const pbkdf2InThreadPool = promisify(pbkdf2WithCallback)

/** Counts the work that a file asks for before it is done, and spreads it. */
export interface WorkBudget {
  /** @throws Pkcs12Error when the file asks for more than any honest one. */
  spend(iterations: number, blocks: number): void
  /** Lets other work go on when this file's has held the event loop for some milliseconds. */
  breathe(): Promise<void>
}

export function createWorkBudget(rounds = MAX_ROUNDS): WorkBudget {
  let left = rounds
  let sliceStart = performance.now()
  return {
    spend(iterations, blocks) {
      if (iterations < 1) throw new Pkcs12Error('its iteration count is 0')
      left -= iterations * blocks
      if (left < 0) throw new Pkcs12Error('its iteration counts are far above what any tool uses')
    },
    async breathe() {
      if (performance.now() - sliceStart < SLICE_MS) return
      await setImmediate()
      sliceStart = performance.now()
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

/** What a derived key is for (RFC 7292, B.3). */
export const Purpose = { key: 1, iv: 2, mac: 3 } as const

interface Derivation {
  hashName: string
  /** Already encoded as the derivation wants it. */
  password: Buffer
  salt: Buffer
  iterations: number
  length: number
  budget: WorkBudget
}

/**
 * The key derivation of PKCS#12 itself (RFC 7292, appendix B.2): the MAC, and the old ciphers. Runs in slices on the
 * event loop, because the runtime has no such derivation to give to its thread pool.
 * @throws Pkcs12Error when the budget does not cover it
 */
export async function pkcs12Kdf(purpose: number, o: Derivation): Promise<Buffer> {
  const size = sizeOf(o.hashName)
  const blocks = Math.ceil(o.length / size.output)
  o.budget.spend(o.iterations, blocks)
  const diversifier = Buffer.alloc(size.block, purpose)
  let input = Buffer.concat([repeatToBlocks(o.salt, size.block), repeatToBlocks(o.password, size.block)])
  const out: Buffer[] = []
  for (let block = 0; block < blocks; block++) {
    let digest: Buffer = Buffer.concat([diversifier, input])
    for (let round = 0; round < o.iterations; round++) {
      if (round % ROUNDS_PER_LOOK === 0) await o.budget.breathe()
      digest = hash(o.hashName, digest, 'buffer')
    }
    out.push(digest)
    input = addToEachBlock(input, repeatToBlocks(digest, size.block).subarray(0, size.block))
  }
  return Buffer.concat(out).subarray(0, o.length)
}

/**
 * PBKDF2 of PBES2 (RFC 8018), in the runtime's thread pool.
 * @throws Pkcs12Error when the budget does not cover it
 */
export async function pbkdf2(o: Derivation): Promise<Buffer> {
  o.budget.spend(o.iterations, Math.ceil(o.length / sizeOf(o.hashName).output))
  return pbkdf2InThreadPool(o.password, o.salt, o.iterations, o.length, o.hashName)
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
