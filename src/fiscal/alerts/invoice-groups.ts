import { formatInstant } from '../../domain/instant.ts'
import type { JsonObject } from '../ports/model.ts'
import type { WaitingInvoice } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** Invoices that are told of together: of one company and mode. */
export interface InvoiceGroup {
  count: number
  /** The oldest, in order: as many as somebody looks at before they open the list. */
  oldest: WaitingInvoice[]
}

/** By the subject of their alert. */
export type InvoiceGroups<H extends InvoiceGroup = InvoiceGroup> = Map<string, H>

const NAMED = 5

export const subjectOf = ({ companyId, mode }: WaitingInvoice) => `${companyId} ${mode}`

export const emptyGroup = (): InvoiceGroup => ({ count: 0, oldest: [] })

export function addToGroup(heap: InvoiceGroup, invoice: WaitingInvoice): void {
  heap.count++
  const last = heap.oldest.at(-1)
  if (heap.oldest.length >= NAMED && last && invoice.occurredAt >= last.occurredAt) return
  heap.oldest.push(invoice)
  heap.oldest.sort((one, other) => one.occurredAt - other.occurredAt || (one.id < other.id ? -1 : 1))
  heap.oldest.length = Math.min(heap.oldest.length, NAMED)
}

/** The heap of a subject, made if there is none. */
export function groupOf<H extends InvoiceGroup>(heaps: InvoiceGroups<H>, subject: string, make: () => H): H {
  const heap = heaps.get(subject) ?? make()
  heaps.set(subject, heap)
  return heap
}

/** The oldest of a heap, which is not empty. */
export function oldestOf({ oldest: [first] }: InvoiceGroup): WaitingInvoice {
  if (!first) throw new Error('an empty heap of invoices')
  return first
}

export async function detailOf(store: Pick<StoreTransaction, 'companies'>, heap: InvoiceGroup): Promise<JsonObject> {
  const { companyId, mode, occurredAt, deadlineAt } = oldestOf(heap)
  return {
    company: (await store.companies.get(companyId))?.name ?? companyId,
    company_id: companyId,
    mode,
    count: heap.count,
    oldest_at: formatInstant(occurredAt),
    deadline_at: formatInstant(deadlineAt),
    invoices: heap.oldest.map(({ id }) => id),
  }
}
