import type { EpochMs } from '../../domain/instant.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import type { Context } from '../context.ts'
import { type Page, pageOf } from '../list-page.ts'
import type { AuditEntry, JsonObject } from '../ports/model.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { timeOrderedId } from '../time-ordered-id.ts'
import { type Principal, requireAllCompanies } from './principal.ts'

/** The logged actions, by their names in the log. */
export type AuditAction =
  | 'alert.acknowledged'
  | 'alert.tested'
  | 'all_tenants.read'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'branding.changed'
  | 'certificate.added'
  | 'certificate.revoked'
  | 'certificate.superseded'
  | 'closing.printed'
  | 'closings.mailed'
  | 'closing_schedule.added'
  | 'closing_schedule.changed'
  | 'closing_schedule.removed'
  | 'command.taken'
  | 'company.added'
  | 'company.changed'
  | 'company.logo'
  | 'database.backed_up'
  | 'database.restored'
  | 'deadline.extended'
  | 'device.added'
  | 'device.changed'
  | 'device.tagged'
  | 'devices.imported'
  | 'file.downloaded'
  | 'gateway.added'
  | 'gateway.companies_set'
  | 'gateway.commanded'
  | 'gateway.enrolled'
  | 'gateway.invoice_accepted'
  | 'gateway.revoked'
  | 'gateway.token_made'
  | 'hours.removed'
  | 'hours.set'
  | 'invoice.corrected'
  | 'invoice.mailed'
  | 'invoice.retried'
  | 'job.created'
  | 'invoices.requeued'
  | 'machine.accepted'
  | 'numbers.confirmed'
  | 'numbers.healed'
  | 'numbers.skipped'
  | 'numbers.learned'
  | 'period.closed'
  | 'printer.removed'
  | 'printer.set'
  | 'receipt.copied'
  | 'session.recovery_code_used'
  | 'session.refused'
  | 'session.started'
  | 'gateway.replaced'
  | 'sync.enrolled'
  | 'sync.left'
  | 'tenant.added'
  | 'trust.changed'
  | 'user.added'
  | 'user.changed'
  | 'user.invited'
  | 'user.link_sent'
  | 'user.password_set'
  | 'user.removed'
  | 'user.reset'
  | 'view.removed'
  | 'view.saved'

/**
 * Writes an entry into the audit log, in the transaction of the action.
 * @param detail ids, names and counts; never a key, a password or a passphrase
 */
export async function audit(
  tx: Pick<StoreTransaction, 'audit'>,
  { id: actor, tenantId }: Pick<Principal, 'id' | 'tenantId'>,
  at: EpochMs,
  action: AuditAction,
  detail: JsonObject,
): Promise<void> {
  await tx.audit.insert({ id: timeOrderedId(at), at, actor, tenantId, action, detail })
}

/** The audit log of the tenant. @throws FiskError `insufficient_scope` */
export async function auditLog(
  { store }: Pick<Context, 'store'>,
  principal: Principal,
  slice: Slice,
): Promise<Page<AuditEntry>> {
  requireAllCompanies(principal)
  return pageOf(
    slice,
    (wanted) => store.audit.list(principal.tenantId, wanted),
    (entry) => entry,
  )
}

/** A replaced value. Both are missing for a field whose values are not logged, such as a whole configuration. */
export interface FieldChange {
  from?: unknown
  to?: unknown
}

/**
 * The changed fields, by the names of the interface; undefined when nothing has changed.
 * @param told fields with short, harmless values; for other fields only the name is logged
 */
export function changesBetween<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
  told: readonly (keyof T)[],
): Record<string, FieldChange> | undefined {
  const changed = fields.flatMap((field) => {
    const [from, to] = [before[field], after[field]]
    if (JSON.stringify(from) === JSON.stringify(to)) return []
    return [[snakeCase(field), told.includes(field) ? { from, to } : {}] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}
