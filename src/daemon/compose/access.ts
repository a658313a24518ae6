import type { FastifyRequest } from 'fastify'
import type { SessionUseCases } from '../../dashboard/session-routes.ts'
import { ACCESS_ADMIN } from '../../fiscal/access/access.ts'
import { createAccounts } from '../../fiscal/access/accounts.ts'
import { createSecondFactor } from '../../fiscal/access/own-second-factor.ts'
import { createTellHolder } from '../../fiscal/access/password-links.ts'
import { findSession, showCode, signIn, signOut } from '../../fiscal/access/sessions.ts'
import type { OfficeMailing } from '../../fiscal/mail/office-mail.ts'
import { wired } from '../../fiscal/wired.ts'
import { identifyCaller, identifyOperator } from '../http/authenticate.ts'
import { clientNetwork } from '../http/connection-limit.ts'
import type { Base } from './base.ts'

export function composeAccess({ store, vault, clock, newUuid, log, mails }: Base & { mails: OfficeMailing }) {
  const onFault = (error: unknown) => log.warn({ err: error }, 'a mail about a user name could not be sent')
  const context = { store, vault, clock }
  const accounts = createAccounts(context)
  const sessions: SessionUseCases = {
    ...wired(context, { showCode, findSession }),
    ...wired(store, { signOut }),
    signIn: (name, password, caller) =>
      signIn(context, name, password, { ...caller, network: clientNetwork(caller.address) }),
  }
  return {
    accounts,
    secondFactor: createSecondFactor(context),
    sessions,
    adminUseCases: {
      ...wired({ store, clock, newUuid, tellHolder: createTellHolder({ clock, mails, onFault }) }, ACCESS_ADMIN),
      resetUser: accounts.reset,
      limitUser: accounts.limitUser,
    },
    identifyCaller: (request: FastifyRequest) => identifyCaller(request, store, sessions),
    identifyOperator: (request: FastifyRequest) => identifyOperator(request, store),
  }
}
