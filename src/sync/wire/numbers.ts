import type { Premises } from '../../fiscal/ports/gateways.ts'
import { isSignatureOf } from './commands.ts'
import type { WireNumber } from './messages.ts'

export function encodePlace<T extends Premises>({ companyId, premisesCode, ...rest }: T) {
  return { company_id: companyId, premises_code: premisesCode, ...rest }
}

/** What names a premises: a number, for example, or why it is taken. */
export function decodePlace<T extends { company_id: string; premises_code: string }>(wire: T) {
  const { company_id: companyId, premises_code: premisesCode, ...rest } = wire
  return { companyId, premisesCode, ...rest }
}

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
export const signNumbers = (told: Told, sign: (bytes: Buffer) => string): string => sign(bytesOf(told))

/** @param serverKey Ed25519, SPKI DER as base64url */
export function areSigned(told: Told, signature: string, serverKey: string): boolean {
  return isSignatureOf(bytesOf(told), signature, serverKey)
}
