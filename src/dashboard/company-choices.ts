import type { Principal } from '../fiscal/access/principal.ts'
import type { UseCases } from '../fiscal/use-cases.ts'
import { UUID } from './ids.ts'
import { byText, companyOption } from './sales-choices.ts'

/** A longer list of check boxes would be of no use; the command line takes any company. */
const MOST = 500

type Lists = Pick<UseCases, 'listCompanies'>

/** The companies that a user sees. */
export const companiesOf = async (v1: Lists, principal: Principal) =>
  (await v1.listCompanies(principal, { allTenants: false }, { limit: MOST })).items

/** The companies that a user may be limited to, or may choose, by name. */
export async function companyChoices(v1: Lists, principal: Principal, chosen: readonly string[]) {
  return (await companiesOf(v1, principal))
    .map((company) => ({ ...companyOption(company), checked: chosen.includes(company.id) }))
    .sort(byText)
}

/** What was ticked; null for all companies, and nothing where a form says both or neither. */
export function readCompanies({ reach, companies = '' }: Record<string, string>): string[] | null | undefined {
  if (reach === 'all') return companies === '' ? null : undefined
  return reach === 'some' ? [...new Set(companies.split(',').filter((id) => UUID.test(id)))].sort() : undefined
}

/** The form that the address asks for; without, that of what is stored. */
export const reachIn = ({ reach }: Record<string, string>, stored: 'some' | 'all') =>
  reach === 'some' || reach === 'all' ? reach : stored
