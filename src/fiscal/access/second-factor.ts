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
