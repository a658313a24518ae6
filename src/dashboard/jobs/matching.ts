import { invalidRequest } from '../../domain/errors.ts'
import { JOB_BOUNDS, tooLarge } from '../../fiscal/jobs/jobs.ts'
import { isAboutInvoices } from '../../fiscal/jobs/subject.ts'
import type { JobKind } from '../../fiscal/ports/jobs.ts'
import { readFilter as readMachineFilter } from '../devices/filter.ts'
import { readFilter as readInvoiceFilter } from '../invoices/filter.ts'
import { withNamedDevice } from '../invoices/named-device.ts'
import { texts as invoiceTexts } from '../invoices/texts.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'

/**
 * The ids of all rows of a list, by the query of its address.
 * @throws FiskError `invalid_request` for more than a job may have, and for an address with a fault
 */
export async function idsMatching(
  { admin, office }: Pick<DashboardDeps, 'admin' | 'office'>,
  context: PageContext,
  kind: JobKind,
  filter: string,
): Promise<string[]> {
  const query = Object.fromEntries(new URLSearchParams(filter))
  const { principal, language } = context
  if (!isAboutInvoices(kind)) {
    const machines = await office.machines.matching(principal, readMachineFilter(query))
    return machines.map(({ device }) => device.id)
  }
  const t = invoiceTexts[language]
  const choice = await withNamedDevice({ admin }, context, readInvoiceFilter(query, t), t)
  // A wrong value filters nothing: that is not what was meant.
  if (Object.keys(choice.errors).length > 0) throw invalidRequest('filter', 'the filter has a fault')
  const ids = await office.invoiceList.all(principal, choice.wanted, JOB_BOUNDS.rows.most)
  if (!ids) throw tooLarge()
  return ids
}
