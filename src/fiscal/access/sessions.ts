import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Context } from '../context.ts'
import type { Vault } from '../ports/certificates.ts'
import type { Session, User } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import type { Caller } from '../sales/caller.ts'
import { firstIdAt } from '../time-ordered-id.ts'
import { type AuditAction, audit } from './audit-log.ts'
import { type Principal, ROLE_SCOPES } from './principal.ts'
import { recoveryHash, stepOfCode } from './second-factor.ts'
import { checkCredentials } from './users.ts'

/** A working day: users sign in once a day, and a forgotten session has ended by the next morning. */
const SESSION_LIFETIME_MS = 12 * 3_600_000

/** The time allowed between the password and the code of the second factor. */
const HALF_LIFETIME_MS = 10 * 60_000
const MAX_CODES = 5

export interface SignedIn {
  user: User
  /** For the cookie; only its SHA-256 is stored. */
  token: string
  expiresAt: EpochMs
  /** False until the user has entered the code of the second factor. */
  complete: boolean
  /** How many recovery codes are left after one was used for this sign-in; null when none was. */
  codesLeft: number | null
}

export interface SessionDeps extends Context {
  vault: Vault
}

/**
 * Starts a session; with a second factor it is incomplete until `showCode`. Sign-ins are queued per network.
 * @throws FiskError `invalid_credentials`, `rate_limited` when too many wait; the reason of the signal
 */
export async function signIn(
  { store, clock }: SessionDeps,
  name: string,
  password: string,
  { address, network, signal }: Caller & { network: string },
): Promise<SignedIn> {
  const { user, matches } = await checkCredentials(store, name, password, { key: network, signal })
  if (matches) return start(store, user, clock.now(), user.sealedTotp === null)
  await noteFailedSignIn({ store, clock }, { user, address, step: 'password' })
  throw new FiskError('invalid_credentials', 'name or password is wrong', { param: 'password' })
}

/**
 * Completes a session that waits for the code of the second factor, or a recovery code, under a new token.
 * @throws FiskError `invalid_session` when it does not wait any more, `invalid_credentials` for a wrong or used code
 */
export async function showCode(
  { store, clock, vault }: SessionDeps,
  token: string,
  code: string,
  { address }: Pick<Caller, 'address'>,
): Promise<SignedIn> {
  const { session, user } = await openSession({ store, clock }, token)
  if (session.complete || !user.sealedTotp) throw ended()
  // Count before checking the code, so that parallel tries are limited, too.
  if (!(await store.sessions.countCode(session.hash, MAX_CODES))) throw ended()
  const step = await stepOfCode(secretOf(vault, user), code, clock.now())
  const isTaken = step !== null && (await store.users.takeTotpStep(user.id, step))
  const codesLeft = isTaken ? null : await takeRecoveryCode({ store, clock }, user, code, address)
  if (!isTaken && codesLeft === null) {
    await noteFailedSignIn({ store, clock }, { user, address, step: 'code' })
    throw new FiskError('invalid_credentials', 'the code is wrong or was used already', { param: 'code' })
  }
  await store.sessions.remove(session.hash)
  return { ...(await start(store, user, clock.now(), true)), codesLeft }
}

/** Uses a recovery code up. @returns how many are left; null for what is no code of the user */
async function takeRecoveryCode(
  { store, clock }: Context,
  user: User,
  code: string,
  address: string,
): Promise<number | null> {
  const hash = recoveryHash(code)
  if (hash === null) return null
  return store.transaction(async (tx) => {
    if (!(await tx.recoveryCodes.take(user.id, hash))) return null
    const left = await tx.recoveryCodes.count(user.id)
    await audit(tx, user, clock.now(), 'session.recovery_code_used', { name: user.name, address, left })
    return left
  })
}

/** The vault context of a user's second factor: the sealed secret cannot be used in another user's row. */
export const totpContext = (userId: string) => `totp ${userId}`

export function secretOf(vault: Vault, { id, sealedTotp }: User): string {
  return vault.open(sealedTotp ?? Buffer.alloc(0), totpContext(id)).toString('utf8')
}

async function start(store: Store, user: User, now: EpochMs, complete: boolean): Promise<SignedIn> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = now + (complete ? SESSION_LIFETIME_MS : HALF_LIFETIME_MS)
  await store.transaction(async (tx) => {
    await tx.subjects.hold('users')
    await requireUnchanged(tx, user)
    await tx.sessions.removeExpired(now)
    const hash = sessionHash(token)
    await tx.sessions.insert({ hash, userId: user.id, createdAt: now, expiresAt, complete, wrongCodes: 0 })
    if (complete) await audit(tx, user, now, 'session.started', { name: user.name })
  })
  return { user, token, expiresAt, complete, codesLeft: null }
}

