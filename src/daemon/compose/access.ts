import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { SessionUseCases } from '../../dashboard/session-routes.ts'
import { createAccounts } from '../../fiscal/access/accounts.ts'
import { createApiKey, revokeApiKey } from '../../fiscal/access/api-keys.ts'
import { requireAllCompanies } from '../../fiscal/access/company-limit.ts'
import { createSecondFactor } from '../../fiscal/access/own-second-factor.ts'
import { findSession, showCode, signIn, signOut } from '../../fiscal/access/sessions.ts'
import { createTellHolder } from '../../fiscal/access/tell-holder.ts'
import { addTenant } from '../../fiscal/access/tenants.ts'
import { addUser, companiesWithOibs, removeUser } from '../../fiscal/access/users.ts'
import { pageOf } from '../../fiscal/list-page.ts'
import type { OfficeMailing } from '../../fiscal/mail/office-mail.ts'
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
  mails: OfficeMailing
  log: () => Pick<Logger, 'warn'>
}

export type Access = ReturnType<typeof composeAccess>

/** Who may do what: API keys, users with their sessions and accounts, tenants, and the audit log. */
export function composeAccess(deps: AccessDeps) {
  const { store, log } = deps
  const onFault = (error: unknown) => log().warn({ err: error }, 'a mail about a user name could not be sent')
  const adding = { ...deps, tellHolder: createTellHolder({ ...deps, onFault }) }
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
    addUser: (principal, user, keep) => addUser(adding, principal, user, keep),
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
      return pageOf(
        slice,
        (wanted) => store.audit.list(principal.tenantId, wanted),
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
