import { conflict, FiskError, invalidRequest, notFound } from '../../domain/errors.ts'
import { nameOf } from '../../domain/texts/name.ts'
import type { Context, CreatingContext } from '../context.ts'
import type { User } from '../ports/model.ts'
import { Duplicate, type StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import { isPassword, NO_PASSWORD, newPasswordHash, type Turn } from './passwords.ts'
import { isLocalOperator, type Principal, requireAllCompanies } from './principal.ts'

export type NewUser = Pick<User, 'name' | 'role' | 'isPlatformAdmin'> &
  Partial<Pick<User, 'companyIds' | 'email' | 'language' | 'wantsMail'>> & { password: string }

/**
 * @param tellHolder the user of another tenant who has the name; the caller does not learn of it
 * @throws FiskError `invalid_request` for a short password, 409 for a name that the tenant has
 */
export async function addUser(
  { store, clock, newUuid, tellHolder }: CreatingContext & { tellHolder?: (holder: User) => void },
  operator: Principal,
  { password, ...wanted }: NewUser,
  keep?: Keep<User>,
): Promise<User> {
  requireAllCompanies(operator)
  if (typeof wanted.email === 'string') checkEmail(wanted.email)
  const passwordHash = await newPasswordHash(password, { key: operator.id })
  const user = newUser(operator, { ...wanted, passwordHash, id: newUuid(), createdAt: clock.now() })
  const holder = await store.transaction(async (tx) => {
    await tx.subjects.hold('users')
    const found = await insertUser(tx, operator, user, 'user.added')
    await keep?.(tx, user)
    return found
  })
  if (holder) tellHolder?.(holder)
  return user
}

/** A user of the operator's tenant; what is left out is as most users have it. */
export function newUser(
  { tenantId }: Pick<Principal, 'tenantId'>,
  wanted: Omit<NewUser, 'password'> & Pick<User, 'id' | 'passwordHash' | 'createdAt'>,
): User {
  return {
    companyIds: null,
    mailCompanyIds: null,
    email: null,
    language: 'hr',
    wantsMail: true,
    sealedTotp: null,
    totpStep: 0,
    ...wanted,
    name: nameOf('name', wanted.name).toLowerCase(),
    tenantId,
  }
}

/**
 * Call it in a transaction that holds `users`. @returns who has the name in another tenant: the operator must not know
 * @throws FiskError 409 for a name that the tenant has, `invalid_request` for companies of others
 */
export async function insertUser(
  tx: StoreTransaction,
  operator: Principal,
  user: User,
  action: 'user.added' | 'user.invited',
): Promise<User | undefined> {
  await requireOwnCompanies(tx, user)
  const holder = await tx.users.insert(user).catch((error: unknown) => {
    if (error instanceof Duplicate) throw conflict('name', `there is already a user ${user.name}`)
    throw error
  })
  const { id, name, role, companyIds, isPlatformAdmin } = user
  const limit = companyIds && { company_ids: companyIds }
  const detail = { id, name, role, is_platform_admin: isPlatformAdmin, ...limit }
  await audit(tx, operator, user.createdAt, action, detail)
  return holder
}

/** Whether a user has set no password yet. */
export const isInvited = ({ passwordHash }: Pick<User, 'passwordHash'>) => passwordHash === NO_PASSWORD

/** The users of the tenant. @throws FiskError `insufficient_scope` */
export async function listUsers({ store }: Pick<Context, 'store'>, principal: Principal): Promise<User[]> {
  requireAllCompanies(principal)
  return store.users.list(principal.tenantId)
}

/**
 * Removes a user and their sessions. @throws FiskError 404, 409 for the caller's own account and the last admin,
 * `insufficient_scope` for a platform administrator: both may only the local operator remove
 */
export async function removeUser(
  deps: Context,
  operator: Principal,
  nameOrId: string,
  keep?: Keep<User>,
): Promise<User> {
  requireAllCompanies(operator)
  const { store, clock } = deps
  return keeping(store, keep, async (tx) => {
    await tx.subjects.hold('users')
    const user = await findUser(tx, operator, nameOrId)
    if (user.id === operator.id) throw conflict('user', 'nobody removes themselves: another admin has to do it')
    requireChangeable(user, operator)
    await tx.users.remove(user.id)
    await requireAdminLeft(tx, operator)
    await audit(tx, operator, clock.now(), 'user.removed', { id: user.id, name: user.name })
    return user
  })
}

/** @throws FiskError 404, also for a user of another tenant */
export async function findUser(
  store: StoreTransaction,
  { tenantId }: Pick<Principal, 'tenantId'>,
  nameOrId: string,
): Promise<User> {
  const user = (await store.users.get(nameOrId)) ?? (await store.users.namedIn(tenantId, nameOrId.toLowerCase()))
  if (user?.tenantId !== tenantId) throw notFound('user', `there is no user ${nameOrId}`)
  return user
}

/**
 * A platform administrator sees more than the tenant, and so would an admin who resets that account: only the local
 * operator and that user may change it. @throws FiskError `insufficient_scope`
 */
export function requireChangeable(user: Pick<User, 'id' | 'isPlatformAdmin'>, by: Principal): void {
  if (!user.isPlatformAdmin || user.id === by.id || isLocalOperator(by)) return
  throw new FiskError('insufficient_scope', 'only the command line changes a platform administrator', { param: 'user' })
}

/** A user whom an admin may reset. @throws FiskError 404, 409 for the admin's own account, as `requireChangeable` */
export async function findResettable(store: StoreTransaction, admin: Principal, nameOrId: string): Promise<User> {
  requireAllCompanies(admin)
  const user = await findUser(store, admin, nameOrId)
  if (user.id === admin.id) throw conflict('user', 'for yourself you do that on the page of your account')
  requireChangeable(user, admin)
  return user
}

/**
 * Two admins may try to remove each other, so call it in the transaction that removes, which holds `users`.
 * @throws FiskError 409 when no admin of all companies is left who can sign in; does not apply to the local operator
 */
export async function requireAdminLeft(tx: StoreTransaction, operator: Principal): Promise<void> {
  if (isLocalOperator(operator)) return
  const users = await tx.users.list(operator.tenantId)
  const isAdmin = (user: User) => user.role === 'admin' && user.companyIds === null && !isInvited(user)
  if (!users.some(isAdmin)) throw conflict('user', 'the last admin stays')
}

/** More companies of one user would make the lists slow; without a limit there may be any number. */
export const MOST_COMPANIES = 100

/** A limit names companies of the tenant, and no platform administrator has one. @throws FiskError `invalid_request` */
export async function requireOwnCompanies(
  tx: StoreTransaction,
  { tenantId, companyIds, isPlatformAdmin }: Pick<User, 'tenantId' | 'companyIds' | 'isPlatformAdmin'>,
): Promise<void> {
  if (companyIds === null) return
  if (isPlatformAdmin) throw invalidRequest('companies', 'a platform administrator cannot be limited to companies')
  if (companyIds.length === 0 || companyIds.length > MOST_COMPANIES) {
    throw invalidRequest('companies', `name 1 to ${MOST_COMPANIES} companies, or leave the user without a limit`)
  }
  for (const id of companyIds) {
    if ((await tx.companies.get(id))?.tenantId !== tenantId)
      throw invalidRequest('companies', 'there is no such company')
  }
}

/** The ids of the companies with these OIBs. @throws FiskError `invalid_request` for an OIB that no company of the tenant has */
export async function companiesWithOibs(
  { store }: { store: StoreTransaction },
  { tenantId }: Pick<Principal, 'tenantId'>,
  oibs: readonly string[] | null,
): Promise<string[] | null> {
  if (oibs === null) return null
  const ids = new Set<string>()
  for (const oib of oibs) {
    const company = await store.companies.byOib(tenantId, oib)
    if (!company) throw invalidRequest('companies', `there is no company with the OIB ${oib}: see fisk company list`)
    ids.add(company.id)
  }
  return [...ids].sort()
}

/**
 * The user with this name, if the password is right; otherwise the owner of the name, if any. An unknown name takes as
 * long as a wrong password. @throws FiskError `rate_limited` when too many wait; the reason of the signal
 */
export async function checkCredentials(
  store: StoreTransaction,
  name: string,
  password: string,
  turn: Turn,
): Promise<{ user: User; matches: true } | { user: User | null; matches: false }> {
  const user = (await store.users.named(name.toLowerCase())) ?? null
  const matches = await isPassword(password, user?.passwordHash ?? NO_PASSWORD, turn)
  return user && matches ? { user, matches } : { user, matches: false }
}

/** Exactly one address, and nothing else that a mail header could contain. @throws FiskError `invalid_request` */
export function checkEmail(address: string, param = 'email'): void {
  if (address.length <= 254 && /^[^\s\p{C}@<>(),:;"\\]+@[^\s\p{C}@<>(),:;"\\]+$/u.test(address)) return
  throw invalidRequest(param, 'this is no mail address', 'mail_address_wrong')
}
