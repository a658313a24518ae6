import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { FiskError, invalidRequest } from '../../domain/errors.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'

const MIN_PASSWORD_LENGTH = 12

/** The place of a password in the hashing queue. */
export interface Turn {
  /** The network of a client, or the id of a user; the keys take turns. */
  key: string
  /** Aborts when no caller waits for the result any more. */
  signal?: AbortSignal
}

/** The setting with the least memory (8 MB) among those that OWASP considers equally strong. */
const COST = { N: 2 ** 13, r: 8, p: 10 }
const KEY_BYTES = 32

/** Five hashes take some seconds on a small machine. */
const RETRY_AFTER_S = 10

/** Each hash uses a CPU core for a while. One at a time in the whole process, so that sign-ins do not delay sales. */
const queue = createFairQueue({
  mostOfOneKey: 8,
  most: 40,
  full: () =>
    new FiskError('rate_limited', `too many sign-ins at a time: wait ${RETRY_AFTER_S} seconds`, {
      reason: 'sign_ins_busy',
      retryAfterS: RETRY_AFTER_S,
    }),
})

/** @throws FiskError `invalid_request` for a short password, `rate_limited` when too many passwords wait */
export async function newPasswordHash(password: string, turn: Turn): Promise<string> {
  if (password.length < MIN_PASSWORD_LENGTH) {
    throw invalidRequest('password', `the password must have at least ${MIN_PASSWORD_LENGTH} characters`)
  }
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST, turn)
  return hashText(salt, key)
}

function hashText(salt: Buffer, key: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

export async function isPassword(password: string, hash: string, turn: Turn): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64'), cost, turn)
  const expected = Buffer.from(key, 'base64')
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}

/** An invited user's hash. No password leads to zeros; checking against it takes as long as against any other hash. */
export const NO_PASSWORD = hashText(Buffer.alloc(16), Buffer.alloc(KEY_BYTES))

function derive(password: string, salt: Buffer, cost: typeof COST, { key, signal }: Turn): Promise<Buffer> {
  // Different keyboards encode the same letter differently.
  const text = password.normalize('NFKC')
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(text, salt, KEY_BYTES, cost, (error, derived) => (error ? reject(error) : resolve(derived)))
    })
  return queue.run(key, work, signal)
}
