import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { conflict, FiskError, invalidRequest, notFound } from '../domain/errors.ts'
import { createKeyedLock } from '../domain/keyed-lock.ts'
import { audit } from './audit.ts'
import type { Keep } from './idempotent.ts'
import type { User } from './model.ts'
import type { Clock } from './ports.ts'
import { isLocalOperator, type Principal } from './principal.ts'
import { Duplicate, type Store, type StoreTransaction } from './store-port.ts'

export type NewUser = Pick<User, 'name' | 'role' | 'isPlatformAdmin'> &
  Partial<Pick<User, 'email' | 'language' | 'wantsMail'>> & { password: string }

const MIN_PASSWORD_LENGTH = 12

/**
 * Makes somebody who may sign in to the dashboard.
 * @throws FiskError `invalid_request` for a short password, 409 for a name that is taken
 */
export async function addUser(
  { store, clock, newUuid }: { store: Store; clock: Clock; newUuid: () => string },
  operator: Principal,
  { password, ...wanted }: NewUser,
  keep?: Keep<User>,
): Promise<User> {
  if (typeof wanted.email === 'string') checkEmail(wanted.email)
  const user: User = {
    ...{ email: null, language: 'hr', wantsMail: true, sealedTotp: null, totpStep: 0 },
    ...wanted,
    name: wanted.name.toLowerCase(),
    id: newUuid(),
    tenantId: operator.tenantId,
    passwordHash: await newPasswordHash(password),
    createdAt: clock.now(),
  }
  try {
    await store.transaction(async (tx) => {
      await tx.users.insert(user)
      const { id, name, role, isPlatformAdmin } = user
      await audit(tx, operator, user.createdAt, 'user.added', { id, name, role, is_platform_admin: isPlatformAdmin })
      await keep?.(tx, user)
    })
  } catch (error) {
    if (error instanceof Duplicate) throw conflict('name', `there is already a user ${user.name}`)
    throw error
  }
  return user
}

/**
 * Ends a user and every session of that user.
 * @throws FiskError 404, 409 for oneself and for the last admin, whom only the local operator removes
 */
export async function removeUser(
  { store, clock }: { store: Store; clock: Clock },
  operator: Principal,
  nameOrId: string,
  keep?: Keep<User>,
): Promise<User> {
  return store.transaction(async (tx) => {
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
 * Two admins may be about to remove each other: ask in the transaction that does it.
 * @throws FiskError 409 when the tenant is left without an admin; the local operator may do even that
 */
export async function requireAdminLeft(tx: StoreTransaction, operator: Principal): Promise<void> {
  if (isLocalOperator(operator)) return
  const users = await tx.users.list(operator.tenantId)
  if (!users.some(({ role }) => role === 'admin')) throw conflict('user', 'the last admin stays')
}

/**
 * The user with this name and password. An unknown name costs as much time as a wrong password.
 * @throws FiskError `invalid_credentials`
 */
export async function checkCredentials(store: Store, name: string, password: string): Promise<User> {
  const user = await store.users.named(name.toLowerCase())
  const matches = await isPassword(password, user?.passwordHash ?? NOBODYS_HASH)
  if (!user || !matches) throw new FiskError('invalid_credentials', 'name or password is wrong', { param: 'password' })
  return user
}

/** One of the settings that OWASP holds to be equally strong, the one that takes the least memory: 8 MB. */
const COST = { N: 2 ** 13, r: 8, p: 10 }
const KEY_BYTES = 32

/** Each takes a core for a while: one at a time, so that nobody can keep sales waiting by signing in. */
const oneAtATime = createKeyedLock()

/** @throws FiskError `invalid_request` for one that is too short */
export async function newPasswordHash(password: string): Promise<string> {
  if (password.length < MIN_PASSWORD_LENGTH) {
    throw invalidRequest('password', `the password must have at least ${MIN_PASSWORD_LENGTH} characters`)
  }
  return hashPassword(password)
}

/** One address and nothing more: what else a mail header could mean is refused. @throws FiskError `invalid_request` */
export function checkEmail(address: string): void {
  if (address.length <= 254 && /^[^\s@<>(),:;"\\]+@[^\s@<>(),:;"\\]+$/.test(address)) return
  throw invalidRequest('email', 'this is no mail address')
}

async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return hashText(salt, key)
}

function hashText(salt: Buffer, key: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), key.toString('base64')].join('$')
}

async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$')
  const derived = await derive(password, Buffer.from(salt, 'base64'), { N: Number(N), r: Number(r), p: Number(p) })
  const expected = Buffer.from(key, 'base64')
  return derived.length === expected.length && timingSafeEqual(derived, expected)
}

/** No password leads to a key of zeros; finding that out takes as long as with somebody's. */
const NOBODYS_HASH = hashText(randomBytes(16), Buffer.alloc(KEY_BYTES))

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  // Different keyboards write the same letter in different ways.
  const text = password.normalize('NFKC')
  return oneAtATime.run('scrypt', () => {
    return new Promise((resolve, reject) => {
      scrypt(text, salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)))
    })
  })
}
