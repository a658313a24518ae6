import type { Principal } from '../fiscal/access/principal.ts'
import type { UseCases } from '../fiscal/use-cases.ts'
import { UUID } from './ids.ts'
import { byText, companyOption } from './sales-choices.ts'

/** A longer list of check boxes would be of no use; the command line takes any company. */
const MOST = 500

/** The companies that a user may be limited to, or may choose, by name. */
export async function companyChoices(
  v1: Pick<UseCases, 'listCompanies'>,
  principal: Principal,
  chosen: readonly string[],
) {
  const { items } = await v1.listCompanies(principal, { allTenants: false }, { limit: MOST })
  return items.map((company) => ({ ...companyOption(company), checked: chosen.includes(company.id) })).sort(byText)
}

/** What was ticked; null where all companies were chosen. */
export function readCompanies(form: Record<string, string>): string[] | null {
  if (form.reach !== 'some') return null
  return [...new Set((form.companies ?? '').split(',').filter((id) => UUID.test(id)))].sort()
}
