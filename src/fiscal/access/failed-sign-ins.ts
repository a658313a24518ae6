import type { EpochMs } from '../../domain/instant.ts'
import type { Clock } from '../ports/clock.ts'
import type { User } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { firstIdAt } from '../time-ordered-id.ts'
import { type AuditAction, audit } from './audit-log.ts'

const FAILED: AuditAction = 'session.refused'

/** So many within this time are told as an alert. */
export const MANY_FAILED = { count: 20, withinMs: 15 * 60_000 }

/** So many within the same time are written down: the log is kept for ever, and anybody can fail to sign in. */
const MOST_WRITTEN = 100

export interface FailedSignIn {
  /** Null for a name that nobody has: it may be a password that was typed into the wrong field, so it is not kept. */
  user: User | null
  address: string
  /** What was wrong: name or password, or the code of the second factor. */
  step: 'password' | 'code'
}

/** How many sign-ins have failed of late, as far as they were written down. */
export function countFailed(store: Pick<StoreTransaction, 'audit'>, now: EpochMs): Promise<number> {
  return store.audit.countFrom(FAILED, firstIdAt(now - MANY_FAILED.withinMs))
}

/** Writes a sign-in that failed into the audit log, of the user's tenant where the user is known. */
export async function noteFailedSignIn(
  { store, clock }: { store: Pick<Store, 'transaction'>; clock: Clock },
  { user, address, step }: FailedSignIn,
): Promise<void> {
  const now = clock.now()
  await store.transaction(async (tx) => {
    const before = await countFailed(tx, now)
    if (before >= MOST_WRITTEN) return
    // Whoever it was has not proven to be that user.
    const nobody = { id: 'nobody', tenantId: user?.tenantId ?? DEFAULT_TENANT }
    const detail = { name: user?.name ?? null, address, step, ...(before === MOST_WRITTEN - 1 && { is_last: true }) }
    await audit(tx, nobody, now, FAILED, detail)
  })
}
