import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { GatewayCommand } from '../../src/fiscal/ports/gateway-commands.ts'
import { DEFAULT_TENANT } from '../../src/store/store.ts'
import { type SignedCommand, signCommand } from '../../src/sync/wire/commands.ts'

/** A server as far as a gateway believes it: a key that signs commands. */
export function commandServer() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const signBytes = (bytes: Buffer) => sign(null, bytes, privateKey).toString('base64url')
  return {
    /** As a gateway learns it when it enrols. */
    key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
    signBytes,
    sign: (command: GatewayCommand): SignedCommand => signCommand(command, signBytes),
    /** Signs whatever it is given. */
    signText: (text: string): SignedCommand => ({
      payload: Buffer.from(text).toString('base64url'),
      signature: signBytes(Buffer.from(text)),
    }),
  }
}

export const GATEWAY_ID = '11111111-1111-4111-8111-111111111111'
export const NOW = Date.UTC(2026, 10, 22, 12)

/** A command that a gateway may be sent; what is given replaces the defaults. */
export function commandOf(changes: Partial<GatewayCommand> = {}): GatewayCommand {
  return {
    ...{ id: randomUUID(), gatewayId: GATEWAY_ID, number: 1, type: 'doctor', body: {}, issuedBy: 'operator' },
    ...{
      issuedAt: NOW,
      expiresAt: NOW + 7 * 86_400_000,
      status: 'waiting',
      sentAt: null,
      answeredAt: null,
      result: null,
    },
    ...changes,
  }
}

/** How a gateway is that has nothing to say. */
export const HEARTBEAT = {
  ...{ version: '1.0.0', uptime_s: 1, can_sell: true, problems: [], outbox: { waiting: 0, refused: 0 }, printers: [] },
  queue: { pending: 0, retrying: 0, failed: 0, expired: 0, oldest_at: null },
  clock: { status: 'ok', trusted: true, offset_ms: null, now: '2026-11-22T12:00:00Z' },
  disk: { free_bytes: null, left_out: [] },
  last_jir_at: null,
  restored_at: null,
}

/** A gateway that was never heard of, as it is stored. */
export function gatewayRecord(id: string, name: string) {
  return {
    ...{ id, tenantId: DEFAULT_TENANT, name, createdAt: 1, tokenHash: null, tokenExpiresAt: null },
    ...{
      credentialHash: null,
      publicKey: null,
      enrolledAt: null,
      revokedAt: null,
      position: 0,
      heard: 0,
      session: null,
    },
    ...{ sessionBefore: null, strikes: 0, duplicatedAt: null, lastCommand: 0, lastSeenAt: null, reportedAt: null },
    ...{ heartbeat: null, companies: null },
  }
}
