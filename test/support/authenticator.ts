import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { Visitor } from './dashboard.ts'

const SET_UP = '/dashboard/account/second-factor'

/** What an authenticator app on a phone shows. @param later milliseconds from now */
export function codeOf(secret: string, later = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later })
}

/** Sets up a second factor, with the code of this moment. */
export async function setUpSecondFactor(visitor: Visitor): Promise<{ secret: string; code: string }> {
  const fields = (await visitor.get(SET_UP)).hidden(SET_UP)
  const { secret = '' } = fields
  const code = codeOf(secret)
  expect((await visitor.post(SET_UP, { ...fields, code })).status).toBe(303)
  return { secret, code }
}
