import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { conflict, FiskError, invalidRequest, notFound } from '../../domain/errors.ts'
import { createFairQueue } from '../../domain/fair-queue.ts'
import type { Clock } from '../ports/clock.ts'
import type { User } from '../ports/model.ts'
import { Duplicate, type Store, type StoreTransaction } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import { requireAllCompanies } from './company-limit.ts'
import { isLocalOperator, type Principal } from './principal.ts'

export type NewUser = Pick<User, 'name' | 'role' | 'isPlatformAdmin'> &
  Partial<Pick<User, 'companyIds' | 'email' | 'language' | 'wantsMail'>> & { password: string }

const MIN_PASSWORD_LENGTH = 12

interface Deps {
  store: Pick<Store, 'transaction'>
  clock: Clock
}

/**
 * Creates a user of the dashboard.
 * @throws FiskError `invalid_request` for a short password, 409 for a name that is taken
 */
export async function addUser(
  { store, clock, newUuid }: Deps & { newUuid: () => string },
  operator: Principal,
  { password, ...wanted }: NewUser,
  keep?: Keep<User>,
): Promise<User> {
  requireAllCompanies(operator)
  if (typeof wanted.email === 'string') checkEmail(wanted.email)
  const user: User = {
    companyIds: null,
    mailCompanyIds: null,
    email: null,
    language: 'hr',
    wantsMail: true,
    sealedTotp: null,
    totpStep: 0,
    ...wanted,
    name: wanted.name.toLowerCase(),
    id: newUuid(),
    tenantId: operator.tenantId,
    passwordHash: await newPasswordHash(password, { key: operator.id }),
    createdAt: clock.now(),
  }
  try {
    await store.transaction(async (tx) => {
      await requireOwnCompanies(tx, user)
      await tx.users.insert(user)
      const { id, name, role, companyIds, isPlatformAdmin } = user
      const detail = {
        id,
        name,
        role,
        is_platform_admin: isPlatformAdmin,
        ...(companyIds && { company_ids: companyIds }),
      }
      await audit(tx, operator, user.createdAt, 'user.added', detail)
      await keep?.(tx, user)
    })
  } catch (error) {
    if (error instanceof Duplicate) throw conflict('name', `there is already a user ${user.name}`)
    throw error
  }
  return user
}

/**
 * Removes a user and all sessions of that user.
 * @throws FiskError 404, 409 for the caller's own account and for the last admin, whom only the local operator may
 *   remove
 */
export async function removeUser(deps: Deps, operator: Principal, nameOrId: string, keep?: Keep<User>): Promise<User> {
  requireAllCompanies(operator)
  const { store, clock } = deps
  return store.transaction(async (tx) => {
    await tx.subjects.hold('users')
    const user = (await tx.users.get(nameOrId)) ?? (await tx.users.named(nameOrId.toLowerCase()))
    if (user?.tenantId !== operator.tenantId) throw notFound('user', `there is no user ${nameOrId}`)
    if (user.id === operator.id) throw conflict('user', 'nobody removes themselves: another admin has to do it')
    await tx.users.remove(user.id)
    await requireAdminLeft(tx, operator)
    await audit(tx, operator, clock.now(), 'user.removed', { id: user.id, name: user.name })
    await keep?.(tx, user)
    return user
  })
}

/**
 * Two admins may try to remove each other, so call it in the transaction that removes, which holds `users`.
 * @throws FiskError 409 when no admin of all companies is left; does not apply to the local operator
 */
export async function requireAdminLeft(tx: Pick<StoreTransaction, 'users'>, operator: Principal): Promise<void> {
  if (isLocalOperator(operator)) return
  const users = await tx.users.list(operator.tenantId)
  if (!users.some(({ role, companyIds }) => role === 'admin' && companyIds === null))
    throw conflict('user', 'the last admin stays')
}

/** More companies of one user would make the lists slow; without a limit there may be any number. */
export const MOST_COMPANIES = 100

