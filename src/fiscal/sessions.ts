import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { FiskError } from '../domain/errors.ts'
import type { EpochMs } from '../domain/instant.ts'
import { audit } from './audit.ts'
import type { User } from './model.ts'
import type { Clock } from './ports.ts'
import { type Principal, ROLE_SCOPES } from './principal.ts'
import type { Store } from './store-port.ts'
import { checkCredentials } from './users.ts'

/** A working day: nobody signs in twice on one, and a forgotten screen is closed the next morning. */
export const SESSION_LIFETIME_MS = 12 * 3_600_000

export interface SignedIn {
  user: User
  /** For the cookie; stored is only its SHA-256. */
  token: string
  expiresAt: EpochMs
}

/**
 * Starts a session of the dashboard.
 * @throws FiskError `invalid_credentials`
 */
export async function signIn(
  { store, clock }: { store: Store; clock: Clock },
  name: string,
  password: string,
): Promise<SignedIn> {
  const user = await checkCredentials(store, name, password)
  const token = randomBytes(32).toString('base64url')
  const now = clock.now()
  const expiresAt = now + SESSION_LIFETIME_MS
  await store.transaction(async (tx) => {
    await tx.sessions.removeExpired(now)
    await tx.sessions.insert({ hash: hashOf(token), userId: user.id, createdAt: now, expiresAt })
    await audit(tx, user, now, 'session.started', { name: user.name })
  })
  return { user, token, expiresAt }
}

/** Ends a session at once; one that has ended already is none. */
export async function signOut(store: Store, token: string): Promise<void> {
  await store.sessions.remove(hashOf(token))
}

/** The user of a session. @throws FiskError `invalid_session` */
export async function findSession(
  { store, clock }: { store: Store; clock: Clock },
  token: string,
): Promise<Omit<SignedIn, 'token'>> {
  const session = await store.sessions.get(hashOf(token))
  const user = session && session.expiresAt > clock.now() ? await store.users.get(session.userId) : undefined
  if (!session || !user) throw new FiskError('invalid_session', 'the session has ended', { param: 'Cookie' })
  return { user, expiresAt: session.expiresAt }
}

export function principalOf({ id, tenantId, role, isPlatformAdmin }: User): Principal {
  return { id, tenantId, mode: null, scopes: ROLE_SCOPES[role], deviceId: null, isPlatformAdmin }
}

/**
 * What a page must send beside the cookie when it changes something. It follows from the session's token, which other
 * sites cannot read, and does not lead back to it.
 */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url')
}

/** @throws FiskError `csrf_token_invalid` */
export function requireCsrfToken(token: string, sent: string | undefined): void {
  const expected = Buffer.from(csrfTokenOf(token))
  const actual = Buffer.from(sent ?? '')
  if (actual.length === expected.length && timingSafeEqual(actual, expected)) return
  throw new FiskError('csrf_token_invalid', 'the X-CSRF-Token header is missing or not the one of this session', {
    param: 'X-CSRF-Token',
  })
}

function hashOf(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex')
}
