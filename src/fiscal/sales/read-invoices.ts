import { notFound } from '../../domain/errors.ts'
import { type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import { type Page, pageOf } from '../list-page.ts'
import type { Invoice } from '../ports/model.ts'
import type { Slice } from '../ports/rows/lists.ts'
import type { InvoiceFilter } from '../ports/rows/sales.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'

/** Of the principal's tenant, mode, companies, and device if bound to one. @throws FiskError 404 for any other id */
export async function findInvoice(store: Pick<Store, 'invoices'>, by: Principal, id: string): Promise<Invoice> {
  const invoice = await store.invoices.get(id)
  const reachable =
    invoice?.tenantId === by.tenantId &&
    (by.mode === null || by.mode === invoice.mode) &&
    (by.deviceId === null || by.deviceId === invoice.deviceId) &&
    reachesCompany(by, invoice.companyId)
  if (!invoice || !reachable) throw notFound('id', 'there is no such invoice')
  return invoice
}

export type Wanted = Omit<InvoiceFilter, 'tenantId' | 'mode' | 'companyIds'>

/** The invoices that the principal may see, the latest sale first. @throws FiskError `insufficient_scope` */
export async function listInvoices(
  store: Pick<StoreTransaction, 'companies' | 'devices' | 'invoices'>,
  principal: Principal,
  wanted: Wanted,
  slice: Slice,
): Promise<Page<Invoice>> {
  requireScope(principal, 'invoices:read')
  const filter = await narrow(store, principal, wanted)
  if (!filter) return { items: [], next: null }
  const { tenantId, mode, companyIds } = principal
  return pageOf(
    slice,
    (part) => store.invoices.list({ ...filter, tenantId, mode, companyIds }, part),
    ({ occurredAt, id }) => ({ at: occurredAt, id }),
  )
}

/** Removes redundant conditions: a device stays at one premises of one company. @returns undefined if none can match */
export async function narrow(
  store: Pick<StoreTransaction, 'companies' | 'devices'>,
  principal: Principal,
  wanted: Wanted,
): Promise<Wanted | undefined> {
  const { premisesCode, companyId: _asked, ...rest } = wanted
  const { tenantId, deviceId: boundTo } = principal
  const companyId = wanted.companyId && (await store.companies.idWithin(tenantId, wanted.companyId))
  const deviceId = boundTo ?? wanted.deviceId
  if (wanted.deviceId !== undefined && wanted.deviceId !== deviceId) return undefined
  if (deviceId !== undefined) {
    const device = await store.devices.get(deviceId)
    if (device?.tenantId !== tenantId || !reachesCompany(principal, device.companyId)) return undefined
    if (companyId !== undefined && companyId !== device.companyId) return undefined
    if (premisesCode !== undefined && premisesCode !== device.premisesCode) return undefined
    return { ...rest, deviceId }
  }
  if (companyId !== undefined) {
    const company = await store.companies.get(companyId)
    if (company?.tenantId !== tenantId || !reachesCompany(principal, companyId)) return undefined
  }
  return { ...wanted, companyId }
}
