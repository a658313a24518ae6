import { formatInstant } from '../../domain/instant.ts'
import type { JsonObject } from '../ports/model.ts'
import type { WaitingInvoice } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The invoices of one alert: of one company and mode. */
export interface InvoiceGroup {
  count: number
  /** The oldest invoices in order, enough for a first look. */
  oldest: WaitingInvoice[]
}

/** Groups by the subject of their alert. */
export type InvoiceGroups<H extends InvoiceGroup = InvoiceGroup> = Map<string, H>

const NAMED = 5

export const subjectOf = ({ companyId, mode }: WaitingInvoice) => `${companyId} ${mode}`

export const emptyGroup = (): InvoiceGroup => ({ count: 0, oldest: [] })

export function addToGroup(group: InvoiceGroup, invoice: WaitingInvoice): void {
  group.count++
  const last = group.oldest.at(-1)
  if (group.oldest.length >= NAMED && last && invoice.occurredAt >= last.occurredAt) return
  group.oldest.push(invoice)
  group.oldest.sort((one, other) => one.occurredAt - other.occurredAt || (one.id < other.id ? -1 : 1))
  group.oldest.length = Math.min(group.oldest.length, NAMED)
}

/** The group of a subject; created if missing. */
export function groupOf<H extends InvoiceGroup>(groups: InvoiceGroups<H>, subject: string, make: () => H): H {
  const group = groups.get(subject) ?? make()
  groups.set(subject, group)
  return group
}

/** The oldest invoice of a group that is not empty. */
export function oldestOf({ oldest: [first] }: InvoiceGroup): WaitingInvoice {
  if (!first) throw new Error('an empty heap of invoices')
  return first
}

export async function detailOf(store: StoreTransaction, group: InvoiceGroup): Promise<JsonObject> {
  const { companyId, mode, occurredAt, deadlineAt } = oldestOf(group)
  return {
    company: (await store.companies.get(companyId))?.name ?? companyId,
    company_id: companyId,
    mode,
    count: group.count,
    oldest_at: formatInstant(occurredAt),
    deadline_at: formatInstant(deadlineAt),
    invoices: group.oldest.map(({ id }) => id),
  }
}
