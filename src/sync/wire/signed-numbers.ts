import type { WireNumber } from './messages.ts'
import { isSignatureOf } from './signature.ts'

/** What is signed begins with it: no command and nothing else of the server reads the same. */
const DOMAIN = 'fiskd receipt numbers 1'

interface Told {
  gatewayId: string
  nonce: string
  numbers: readonly WireNumber[]
}

function bytesOf({ gatewayId, nonce, numbers }: Told): Buffer {
  const rows = numbers.map((one) => [
    ...[one.company_id, one.mode, one.premises_code, one.year, one.register, one.highest, one.level],
  ])
  return Buffer.from(JSON.stringify([DOMAIN, gatewayId, nonce, rows]), 'utf8')
}

/** @param sign Ed25519 over these bytes, base64url */
export function signNumbers(told: Told, sign: (bytes: Buffer) => string): string {
  return sign(bytesOf(told))
}

/** @param serverKey Ed25519, SPKI DER as base64url */
export function areSigned(told: Told, signature: string, serverKey: string): boolean {
  return isSignatureOf(bytesOf(told), signature, serverKey)
}
