import { conflict, FiskError, invalidRequest, notFound } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import type { User } from '../ports/model.ts'
import type { UserRows } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import { newPasswordHash } from './passwords.ts'
import { type Principal, reachesCompany, requireAllCompanies } from './principal.ts'
import { NO_SESSION, requireUnchanged, type SessionDeps, sessionHash } from './sessions.ts'
import {
  checkCredentials,
  checkEmail,
  companiesWithOibs,
  findResettable,
  findUser,
  MOST_COMPANIES,
  requireAdminLeft,
  requireChangeable,
  requireOwnCompanies,
} from './users.ts'

/** Settings of a user's own account. */
export type AccountChanges = Partial<Pick<User, 'email' | 'language' | 'wantsMail' | 'mailCompanyIds'>>

/** Settings that an admin may change for a user. */
export type UserChanges = AccountChanges & Partial<Pick<User, 'role' | 'companyIds'>>

export type AccountUseCases = ReturnType<typeof createAccounts>

export function createAccounts(deps: Context) {
  const { store, clock } = deps

  return {
    /**
     * @param password needed for another mail address: links for a forgotten password are sent there
     * @throws FiskError `invalid_request` for an invalid mail address, `invalid_credentials`
     */
    async change(user: User, changes: AccountChanges, keep?: Keep<void>, password = ''): Promise<void> {
      if (typeof changes.email === 'string') checkEmail(changes.email)
      requireChoice(user, changes)
      if (typeof changes.email === 'string' && isOther(changes.email, user.email))
        await requireOwnPassword(deps, user, password, 'email_password')
      await changeAccount(deps, { user, by: user, changes }, keep)
    },
    /** Ends the other sessions. @throws FiskError `invalid_credentials`, `invalid_request` for a short password */
    async changePassword(user: User, token: string, passwords: { old: string; new: string }, keep?: Keep<void>) {
      await requireOwnPassword(deps, user, passwords.old, 'old_password')
      const passwordHash = await newPasswordHash(passwords.new, { key: user.id })
      const endSessionsBut = sessionHash(token)
      await changeAccount(deps, { user, by: user, changes: { passwordHash }, endSessionsBut }, keep)
    },
    async signOutElsewhere(user: User, token: string, keep?: Keep<void>): Promise<void> {
      await keeping(store, keep, async (tx) => {
        await tx.sessions.removeOthers(user.id, sessionHash(token))
      })
    },
    /**
     * For an admin, who changes a user of their tenant; no user can change their own role.
     * @throws FiskError `invalid_request`, 404, 409 for the own role or address and the last admin; as
     *   `requireChangeable`
     */
    changeUser,
    /**
     * For the local operator: limits a user to companies, also those that gateways own; null lifts the limit.
     * @throws FiskError 404, `invalid_request` for an OIB that no company of the tenant has
     */
    async limitUser(operator: Principal, nameOrId: string, oibs: readonly string[] | null): Promise<User> {
      const user = await findUser(store, operator, nameOrId)
      const companyIds = await companiesWithOibs(deps, operator, oibs)
      return changeUser(operator, user.id, { companyIds })
    },
    /** For an admin: resets a user who cannot sign in; ends their sessions. @throws FiskError as `findResettable` */
    async reset(
      admin: Principal,
      nameOrId: string,
      { password, secondFactor }: { password?: string; secondFactor?: true },
      keep?: Keep<User>,
    ): Promise<User> {
      const user = await findResettable(store, admin, nameOrId)
      const passwordHash = password === undefined ? undefined : await newPasswordHash(password, { key: admin.id })
      const changes = {
        ...(passwordHash !== undefined && { passwordHash }),
        ...(secondFactor && { sealedTotp: null, totpStep: 0 }),
      }
      const after = { ...user, ...changes }
      if (Object.keys(changes).length === 0) return after
      const ended = { endSessionsBut: NO_SESSION, ...(secondFactor && { recoveryCodes: [] }) }
      await changeAccount(deps, { user, by: admin, changes, ...ended }, keep && ((tx) => keep(tx, after)))
      return after
    },
  }

  async function changeUser(admin: Principal, userId: string, changes: UserChanges, keep?: Keep<User>): Promise<User> {
    requireAllCompanies(admin)
    if (typeof changes.email === 'string') checkEmail(changes.email)
    return keeping(store, keep, async (tx) => {
      await tx.subjects.hold('users')
      const user = await tx.users.get(userId)
      if (user?.tenantId !== admin.tenantId) throw notFound('user', 'there is no such user')
      requireChangeable(user, admin)
      const after = { ...user, ...changes }
      if (after.role !== user.role && user.id === admin.id) throw conflict('role', 'nobody changes their own role')
      // Links for a forgotten password are sent there: that needs the password.
      if (isOther(after.email, user.email) && user.id === admin.id)
        throw conflict('email', 'for yourself you do that on the page of your account')
      if (after.companyIds !== null && user.id === admin.id) throw conflict('companies', 'nobody limits themselves')
      if (changes.companyIds !== undefined) await requireOwnCompanies(tx, after)
      await tx.users.update(userId, changes)
      await endLink(tx, user, changes)
      await requireAdminLeft(tx, admin)
      const fields = Object.keys(changes) as (keyof UserChanges)[]
      const changed = fields.filter((field) => JSON.stringify(user[field]) !== JSON.stringify(after[field]))
      const limit = changed.includes('companyIds') && { company_ids: after.companyIds }
      const detail = { id: user.id, name: user.name, changed, ...limit }
      if (changed.length > 0) await audit(tx, admin, clock.now(), 'user.changed', detail)
      return after
    })
  }

  /** Companies that are mailed about are looked up again with each mail: a choice reveals nothing. */
  function requireChoice(user: User, { mailCompanyIds = null }: AccountChanges): void {
    if (mailCompanyIds === null) return
    const isWrong = mailCompanyIds.length === 0 || mailCompanyIds.length > MOST_COMPANIES
    if (isWrong || !mailCompanyIds.every((id) => reachesCompany(user, id))) {
      throw invalidRequest('companies', `choose 1 to ${MOST_COMPANIES} companies that you may see`)
    }
  }
}

