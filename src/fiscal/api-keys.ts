import { createHash, randomBytes } from 'node:crypto'
import { FiskError, invalidRequest } from '../domain/errors.ts'
import type { Mode } from '../domain/sale.ts'
import { findOrigin } from './fiscalize.ts'
import type { Clock } from './ports.ts'
import { type Principal, SCOPES } from './principal.ts'
import type { Store } from './store-port.ts'

export interface NewApiKey {
  mode: Mode
  scopes: readonly string[]
  deviceId: string | null
  name: string | null
}

/** The only time the key itself is seen. */
export interface CreatedApiKey {
  id: string
  key: string
  mode: Mode
  scopes: readonly string[]
}

/** Makes an API key; stored is only its SHA-256. @throws FiskError `invalid_request` for an unknown scope or device */
export async function createApiKey(
  { store, clock, newUuid }: { store: Store; clock: Clock; newUuid: () => string },
  operator: Principal,
  wanted: NewApiKey,
): Promise<CreatedApiKey> {
  const unknown = wanted.scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw invalidRequest('scopes', `${unknown} is no scope; these are: ${SCOPES.join(', ')}`)
  if (wanted.deviceId !== null) await findOrigin(store, { ...operator, mode: wanted.mode }, wanted.deviceId)
  const key = `fisk_${wanted.mode}_${randomBytes(32).toString('base64url')}`
  const id = newUuid()
  await store.apiKeys.insert({
    id,
    tenantId: operator.tenantId,
    mode: wanted.mode,
    hash: hashOf(key),
    name: wanted.name,
    scopes: wanted.scopes,
    deviceId: wanted.deviceId,
    createdAt: clock.now(),
    revokedAt: null,
  })
  return { id, key, mode: wanted.mode, scopes: wanted.scopes }
}

const BEARER = /^Bearer +(fisk_(?:test|live)_[A-Za-z0-9_-]{1,128})$/i

/** Tells who sends a key in an `Authorization` header. @throws FiskError `invalid_api_key`, `api_key_revoked` */
export async function authenticate(store: Store, authorization: string | undefined): Promise<Principal> {
  const key = BEARER.exec(authorization ?? '')?.[1]
  const stored = key === undefined ? undefined : await store.apiKeys.byHash(hashOf(key))
  if (!stored) {
    throw new FiskError('invalid_api_key', 'no valid API key was sent', { param: 'Authorization' })
  }
  if (stored.revokedAt !== null) {
    throw new FiskError('api_key_revoked', 'this API key was revoked', { param: 'Authorization' })
  }
  const { id, tenantId, mode, scopes, deviceId } = stored
  return { id, tenantId, mode, scopes, deviceId }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex')
}
