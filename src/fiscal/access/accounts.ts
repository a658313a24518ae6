import { conflict, FiskError, invalidRequest, notFound } from '../../domain/errors.ts'
import type { Language, Role, User } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import { reachesCompany, requireAllCompanies } from './company-limit.ts'
import { newPasswordHash } from './passwords.ts'
import type { Principal } from './principal.ts'
import { type NewSecret, newSecret, stepOfCode } from './second-factor.ts'
import { NO_SESSION, requireUnchanged, type SessionDeps, sessionHash, totpContext } from './sessions.ts'
import {
  checkCredentials,
  checkEmail,
  companiesWithOibs,
  findResettable,
  findUser,
  MOST_COMPANIES,
  requireAdminLeft,
  requireOwnCompanies,
} from './users.ts'

/** Settings of a user's own account. */
export interface AccountChanges {
  email?: string | null
  language?: Language
  wantsMail?: boolean
  /** Whose alerts are mailed; null for all that the user may see. */
  mailCompanyIds?: readonly string[] | null
}

/** Settings that an admin may change for a user. */
export interface UserChanges extends AccountChanges {
  role?: Role
  companyIds?: readonly string[] | null
}

/** What users do with their own accounts, and admins with those of their tenant. */
export interface AccountUseCases {
  /**
   * @param password needed for another mail address: links for a forgotten password are sent there
   * @throws FiskError `invalid_request` for an invalid mail address, `invalid_credentials`
   */
  change(user: User, changes: AccountChanges, keep?: Keep<void>, password?: string): Promise<void>
  /**
   * Ends the other sessions of the user.
   * @throws FiskError `invalid_credentials`, `invalid_request` for a short password
   */
  changePassword(user: User, token: string, passwords: { old: string; new: string }, keep?: Keep<void>): Promise<void>
  /** A secret that is not in use yet. @param again a secret that was shown before, to show it again */
  newSecret(user: User, again?: string): Promise<NewSecret>
  /** @throws FiskError `invalid_credentials` for a wrong code, 409 when a second factor exists already */
  enableSecondFactor(user: User, token: string, secret: string, code: string, keep?: Keep<void>): Promise<void>
  /** @throws FiskError `invalid_credentials` for a wrong password */
  disableSecondFactor(user: User, password: string, keep?: Keep<void>): Promise<void>
  signOutElsewhere(user: User, token: string, keep?: Keep<void>): Promise<void>
  /**
   * For an admin, who changes a user of their tenant; no user can change their own role.
   * @throws FiskError `invalid_request`, 404, 409 for the admin's own role and for the last admin
   */
  changeUser(admin: Principal, userId: string, changes: UserChanges, keep?: Keep<User>): Promise<User>
  /**
   * For the local operator: limits a user to companies of the tenant; null lifts the limit.
   * @param oibs also of companies that gateways own
   * @throws FiskError 404, `invalid_request` for an OIB that no company of the tenant has
   */
  limitUser(operator: Principal, nameOrId: string, oibs: readonly string[] | null): Promise<User>
  /**
   * For an admin, who resets a user that cannot sign in any more; ends the user's sessions.
   * @throws FiskError as `findResettable`
   */
  reset(
    admin: Principal,
    nameOrId: string,
    what: { password?: string; secondFactor?: true },
    keep?: Keep<User>,
  ): Promise<User>
}

const SECRET = /^[A-Z2-7]{32}$/