/**
 * A limit names companies of the tenant, at least one; platform administrators see all tenants and cannot be limited.
 * @throws FiskError `invalid_request`
 */
export async function requireOwnCompanies(
  tx: Pick<StoreTransaction, 'companies'>,
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

/** @throws FiskError `invalid_request` for an OIB that no company of the tenant has */
export async function companiesWithOibs(
  store: Pick<StoreTransaction, 'companies'>,
  tenantId: string,
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

/** The place of a password in the hashing queue. */
export interface Turn {
  /** The network of a client, or the id of a user; the keys take turns. */
  key: string
  /** Aborts when no caller waits for the result any more. */
  signal?: AbortSignal
}

/**
 * The user with this name, if the password is right; otherwise the owner of the name, if there is one. An unknown name
 * takes as much time as a wrong password.
 * @throws FiskError `rate_limited` when too many passwords wait; the reason of the signal
 */
export async function checkCredentials(
  store: Pick<StoreTransaction, 'users'>,
  name: string,
  password: string,
  turn: Turn,
): Promise<{ user: User; matches: true } | { user: User | null; matches: false }> {
  const user = (await store.users.named(name.toLowerCase())) ?? null
  const matches = await isPassword(password, user?.passwordHash ?? DUMMY_HASH, turn)
  return user && matches ? { user, matches } : { user, matches: false }
}

/** The setting with the least memory (8 MB) among those that OWASP considers equally strong. */
const COST = { N: 2 ** 13, r: 8, p: 10 }
const KEY_BYTES = 32

/** Five hashes take some seconds on a small machine. */
const RETRY_AFTER_S = 10

/** Each hash uses a CPU core for a while. One at a time in the whole process, so that sign-ins do not delay sales. */
const queue = createFairQueue({
  mostOfOneKey: 8,
  most: 40,
  full: () =>
    new FiskError('rate_limited', `too many sign-ins at a time: wait ${RETRY_AFTER_S} seconds`, {
      reason: 'sign_ins_busy',
      retryAfterS: RETRY_AFTER_S,
    }),
})

/** @throws FiskError `invalid_request` for a short password, `rate_limited` when too many passwords wait */
export async function newPasswordHash(password: string, turn: Turn): Promise<string> {
  if (password.length < MIN_PASSWORD_LENGTH) {
    throw invalidRequest('password', `the password must have at least ${MIN_PASSWORD_LENGTH} characters`)
  }
  return hashPassword(password, turn)
}

/**
 * Accepts exactly one address, and nothing else that a mail header could contain.
 * @throws FiskError `invalid_request`
 */
export function checkEmail(address: string, param = 'email'): void {
  if (address.length <= 254 && /^[^\s@<>(),:;"\\]+@[^\s@<>(),:;"\\]+$/.test(address)) return
  throw invalidRequest(param, 'this is no mail address', 'mail_address_wrong')
}

async function hashPassword(password: string, turn: Turn): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST, turn)
  return hashText(salt, key)
}

function hashText(salt: Buffer, key: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

async function isPassword(password: string, hash: string, turn: Turn): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(password, Buffer.from(salt, 'base64'), cost, turn)
  const expected = Buffer.from(key, 'base64')
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}

/** No password leads to a key of zeros. Checking against it takes as long as checking against a real hash. */
const DUMMY_HASH = hashText(randomBytes(16), Buffer.alloc(KEY_BYTES))

function derive(password: string, salt: Buffer, cost: typeof COST, { key, signal }: Turn): Promise<Buffer> {
  // Different keyboards encode the same letter differently.
  const text = password.normalize('NFKC')
  const work = () =>
    new Promise<Buffer>((resolve, reject) => {
      scrypt(text, salt, KEY_BYTES, cost, (error, derived) => (error ? reject(error) : resolve(derived)))
    })
  return queue.run(key, work, signal)
}
