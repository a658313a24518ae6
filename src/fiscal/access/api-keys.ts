import { hash, randomBytes } from 'node:crypto'
import { FiskError, invalidRequest, notFound } from '../../domain/errors.ts'
import { nameOf } from '../../domain/texts/name.ts'
import type { Context, CreatingContext } from '../context.ts'
import type { ApiKey } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { findOrigin } from '../sales/fiscalize.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import { isFleetWide, type Principal, requireAllCompanies, SCOPES } from './principal.ts'

export type NewApiKey = Pick<ApiKey, 'mode' | 'scopes' | 'deviceId' | 'name'>

/** Contains the key itself, which is shown only here. */
export type CreatedApiKey = Pick<ApiKey, 'id' | 'mode' | 'scopes'> & { key: string }

/** Stores only the key's SHA-256. @throws FiskError `invalid_request` for an unknown or unsuitable scope or device */
export async function createApiKey(
  { store, clock, newUuid }: CreatingContext,
  operator: Principal,
  wanted: NewApiKey,
  keep?: Keep<CreatedApiKey>,
): Promise<CreatedApiKey> {
  requireAllCompanies(operator)
  const unknown = wanted.scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw invalidRequest('scopes', `${unknown} is no scope; these are: ${SCOPES.join(', ')}`)
  const tooMuch = wanted.scopes.find(isFleetWide)
  if (wanted.deviceId !== null && tooMuch !== undefined) {
    throw invalidRequest('scopes', `a key bound to one device cannot have ${tooMuch}, which reaches all of them`)
  }
  if (wanted.deviceId !== null) await findOrigin(store, { ...operator, mode: wanted.mode }, wanted.deviceId)
  const key = `fisk_${wanted.mode}_${randomBytes(32).toString('base64url')}`
  const id = newUuid()
  const name = wanted.name && nameOf('name', wanted.name)
  const stored = {
    ...wanted,
    name,
    id,
    tenantId: operator.tenantId,
    hash: hashOf(key),
    createdAt: clock.now(),
    revokedAt: null,
  }
  return keeping(store, keep, async (tx) => {
    await tx.apiKeys.insert(stored)
    const { mode, scopes, deviceId } = wanted
    const detail = { id, mode, name, scopes, device_id: deviceId }
    await audit(tx, operator, stored.createdAt, 'api_key.created', detail)
    return { id, key, mode, scopes }
  })
}

/** The keys of the tenant. @throws FiskError `insufficient_scope` */
export async function listApiKeys({ store }: Pick<Context, 'store'>, principal: Principal): Promise<ApiKey[]> {
  requireAllCompanies(principal)
  return store.apiKeys.list(principal.tenantId)
}

/** Refuses the key from the next request on. @throws FiskError 404 for an unknown key */
export async function revokeApiKey(
  { store, clock }: Context,
  operator: Principal,
  keyId: string,
  keep?: Keep<ApiKey>,
): Promise<ApiKey> {
  requireAllCompanies(operator)
  return keeping(store, keep, async (tx) => {
    const key = await tx.apiKeys.get(keyId)
    if (key?.tenantId !== operator.tenantId) throw notFound('id', 'there is no such API key')
    const now = clock.now()
    if (await tx.apiKeys.revoke(keyId, now)) {
      await audit(tx, operator, now, 'api_key.revoked', { id: keyId, name: key.name })
    }
    return (await tx.apiKeys.get(keyId)) ?? key
  })
}

const BEARER = /^Bearer +(fisk_(?:test|live)_[A-Za-z0-9_-]{1,128})$/i

/** The principal of the API key in an `Authorization` header. @throws FiskError `invalid_api_key`, `api_key_revoked` */
export async function authenticate(store: StoreTransaction, authorization: string | undefined): Promise<Principal> {
  const key = BEARER.exec(authorization ?? '')?.[1]
  const stored = key === undefined ? undefined : await store.apiKeys.byHash(hashOf(key))
  if (!stored) {
    throw new FiskError('invalid_api_key', 'no valid API key was sent', { param: 'Authorization' })
  }
  if (stored.revokedAt !== null) {
    throw new FiskError('api_key_revoked', 'this API key was revoked', { param: 'Authorization' })
  }
  const { id, tenantId, mode, scopes, deviceId } = stored
  return { id, tenantId, mode, scopes, deviceId, companyIds: null, isPlatformAdmin: false }
}

const hashOf = (key: string): string => hash('sha256', key)