/** Capitals make no other address. */
const isOther = (email: string | null, before: string | null) => email?.toLowerCase() !== before?.toLowerCase()

export interface AccountChange {
  user: User
  by: Pick<Principal, 'id' | 'tenantId'>
  changes: Parameters<UserRows['update']>[1]
  /** Runs first in the transaction, and may refuse by throwing. */
  require?: (tx: StoreTransaction) => Promise<void>
  /** Hashes; the earlier codes end. */
  recoveryCodes?: readonly string[]
  /** The hash of a session that stays; without it all sessions stay. */
  endSessionsBut?: string
}

export async function changeAccount(
  { store, clock }: Context,
  { user, by, changes, require, recoveryCodes, endSessionsBut }: AccountChange,
  keep: Keep<void> | undefined,
): Promise<void> {
  const isOwn = by.id === user.id
  const changed = [...Object.keys(changes), ...(recoveryCodes ? ['recoveryCodes'] : [])]
  await keeping(store, keep, async (tx) => {
    await tx.subjects.hold('users')
    // A user's own change requires the password that was checked; an admin's reset is valid in any case.
    if (isOwn) await requireUnchanged(tx, user)
    await require?.(tx)
    await tx.users.update(user.id, changes)
    await endLink(tx, user, changes)
    if (recoveryCodes) await tx.recoveryCodes.replace(user.id, recoveryCodes)
    if (endSessionsBut !== undefined) await tx.sessions.removeOthers(user.id, endSessionsBut)
    const detail = { id: user.id, name: user.name, changed }
    await audit(tx, by, clock.now(), isOwn ? 'user.changed' : 'user.reset', detail)
  })
}

/** A link in a mailbox that is not the user's any more, or from before the last change of the password, is no use. */
async function endLink(
  tx: StoreTransaction,
  { id, ...before }: User,
  { email = before.email, passwordHash = before.passwordHash }: Partial<User>,
): Promise<void> {
  if (email !== before.email || passwordHash !== before.passwordHash) await tx.passwordLinks.remove(id)
}

/** @throws FiskError `invalid_credentials` for a wrong password of the user's own */
export async function requireOwnPassword(
  { store }: Pick<SessionDeps, 'store'>,
  user: User,
  password: string,
  param: string,
): Promise<void> {
  const { matches } = await checkCredentials(store, user.name, password, { key: user.id })
  if (!matches) throw new FiskError('invalid_credentials', 'the password is wrong', { param })
}
