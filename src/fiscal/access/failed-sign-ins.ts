import type { EpochMs } from '../../domain/instant.ts'
import type { Context } from '../context.ts'
import type { User } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { firstIdAt } from '../time-ordered-id.ts'
import { type AuditAction, audit } from './audit-log.ts'

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
