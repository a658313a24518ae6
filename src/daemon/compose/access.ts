import type { FastifyRequest } from 'fastify'
import type { SessionUseCases } from '../../dashboard/session-routes.ts'
import { createAccounts } from '../../fiscal/access/accounts.ts'
import { createApiKey, revokeApiKey } from '../../fiscal/access/api-keys.ts'
import { requireAllCompanies } from '../../fiscal/access/company-limit.ts'
import { createSecondFactor } from '../../fiscal/access/own-second-factor.ts'
import { findSession, showCode, signIn, signOut } from '../../fiscal/access/sessions.ts'
import { addTenant } from '../../fiscal/access/tenants.ts'
import { addUser, companiesWithOibs, removeUser } from '../../fiscal/access/users.ts'
import { pageOf } from '../../fiscal/list-page.ts'
import type { Vault } from '../../fiscal/ports/certificates.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import type { OpenStore } from '../../store/store.ts'
import { identifyCaller, identifyOperator } from '../http/authenticate.ts'
import { clientNetwork } from '../http/connection-limit.ts'
import type { RunningClock } from './clocks.ts'

export interface AccessDeps {
  store: OpenStore
  vault: Vault
  clock: RunningClock
  newUuid: () => string
}

export type Access = ReturnType<typeof composeAccess>

/** Who may do what: API keys, users with their sessions and accounts, tenants, and the audit log. */
export function composeAccess(deps: AccessDeps) {
  const { store } = deps
  const accounts = createAccounts(deps)
  const secondFactor = createSecondFactor(deps)
  const sessions: SessionUseCases = {
    signIn: (name, password, caller) =>
      signIn(deps, name, password, { ...caller, network: clientNetwork(caller.address) }),
    showCode: (token, code, caller) => showCode(deps, token, code, caller),
    signOut: (token) => signOut(store, token),
    findSession: (token) => findSession(deps, token),
  }
  const adminUseCases = {
    createApiKey: (principal, key, keep) => createApiKey(deps, principal, key, keep),
    async listApiKeys(principal) {
      requireAllCompanies(principal)
      return store.apiKeys.list(principal.tenantId)
    },
    revokeApiKey: (principal, id, keep) => revokeApiKey(deps, principal, id, keep),
    addUser: (principal, user, keep) => addUser(deps, principal, user, keep),
    async listUsers(principal) {
      requireAllCompanies(principal)
      return store.users.list(principal.tenantId)
    },
    removeUser: (principal, nameOrId, keep) => removeUser(deps, principal, nameOrId, keep),
    resetUser: accounts.reset,
    limitUser: accounts.limitUser,
    companiesWithOibs: ({ tenantId }, oibs) => companiesWithOibs(store, tenantId, oibs),
    addTenant: (principal, name) => addTenant(deps, principal, name),
    listTenants: () => store.tenants.list(),
    async auditLog(principal, slice) {
      requireAllCompanies(principal)
      const read = store.reading()
      return pageOf(
        slice,
        (wanted) => read((rows) => rows.audit.list(principal.tenantId, wanted)),
        (entry) => entry,
      )
    },
  } satisfies Partial<AdminUseCases>
  return {
    accounts,
    secondFactor,
    sessions,
    adminUseCases,
    identifyCaller: (request: FastifyRequest) => identifyCaller(request, store, sessions),
    identifyOperator: (request: FastifyRequest) => identifyOperator(request, store),
  }
}