/** The account may have been reset since it was checked: hold `users`. @throws FiskError `invalid_session` */
export async function requireUnchanged(tx: StoreTransaction, checked: User): Promise<void> {
  const user = await tx.users.get(checked.id)
  const isSame =
    user?.passwordHash === checked.passwordHash && (user.sealedTotp === null) === (checked.sealedTotp === null)
  if (!isSame) throw ended()
}

/** Ends a session; does nothing when it has ended already. */
export async function signOut(store: StoreTransaction, token: string): Promise<void> {
  await store.sessions.remove(sessionHash(token))
}

/** The user of a session. @throws FiskError `invalid_session`, also before the second factor */
export async function findSession(deps: Context, token: string): Promise<Pick<SignedIn, 'user' | 'expiresAt'>> {
  const { session, user } = await openSession(deps, token)
  if (!session.complete) throw ended()
  return { user, expiresAt: session.expiresAt }
}

async function openSession({ store, clock }: Context, token: string): Promise<{ session: Session; user: User }> {
  const session = await store.sessions.get(sessionHash(token))
  const user = session && session.expiresAt > clock.now() ? await store.users.get(session.userId) : undefined
  if (!session || !user) throw ended()
  return { session, user }
}

const ended = () => new FiskError('invalid_session', 'the session has ended', { param: 'Cookie' })

export function principalOf({ id, tenantId, role, companyIds, isPlatformAdmin }: User): Principal {
  return { id, tenantId, mode: null, scopes: ROLE_SCOPES[role], deviceId: null, companyIds, isPlatformAdmin }
}

/** With the rights that a user has now, for work that goes on without a session; undefined for one who was removed. */
export async function principalOfUser({ users }: Store, userId: string): Promise<Principal | undefined> {
  const user = await users.get(userId)
  return user && principalOf(user)
}

/** What a page must send with the cookie for every change: derived from the session's token, and not revealing it. */
export const csrfTokenOf = (token: string): string => createHmac('sha256', token).update('csrf').digest('base64url')

/** @throws FiskError `csrf_token_invalid` */
export function requireCsrfToken(token: string, sent: string | undefined): void {
  const expected = Buffer.from(csrfTokenOf(token))
  const actual = Buffer.from(sent ?? '')
  if (actual.length === expected.length && timingSafeEqual(actual, expected)) return
  throw new FiskError('csrf_token_invalid', 'the X-CSRF-Token header is missing or not the one of this session', {
    param: 'X-CSRF-Token',
  })
}

/** A hash that no session has. */
export const NO_SESSION = ''

export const sessionHash = (token: string): string => createHash('sha256').update(token, 'utf8').digest('hex')

const FAILED: AuditAction = 'session.refused'

/** This many failures within this time raise an alert. */
export const MANY_FAILED = { count: 20, withinMs: 15 * 60_000 }

/** At most this many failures are logged within that time: the log is kept for ever, and every visitor can fail. */
const MOST_WRITTEN = 100

export interface FailedSignIn {
  /** Null for an unknown name. The name is not kept, because it may be a password typed into the wrong field. */
  user: User | null
  address: string
  /** The failed step: name and password, or the code of the second factor. */
  step: 'password' | 'code'
}

/** The number of sign-ins that failed recently, as far as they were logged. */
export function countFailed(store: StoreTransaction, now: EpochMs): Promise<number> {
  return store.audit.countFrom(FAILED, firstIdAt(now - MANY_FAILED.withinMs))
}

export async function noteFailedSignIn(
  { store, clock }: Context,
  { user, address, step }: FailedSignIn,
): Promise<void> {
  const now = clock.now()
  await store.transaction(async (tx) => {
    await tx.subjects.hold('failed sign-ins')
    const before = await countFailed(tx, now)
    if (before >= MOST_WRITTEN) return
    // The client has not proven to be that user.
    const nobody = { id: 'nobody', tenantId: user?.tenantId ?? DEFAULT_TENANT }
    const detail = { name: user?.name ?? null, address, step, ...(before === MOST_WRITTEN - 1 && { is_last: true }) }
    await audit(tx, nobody, now, FAILED, detail)
  })
}
