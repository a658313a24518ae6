import { notFound } from '../domain/errors.ts'
import type { Invoice } from './model.ts'
import { type Page, pageOf } from './page.ts'
import { type Principal, requireScope } from './principal.ts'
import type { InvoiceFilter, Slice, Store } from './store-port.ts'

/**
 * An invoice of the principal's tenant and mode, and of its device if it is bound to one.
 * @throws FiskError 404 for any other id
 */
export async function findInvoice(store: Store, principal: Principal, invoiceId: string): Promise<Invoice> {
  const invoice = await store.invoices.get(invoiceId)
  const reachable =
    invoice?.tenantId === principal.tenantId &&
    (principal.mode === null || principal.mode === invoice.mode) &&
    (principal.deviceId === null || principal.deviceId === invoice.deviceId)
  if (!invoice || !reachable) throw notFound('id', 'there is no such invoice')
  return invoice
}

/**
 * The invoices that the principal may see, the latest sale first.
 * @throws FiskError `insufficient_scope`
 */
export async function listInvoices(
  store: Store,
  principal: Principal,
  filter: Omit<InvoiceFilter, 'tenantId' | 'mode'>,
  slice: Slice,
): Promise<Page<Invoice>> {
  requireScope(principal, 'invoices:read')
  const { tenantId, mode } = principal
  const deviceId = principal.deviceId ?? filter.deviceId
  if (filter.deviceId !== undefined && filter.deviceId !== deviceId) return { items: [], next: null }
  return pageOf(
    slice,
    (wanted) => store.invoices.list({ ...filter, deviceId, tenantId, mode }, wanted),
    ({ occurredAt, id }) => ({ at: occurredAt, id }),
  )
}
