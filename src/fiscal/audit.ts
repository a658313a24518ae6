import type { EpochMs } from '../domain/instant.ts'
import type { JsonObject } from './model.ts'
import type { Principal } from './principal.ts'
import type { StoreTransaction } from './store-port.ts'
import { timeOrderedId } from './time-ordered-id.ts'

/** What is worth asking about later, by the name it has in the log. */
export type AuditAction =
  | 'all_tenants.read'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'certificate.added'
  | 'certificate.revoked'
  | 'company.changed'
  | 'session.started'
  | 'tenant.added'
  | 'user.added'
  | 'user.removed'

/** Writes down who did what, in the transaction that does it. */
export async function audit(
  tx: StoreTransaction,
  { id: actor, tenantId }: Pick<Principal, 'id' | 'tenantId'>,
  at: EpochMs,
  action: AuditAction,
  detail: JsonObject,
): Promise<void> {
  await tx.audit.insert({ id: timeOrderedId(at), at, actor, tenantId, action, detail })
}
