import { FiskError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import type { User } from '../ports/model.ts'
import type { UserRows } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import type { Principal } from './principal.ts'
import { requireUnchanged, type SessionDeps } from './sessions.ts'
import { checkCredentials } from './users.ts'

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
  await store.transaction(async (tx) => {
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
    await keep?.(tx, undefined)
  })
}

/** A link in a mailbox that is not the user's any more, or from before the last change of the password, is no use. */
export async function endLink(
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
