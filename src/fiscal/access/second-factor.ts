import { createHash, randomBytes } from 'node:crypto'
import type { EpochMs } from '../../domain/instant.ts'

const ISSUER = 'fiskd'
const PERIOD_S = 30
/** The clocks of phones and machines differ, so the previous and the next code are valid, too. */
const STEPS_APART = 1

export interface NewSecret {
  /** Base32, 160 bits. */
  secret: string
  /** `otpauth://` for the QR code. */
  uri: string
}

/** A new secret of the second factor (RFC 6238: SHA-1, 6 digits, 30 seconds, as in authenticator apps). */
export async function newSecret(userName: string, again?: string): Promise<NewSecret> {
  const { Secret, TOTP } = await import('otpauth')
  const secret = again === undefined ? new Secret({ size: 20 }) : Secret.fromBase32(again)
  const uri = new TOTP({ issuer: ISSUER, label: userName, secret, period: PERIOD_S }).toString()
  return { secret: secret.base32, uri }
}

/** @returns the time step of the code; null for a wrong code */
export async function stepOfCode(secret: string, code: string, now: EpochMs): Promise<number | null> {
  const token = code.replace(/\s/g, '')
  if (!/^[0-9]{6}$/.test(token)) return null
  const { Secret, TOTP } = await import('otpauth')
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S })
  const delta = totp.validate({ token, timestamp: now, window: STEPS_APART })
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta
}

const COUNT = 10
const BYTES = 10
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CODE = /^[A-Z2-7]{16}$/

/** Codes that replace the phone of a second factor: 80 bits each, so that a fast hash hides them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const bits = [...randomBytes(BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    const letters = (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)])
    return letters.join('').replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** What is stored of a code, however its letters and groups are typed; null for what is no such code. */
export function recoveryHash(typed: string): string | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '')
  return CODE.test(code) ? createHash('sha256').update(code).digest('hex') : null
}
