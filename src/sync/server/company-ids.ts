import { companyIdOf } from '../../domain/company-id.ts'
import type { SyncRecord } from '../../fiscal/ports/outbox.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'

/**
 * Between gateways and their server a company has the id that follows from its OIB. In this database it may have another
 * one, where some other tenant has a company of the same OIB: a gateway learns nothing of that.
 */
export interface CompanyIds {
  here(id: string): string
  onTheWire(id: string): string
}

type Lookup = Pick<StoreTransaction, 'companies'>

/** @param ids those that a gateway of the tenant has named */
export async function companyIdsOf(store: Lookup, tenantId: string, ids: Iterable<string>): Promise<CompanyIds> {
  const [inside, outside] = [new Map<string, string>(), new Map<string, string>()]
  for (const id of new Set(ids)) {
    const here = await store.companies.idWithin(tenantId, id)
    inside.set(id, here)
    outside.set(here, id)
  }
  return { here: (id) => inside.get(id) ?? id, onTheWire: (id) => outside.get(id) ?? id }
}

/** Rows that are told to a gateway, with the ids that it knows. */
export async function withWireIds<T extends { companyId: string }>(
  store: Lookup,
  rows: readonly T[],
  known: CompanyIds,
): Promise<T[]> {
  const ids = new Map<string, string>()
  for (const { companyId } of rows) {
    if (ids.has(companyId)) continue
    const company = await store.companies.get(companyId)
    ids.set(companyId, company ? companyIdOf(company.oib) : known.onTheWire(companyId))
  }
  return rows.map((row) => ({ ...row, companyId: ids.get(row.companyId) ?? row.companyId }))
}

/** The company that a record names; undefined for one that rests on an invoice, or on nothing. */
export function companyIn(record: SyncRecord): string | undefined {
  if (record.kind === 'company') return record.id
  return 'companyId' in record.row ? record.row.companyId : undefined
}

export function localRecord(record: SyncRecord, { here }: Pick<CompanyIds, 'here'>): SyncRecord {
  const named = companyIn(record)
  if (named === undefined || here(named) === named) return record
  const id = here(named)
  if (record.kind === 'company') return { ...record, id, row: { ...record.row, id } }
  return { ...record, row: { ...record.row, companyId: id } } as SyncRecord
}
