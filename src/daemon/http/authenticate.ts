import type { FastifyRequest } from 'fastify'
import { identifySession } from '../../dashboard/authenticate.ts'
import type { SessionUseCases } from '../../dashboard/session-routes.ts'
import { notFound } from '../../domain/errors.ts'
import { authenticate } from '../../fiscal/access/api-keys.ts'
import { type Principal, SCOPES, UNLIMITED } from '../../fiscal/access/principal.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { DEFAULT_TENANT } from '../../store/store.ts'

/** @throws FiskError `invalid_api_key`, `api_key_revoked`, `invalid_session`, `csrf_token_invalid` */
export async function identifyCaller(
  request: FastifyRequest,
  store: Store,
  sessions: SessionUseCases,
): Promise<Principal> {
  const { authorization } = request.headers
  const user = authorization === undefined ? await identifySession(request, sessions.findSession) : undefined
  return user ?? authenticate(store, authorization)
}

/** Every process that may open the admin socket is the operator of the tenant in `X-Tenant`. @throws FiskError 404 */
export async function identifyOperator(request: FastifyRequest, store: Store): Promise<Principal> {
  const named = request.headers['x-tenant']
  const tenantId = typeof named === 'string' ? named : DEFAULT_TENANT
  if (tenantId !== DEFAULT_TENANT && !(await store.tenants.get(tenantId))) {
    throw notFound('X-Tenant', `there is no tenant ${tenantId}`)
  }
  return operatorOf(tenantId)
}

export function operatorOf(tenantId: string): Principal {
  // Each tenant has an operator id of its own, so that idempotency keys of one tenant do not match requests of another.
  const id = tenantId === DEFAULT_TENANT ? 'operator' : `operator of ${tenantId}`
  return { ...UNLIMITED, id, tenantId, scopes: SCOPES }
}
