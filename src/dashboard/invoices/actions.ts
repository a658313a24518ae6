import { FiskError } from '../../domain/errors.ts'
import type { GatewayCommand } from '../../fiscal/ports/gateway-commands.ts'
import type { Invoice, PrintJob } from '../../fiscal/ports/model.ts'
import { addressOf } from '../addresses.ts'
import { invoiceIdOf } from '../ids.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'

type Deps = Pick<DashboardDeps, 'v1' | 'admin' | 'office'>

/** Sends an invoice again, or has its gateway do it. */
export async function retryInvoice(deps: Deps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const { gateway } = await deps.office.search.file(context.principal, id)
  if (gateway !== null) return command(deps, context, gateway.name, 'invoice.retry', id)
  const to = (invoice: Invoice) => noticed(id, invoice.jir === null ? 'invoice_still_waits' : 'invoice_confirmed')
  try {
    return await context.once<Invoice>((keep) => deps.v1.retry(context.principal, id, keep), { to })
  } catch (error) {
    // Another user, or the sweep, was quicker: the page of the invoice says what has become of it.
    if (isConflict(error)) return context.go(`/dashboard/invoices/${id}`, 'invoice_settled')
    throw error
  }
}

/** Has a copy printed, here or by its gateway. */
export async function copyReceipt(deps: Deps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const { gateway } = await deps.office.search.file(context.principal, id)
  if (gateway !== null) return command(deps, context, gateway.name, 'receipt.copy', id)
  const to = `/dashboard/invoices/${id}`
  try {
    return await context.once<PrintJob>((keep) => deps.admin.printCopy(context.principal, id, keep), {
      to,
      notice: 'copy_queued',
    })
  } catch (error) {
    if (isConflict(error)) return context.go(to, 'copy_without_printer')
    throw error
  }
}

async function command(
  { admin }: Deps,
  context: PageContext,
  gateway: string,
  type: 'invoice.retry' | 'receipt.copy',
  invoiceId: string,
): Promise<unknown> {
  const to = `/dashboard/invoices/${invoiceId}`
  const order = { type, body: { invoice_id: invoiceId } }
  try {
    return await context.once<GatewayCommand>(
      (keep) => admin.commands.sendCommand(context.principal, gateway, order, keep),
      { to: (sent) => addressOf(to, { sent: sent.id }) },
    )
  } catch (error) {
    if (isConflict(error)) return context.go(to, 'gateway_out_of_reach')
    throw error
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof FiskError && error.code === 'invalid_request' && error.status === 409
}

const noticed = (id: string, notice: string) => `/dashboard/invoices/${id}?notice=${notice}`