export function createAccounts({ store, clock, vault }: SessionDeps): AccountUseCases {
  /** @param endSessionsBut the hash of a session that stays; without it all sessions stay */
  const update = (
    user: User,
    by: Pick<Principal, 'id' | 'tenantId'>,
    changes: Parameters<typeof store.users.update>[1],
    action: 'user.changed' | 'user.reset',
    keep: Keep<void> | undefined,
    endSessionsBut?: string,
  ) =>
    store.transaction(async (tx) => {
      await tx.subjects.hold('users')
      // A user's own change requires the password that was checked; an admin's reset is valid in any case.
      if (by.id === user.id) await requireUnchanged(tx, user)
      await tx.users.update(user.id, changes)
      await endLink(tx, user, changes)
      if (endSessionsBut !== undefined) await tx.sessions.removeOthers(user.id, endSessionsBut)
      await audit(tx, by, clock.now(), action, { id: user.id, name: user.name, changed: Object.keys(changes) })
      await keep?.(tx, undefined)
    })

  return {
    async change(user, changes, keep, password = '') {
      if (typeof changes.email === 'string') checkEmail(changes.email)
      requireChoice(user, changes)
      if (typeof changes.email === 'string' && changes.email !== user.email)
        await checkOwn(user, password, 'email_password')
      await update(user, user, changes, 'user.changed', keep)
    },
    async changePassword(user, token, passwords, keep) {
      await checkOwn(user, passwords.old, 'old_password')
      const passwordHash = await newPasswordHash(passwords.new, { key: user.id })
      await update(user, user, { passwordHash }, 'user.changed', keep, sessionHash(token))
    },
    newSecret: (user, again) => newSecret(user.name, again !== undefined && SECRET.test(again) ? again : undefined),
    async enableSecondFactor(user, token, secret, code, keep) {
      if (user.sealedTotp) throw conflict('code', 'there is a second factor already')
      if (!SECRET.test(secret)) throw invalidRequest('secret', 'this is no secret that was made here')
      const step = await stepOfCode(secret, code, clock.now())
      if (step === null) throw new FiskError('invalid_credentials', 'the code is wrong', { param: 'code' })
      const sealedTotp = vault.seal(Buffer.from(secret, 'utf8'), totpContext(user.id))
      await update(user, user, { sealedTotp, totpStep: step }, 'user.changed', keep, sessionHash(token))
    },
    async disableSecondFactor(user, password, keep) {
      await checkOwn(user, password, 'password')
      await update(user, user, { sealedTotp: null, totpStep: 0 }, 'user.changed', keep)
    },
    async signOutElsewhere(user, token, keep) {
      await store.transaction(async (tx) => {
        await tx.sessions.removeOthers(user.id, sessionHash(token))
        await keep?.(tx, undefined)
      })
    },
    changeUser,
    async limitUser(operator, nameOrId, oibs) {
      const user = await findUser(store, operator, nameOrId)
      const companyIds = await companiesWithOibs(store, operator.tenantId, oibs)
      return changeUser(operator, user.id, { companyIds })
    },
    async reset(admin, nameOrId, { password, secondFactor }, keep) {
      const user = await findResettable(store, admin, nameOrId)
      const passwordHash = password === undefined ? undefined : await newPasswordHash(password, { key: admin.id })
      const changes = {
        ...(passwordHash !== undefined && { passwordHash }),
        ...(secondFactor && { sealedTotp: null, totpStep: 0 }),
      }
      const after = { ...user, ...changes }
      if (Object.keys(changes).length > 0)
        await update(user, admin, changes, 'user.reset', keep && ((tx) => keep(tx, after)), NO_SESSION)
      return after
    },
  }

  async function changeUser(admin: Principal, userId: string, changes: UserChanges, keep?: Keep<User>): Promise<User> {
    requireAllCompanies(admin)
    if (typeof changes.email === 'string') checkEmail(changes.email)
    return store.transaction(async (tx) => {
      await tx.subjects.hold('users')
      const user = await tx.users.get(userId)
      if (user?.tenantId !== admin.tenantId) throw notFound('user', 'there is no such user')
      const after = { ...user, ...changes }
      if (after.role !== user.role && user.id === admin.id) throw conflict('role', 'nobody changes their own role')
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
      await keep?.(tx, after)
      return after
    })
  }

  /** A link in a mailbox that is not the user's any more, or from before the last change of the password, is no use. */
  async function endLink(tx: StoreTransaction, user: User, changes: Partial<User>): Promise<void> {
    const isSame = ({ email = user.email, passwordHash = user.passwordHash }: Partial<User>) =>
      email === user.email && passwordHash === user.passwordHash
    if (!isSame(changes)) await tx.passwordLinks.remove(user.id)
  }

  /** Companies that are mailed about are looked up again with each mail: a choice reveals nothing. */
  function requireChoice(user: User, { mailCompanyIds = null }: AccountChanges): void {
    if (mailCompanyIds === null) return
    const isWrong = mailCompanyIds.length === 0 || mailCompanyIds.length > MOST_COMPANIES
    if (isWrong || !mailCompanyIds.every((id) => reachesCompany(user, id))) {
      throw invalidRequest('companies', `choose 1 to ${MOST_COMPANIES} companies that you may see`)
    }
  }

  async function checkOwn(user: User, password: string, param: string): Promise<void> {
    const { matches } = await checkCredentials(store, user.name, password, { key: user.id })
    if (!matches) throw new FiskError('invalid_credentials', 'the password is wrong', { param })
  }
}
