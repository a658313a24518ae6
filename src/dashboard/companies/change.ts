import type { CompanyFile } from '../../fiscal/office/fleet.ts'
import type { Company } from '../../fiscal/ports/model.ts'
import { readExpected } from '../expected-fields.ts'
import type { DashboardDeps, PageContext, ShowAgain } from '../page-routes.ts'

/** The company of the address. @throws FiskError 404 */
export function companyOf({ office }: DashboardDeps, context: PageContext): Promise<CompanyFile> {
  return office.fleet.findCompany(context.principal, context.params.id ?? '')
}

interface Change {
  changes: Parameters<DashboardDeps['v1']['changeCompany']>[2]
  /** What the form showed. */
  keys: readonly (keyof Company)[]
  refused: ShowAgain
}

/** Changes a company, and leads back to its page. */
export function changeCompany(
  { v1 }: DashboardDeps,
  { once, principal, form }: PageContext,
  { company: { id } }: CompanyFile,
  { changes, keys, refused }: Change,
): Promise<unknown> {
  return once<Company>(async (keep) => v1.changeCompany(principal, id, changes, keep, readExpected(form.seen, keys)), {
    to: `/dashboard/companies/${id}`,
    notice: 'saved',
    refused,
  })
}
