import type { EpochMs } from '../../domain/instant.ts'
import { isChainKey } from '../../domain/sale/config-chain.ts'
import { cutText } from '../../domain/texts/cut-text.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import type { Context } from '../context.ts'
import { type Page, pageOf } from '../list-page.ts'
import type { AuditEntry, JsonObject } from '../ports/model.ts'
import type { AuditFilter } from '../ports/rows/access.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { timeOrderedId } from '../time-ordered-id.ts'
import { type Principal, requireScope, type Scope } from './principal.ts'

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
  | 'device.noted'
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
  | 'receipt_link.withdrawn'
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

/** Writes an entry in the action's transaction. @param detail ids, names, counts; no key, password or passphrase */
export async function audit(
  tx: Pick<StoreTransaction, 'audit'>,
  { id: actor, tenantId, jobId }: Pick<Principal, 'id' | 'tenantId' | 'jobId'>,
  at: EpochMs,
  action: AuditAction,
  detail: JsonObject,
): Promise<void> {
  const told = jobId === undefined ? detail : { ...detail, job_id: jobId }
  await tx.audit.insert({ id: timeOrderedId(at), at, actor, tenantId, action, detail: told })
}

/** What operators read: not who signs in, and not what is set up for the whole office. */
const OF_COMPANIES = 'gateway.commanded device company certificate invoice hours receipt period job printer'.split(' ')
/** Who may upload certificates is an administrator. */
const ADMIN_SCOPE: Scope = 'certificates:write'

/**
 * The audit log of the tenant. An operator reads what concerns companies, and a user who is limited to some what names
 * one of these. @throws FiskError `insufficient_scope`
 */
export async function auditLog(
  { store }: Pick<Context, 'store'>,
  principal: Principal,
  { about = [], ...filter }: AuditFilter,
  slice: Slice,
): Promise<Page<AuditEntry>> {
  const { companyIds, scopes, tenantId } = principal
  requireScope(principal, 'fleet:write')
  const isAdminOfAll = companyIds === null && scopes.includes(ADMIN_SCOPE)
  const areas = isAdminOfAll
    ? filter.areas
    : OF_COMPANIES.filter((one) => filter.areas?.some((area) => one.startsWith(area)) ?? true)
  const theirs = companyIds === null ? [] : [await namesOf(store, companyIds)]
  return pageOf(
    slice,
    (wanted) => store.audit.list(tenantId, { ...filter, areas, about: [...about, ...theirs] }, wanted),
    (entry) => entry,
  )
}

/** Entries name a company by its id or its OIB. */
async function namesOf({ companies }: Pick<StoreTransaction, 'companies'>, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => companies.get(id)))
  return [...ids, ...found.flatMap((company) => (company ? [company.oib] : []))]
}

/** A replaced value. Both are missing for a field whose values are not logged, such as a whole configuration. */
export interface FieldChange {
  from?: unknown
  to?: unknown
}

/** The changed fields by their names in the interface; undefined if none. Only values of `told` fields are logged. */
export function changesBetween<T extends object>(
  before: T,
  after: T,
  fields: readonly (keyof T & string)[],
  told: readonly (keyof T)[],
): Record<string, FieldChange> | undefined {
  const changed = fields.flatMap((field) => {
    const [from, to] = [before[field], after[field]]
    if (JSON.stringify(from) === JSON.stringify(to)) return []
    const name = snakeCase(field)
    if (told.includes(field)) return [[name, { from, to }] as const]
    return isObject(from) && isObject(to) ? membersBetween(name, from, to) : [[name, {}] as const]
  })
  return changed.length === 0 ? undefined : Object.fromEntries(changed)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of a configuration that have changed; the values of settings, which are no secrets. */
function membersBetween(
  name: string,
  from: Record<string, unknown>,
  to: Record<string, unknown>,
): (readonly [string, FieldChange])[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((key) => {
    const [before, after] = [from[key], to[key]]
    if (JSON.stringify(before) === JSON.stringify(after)) return []
    const member = `${name}.${key}`
    if (key === 'receipt' && isObject(before ?? {}) && isObject(after ?? {}))
      return membersBetween(member, Object(before), Object(after))
    const isTold = isChainKey(key) || name.endsWith('.receipt') || name === 'address'
    return [[member, isTold ? { from: short(before), to: short(after) } : {}] as const]
  })
}

const short = (value: unknown) =>
  typeof value === 'object'
    ? cutText(JSON.stringify(value), SHORT)
    : typeof value === 'string'
      ? cutText(value, SHORT)
      : value
const SHORT = 200
