import { createPublicKey, verify } from 'node:crypto'
import type { Static } from 'typebox'
import { attempt } from '../../domain/attempt.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import { checkOf } from './check-value.ts'
import { Closed, Free, Moment, Ordinal, Text, Uuid } from './schemas.ts'

export const CommandPayload = Closed({
  gateway_id: Uuid,
  id: Uuid,
  number: Ordinal,
  type: Text(60, 1),
  body: Free,
  issued_by: Text(200, 1),
  issued_at: Moment,
  expires_at: Moment,
})
export type CommandPayload = Static<typeof CommandPayload>

/** A command as it travels: both base64url. */
export interface SignedCommand {
  payload: string
  signature: string
}

const check = checkOf(CommandPayload)

/** @param sign Ed25519 over these bytes, base64url */
export function signCommand(command: GatewayCommand, sign: (bytes: Buffer) => string): SignedCommand {
  const { id, number, type, body, gatewayId, issuedBy, issuedAt, expiresAt } = command
  const payload: CommandPayload = {
    gateway_id: gatewayId,
    id,
    number,
    type,
    body,
    issued_by: issuedBy,
    issued_at: issuedAt,
    expires_at: expiresAt,
  }
  const bytes = Buffer.from(JSON.stringify(payload), 'utf8')
  return { payload: bytes.toString('base64url'), signature: sign(bytes) }
}

/** Parses a payload without checking its signature; undefined when it is not a command. */
export function readPayload(payload: string): CommandPayload | undefined {
  const checked = attempt(() => check(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))), null)
  return checked && 'value' in checked ? checked.value : undefined
}

/** @param serverKey Ed25519, SPKI DER as base64url */
export function isSigned({ payload, signature }: SignedCommand, serverKey: string): boolean {
  return isSignatureOf(Buffer.from(payload, 'base64url'), signature, serverKey)
}

/**
 * False also for what is no key or signature. @param signature base64url @param serverKey Ed25519, SPKI DER as
 * base64url
 */
export function isSignatureOf(bytes: Buffer, signature: string, serverKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(serverKey, 'base64url'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}
